"""Checks that files and rows belong together, and that there is room for more."""

import shutil
from collections.abc import Iterator

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables.deployment import fingerprint
from app.service.database.tables.files import file
from app.service.doctor.finding import Finding, fail, ok, warn
from app.service.start_checks import FILES_FOLDER
from app.service.storage.file_storage import DamagedFile, StorageFault

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
