"""Checks that files and rows belong together, that there is room for more, and that what is sealed can be
opened."""

import base64
import shutil
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.tables import file, fingerprint, webhook
from app.service.doctor.finding import Finding, fail, ok, warn
from app.service.resealing import SEALED
from app.service.start_checks import FILES_FOLDER, SECRET_KEY
from app.service.storage.file_storage import DamagedFile, StorageFault
from app.service.vault import InvalidToken, Vault

MEBIBYTE = 1024 * 1024
ROOM_FAIL = 100 * MEBIBYTE
ROOM_WARN = 1024 * MEBIBYTE
SHOWN = 3


def check_files(context: Context, *, deep: bool) -> Iterator[Finding]:
    """Compare rows and files. Those that are uploaded meanwhile may have a file and no row yet."""
    try:
        found = {one.file_id: one.size for one in context.files.list_files()}
        mark = context.files.identify(may_mark=False)
    except StorageFault as fault:
        yield fail("files", str(fault), "See that the store of files can be reached and read.")
        return
    with context.database.reading() as connection:
        recorded = connection.scalar(sa.select(fingerprint.c.value).where(fingerprint.c.name == FILES_FOLDER))
        rows = {row.id: row for row in connection.execute(sa.select(file.c.id, file.c.size, file.c.sha256))}
    if recorded is not None and recorded != mark:
        yield fail(
            "files",
            f"{context.files.place} is not the one that holds this database's files.",
            "Name the deployment's own. If it was replaced, run `parley migrate --accept files-folder`.",
        )
    missing = sorted(rows.keys() - found.keys())
    damaged = sorted(one for one in rows.keys() & found.keys() if rows[one].size != found[one])
    if deep:
        for file_id in sorted(rows.keys() & found.keys() - set(damaged)):
            try:
                context.files.verify(file_id, rows[file_id].sha256)
            except DamagedFile:
                damaged.append(file_id)
            except FileNotFoundError:
                missing.append(file_id)
    if missing:
        yield fail(
            "files", f"{len(missing):,} files are gone: {_names(missing)}.", "Restore them from a backup."
        )
    if damaged:
        yield fail(
            "files",
            f"{len(damaged):,} files have other bytes than were uploaded: {_names(damaged)}.",
            "Restore them from a backup.",
        )
    spare = sorted(found.keys() - rows.keys())
    if spare:
        yield warn(
            "files",
            f"{len(spare):,} files belong to no row: {_names(spare)}.",
            "They do no harm, and may be deleted unless they are a few minutes old.",
        )
    if not missing and not damaged:
        how = "verified by SHA-256" if deep else "there with the right size; --deep verifies their bytes"
        yield ok("files", f"{len(rows):,} files are {how}.")


def check_room(context: Context) -> Iterator[Finding]:
    folder = context.settings.data_dir
    free = shutil.disk_usage(folder).free
    message = f"{free // MEBIBYTE:,} MiB are free for {folder}."
    if free >= ROOM_WARN:
        yield ok("disk", message)
    else:
        level = warn if free >= ROOM_FAIL else fail
        yield level("disk", message, "Make room, or move the data folder to a larger disk.")


def _names(ids: list[str]) -> str:
    rest = len(ids) - SHOWN
    return ", ".join(ids[:SHOWN]) + (f" and {rest:,} more" if rest > 0 else "")


_WHAT = {
    "webhook.secret": ("secrets of webhooks", "make new ones (`POST /v1/webhooks/{webhookId}/secret`)"),
    "second_opinion_settings.key": ("keys of second opinions", "enter them again on the settings page"),
    "user_session.id_token": ("tokens of sessions", "let these people sign in again"),
    "idempotent_call.answer": ("answers for repeated calls", "nothing: they go after a day"),
}


def check_secrets(context: Context) -> Iterator[Finding]:
    with context.database.reading() as connection:
        recorded = connection.scalar(sa.select(fingerprint.c.value).where(fingerprint.c.name == SECRET_KEY))
        closed = {name: count for name, count in _count_closed(connection, context.vault) if count}
    if recorded is not None and recorded not in context.vault.fingerprints():
        yield fail(
            "secret key",
            "The secret key is not the one that this database's secrets are sealed with.",
            "Set PARLEY_SECRET_KEY, or secret.key in the data folder, to the deployment's key.",
        )
    for name, count in closed.items():
        what, advice = _WHAT.get(name, (name, "see the log"))
        yield fail("secrets", f"No key opens {count:,} {what}.", f"Name the older key as well, or {advice}.")
    if not closed:
        yield ok("secrets", "The key opens all that is sealed.")


def _count_closed(connection: Connection, vault: Vault) -> Iterator[tuple[str, int]]:
    for column in SEALED:
        sealed = connection.scalars(sa.select(column).where(column.is_not(None)))
        yield f"{column.table.name}.{column.name}", sum(not _opens(vault, one) for one in sealed if one)
    retired = connection.scalars(
        sa.select(webhook.c.retired_secrets).where(webhook.c.retired_secrets.is_not(None))
    )
    values: list[dict[str, Any]] = [one for several in retired for one in several or ()]
    yield "webhook.retired_secrets", sum(not _opens(vault, base64.b64decode(one["secret"])) for one in values)


def _opens(vault: Vault, sealed: bytes) -> bool:
    try:
        vault.open(bytes(sealed))
    except InvalidToken:
        return False
    return True
