"""The checks of a deployment for an operator who knows neither the code nor the tables: that files and rows
belong together, that there is room for more, that what is sealed can be opened, that work gets done, and that
what is set up beside the database can be reached. None of them changes anything.
"""

import asyncio
import base64
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import aiosmtplib
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.files_url import ENDPOINTS
from app.service.access.audit_chain import find_broken_link, find_unlinked
from app.service.background.mail_queue import InvalidMailServer, parse_mail_server
from app.service.context import Context
from app.service.database.clock import utc_now
from app.service.database.rows import count_rows
from app.service.database.schema import (
    OutdatedSchema,
    current_revision,
    newest_revision,
    require_supported,
)
from app.service.database.tables import (
    audit_entry,
    audit_link,
    file,
    fingerprint,
    organisation,
    webhook,
    worker,
)
from app.service.openid.requests import ProviderUnavailable
from app.service.operation.queue_figures import load_queue_figures
from app.service.resealing import SEALED
from app.service.start_checks import FILES_FOLDER, SECRET_KEY, OtherDeployment, require_whole_restore
from app.service.storage.file_storage import DamagedFile, StorageFault
from app.service.vault import InvalidToken, Vault
from app.settings import MEBIBYTE


class Level(StrEnum):
    """How a check ended. Only `fail` makes the command fail."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check of this name found, and what to do about it; empty where there is nothing to do."""

    name: str
    level: Level
    message: str
    advice: str = ""


def ok(name: str, message: str) -> Finding:
    return Finding(name, Level.OK, message)


def warn(name: str, message: str, advice: str) -> Finding:
    return Finding(name, Level.WARN, message, advice)


def fail(name: str, message: str, advice: str) -> Finding:
    return Finding(name, Level.FAIL, message, advice)


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


NEWEST_LINKS = 10_000
"""Entries of each organisation whose hashes are compared without `--deep`."""
UNLINKED_WARN = timedelta(hours=1)
CLOCK_WARN = timedelta(seconds=2)
CLOCK_FAIL = timedelta(seconds=30)
"""Half of the clock's tolerance for tokens of an identity provider."""


def check_revision(context: Context) -> Iterator[Finding]:
    try:
        require_whole_restore(context)
    except OtherDeployment:
        yield fail(
            "restore",
            "A restore of this database was ended in its middle: sessions of the backup are still open, and"
            " letters that may have left would be sent again.",
            "Restore the backup once more: `parley restore FILE --replace`.",
        )
        return
    try:
        require_supported(context.database)
    except OutdatedSchema as error:
        is_newer = (current_revision(context.database) or "") > newest_revision()
        advice = (
            "Use the version that migrated it, or a newer one."
            if is_newer
            else "Run `parley migrate` of the newest version that you run."
        )
        yield fail("schema", str(error), advice)
    else:
        yield ok("schema", f"The database is at revision {current_revision(context.database)}.")


def check_integrity(context: Context, *, deep: bool) -> Iterator[Finding]:
    if context.database.is_sqlite:
        kind = "integrity_check" if deep else "quick_check"
        with context.database.reading() as connection:
            said = list(connection.execute(sa.text(f"PRAGMA {kind}(5)")).scalars())
            loose = connection.execute(sa.text("PRAGMA foreign_key_check")).first() if deep else None
        if said != ["ok"] or loose is not None:
            first = said[0] if loose is None else f"a row of {loose[0]} names one that is gone"
            yield fail("integrity", f"The database is damaged: {first}.", "Restore the last backup.")
        else:
            yield ok("integrity", f"SQLite found no damage ({kind}).")
        return
    with context.database.reading() as connection:
        invalid = connection.scalars(
            sa.text(
                "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                " WHERE NOT i.indisvalid AND c.relnamespace = 'public'::regnamespace ORDER BY 1"
            )
        ).all()
    if invalid:
        yield warn(
            "integrity",
            f"{len(invalid)} indexes were not built to their end: {', '.join(invalid[:3])}.",
            "Unless `parley migrate` runs now, run it again, or REINDEX INDEX CONCURRENTLY them.",
        )
    else:
        yield ok("integrity", "All indexes of PostgreSQL are valid.")


def check_audit_log(context: Context) -> Iterator[Finding]:
    """Whether the role that serves may change the audit log: who owns a table may disable its triggers."""
    if context.database.is_sqlite:
        return
    with context.database.reading() as connection:
        is_owner = connection.scalar(
            sa.text(
                "SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class"
                " WHERE oid = to_regclass('audit_entry')"
            )
        )
    if is_owner is None:
        return
    if is_owner:
        yield warn(
            "audit log",
            "This role of the database owns the audit log, so it may disable what protects it.",
            "Serve with a role that owns no table (PARLEY_SERVING_ROLE in docs/operation.md).",
        )
    else:
        yield ok("audit log", "The role that serves cannot change an entry of the audit log.")


def check_settings(context: Context) -> Iterator[Finding]:
    """Whether statements end, and are not compiled: connections say so, but PgBouncer passes nothing on."""
    if context.database.is_sqlite:
        return
    wanted = {"statement_timeout": "'30s'", "lock_timeout": "'30s'", "jit": "off"}
    with context.database.reading() as connection:
        found = {name: connection.scalar(sa.func.current_setting(name).select()) for name in wanted}
    unset = [f"{name} = {wanted[name]}" for name, value in found.items() if value in ("0", "on")]
    if unset:
        yield warn(
            "settings",
            "The role of the database lacks settings that PgBouncer passes on for nobody.",
            "Set them for it: " + "; ".join(f"ALTER ROLE … SET {one}" for one in unset) + ".",
        )
    else:
        yield ok("settings", "Statements of the database end in time and are not compiled.")


def check_encryption(context: Context) -> Iterator[Finding]:
    """Whether what goes over a network to the database and the store of files is encrypted and verified."""
    settings = context.settings
    if settings.is_postgresql:
        url = make_url(settings.resolved_direct_url or settings.resolved_database_url)
        mode = str(url.query.get("sslmode") or os.environ.get("PGSSLMODE") or "prefer")
        advice = "Add ?sslmode=verify-full&sslrootcert=… to DATABASE_URL (docs/operation.md)."
        with context.database.connect_directly() as connection:
            ssl = connection.scalar(sa.text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
        if _is_local(url.host):
            yield ok("encryption", "The database is on this machine.")
        elif not ssl:
            yield warn("encryption", "The connection to the database is not encrypted.", advice)
        elif mode != "verify-full":
            message = f"The database's certificate is not verified (sslmode={mode})."
            yield warn("encryption", message, advice)
        else:
            yield ok("encryption", "The connection to the database is encrypted and verified.")
    if settings.resolved_files_url.folder is None:
        endpoint = urlsplit(next((os.environ[name] for name in ENDPOINTS if os.environ.get(name)), ""))
        if endpoint.scheme == "http" and not _is_local(endpoint.hostname):
            message = "The connection to the store of files is not encrypted."
            yield warn("encryption", message, "Give AWS_ENDPOINT_URL an address with https.")
        else:
            yield ok("encryption", "The connection to the store of files is encrypted, or on this machine.")


def _is_local(host: str | None) -> bool:
    return not host or host.startswith("/") or host in {"localhost", "127.0.0.1", "::1"}


def check_chain(context: Context, *, deep: bool) -> Iterator[Finding]:
    """Whether the entries of the audit log are what they were when they got their numbers."""
    with context.database.reading() as connection:
        organisations = connection.execute(
            sa.select(organisation.c.name, audit_link.c.organisation_id)
            .outerjoin(organisation, organisation.c.id == audit_link.c.organisation_id)
            .group_by(organisation.c.name, audit_link.c.organisation_id)
        ).all()
        newest = None if deep else NEWEST_LINKS
        broken = [(name, find_broken_link(connection, id, newest)) for name, id in organisations]
        waiting = connection.scalars(find_unlinked().limit(1).with_only_columns(audit_entry.c.at)).first()
    for name, number in broken:
        if number is not None:
            yield fail(
                "audit log",
                f"Entry {number:,} of the audit log of {name}, or one near it, was changed or removed.",
                "Find out who else can write to the database, and compare with a backup.",
            )
    if waiting is not None and context.clock() - waiting > UNLINKED_WARN:
        yield warn("audit log", f"Entries since {waiting:%Y-%m-%d %H:%M} have no hash.", "Start a worker.")
    if not any(number for _, number in broken):
        yield ok(
            "audit log", "The hashes of the audit log are whole." if deep else "Its newest hashes are whole."
        )


def check_clock(context: Context) -> Iterator[Finding]:
    if context.database.is_sqlite:
        return
    before = time.monotonic()
    with context.database.reading() as connection:
        theirs: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    ours = utc_now() - timedelta(seconds=(time.monotonic() - before) / 2)
    apart = abs(ours - theirs.astimezone(UTC))
    message = f"This machine's clock is {apart.total_seconds():.1f} s from the database's."
    if apart < CLOCK_WARN:
        yield ok("clock", message)
    else:
        level = warn if apart < CLOCK_FAIL else fail
        yield level(
            "clock", message, "Set both by NTP: sign-ins and signatures of webhooks need the right time."
        )


SILENT = timedelta(seconds=30)
"""Living workers say so every second."""
LATE_SECONDS = 600
MAIL_SECONDS = 5.0


def check_queues(context: Context) -> Iterator[Finding]:
    context.synchronise_clock()
    now = context.clock()
    with context.database.reading() as connection:
        figures = load_queue_figures(connection, now)
        living = count_rows(connection, worker, worker.c.seen_at > now - SILENT)
    due = sum(depth for (_, state), depth in figures.depths.items() if state == "due")
    dead = sum(figures.workers.values()) - living
    if not living and due:
        yield fail("workers", f"No worker runs, and {due:,} things are due.", "Start `parley work`.")
    elif not living:
        yield warn("workers", "No worker runs.", "Start `parley work`, or `parley up`.")
    else:
        yield ok("workers", f"{living} run.")
    if dead > 0 and living:
        yield warn(
            "workers", f"{dead} ended without a word.", "Another one takes over within seconds; look again."
        )
    unknown = figures.depths.get(("tasks", "unknown"), 0)
    if unknown and living:
        yield fail(
            "queue",
            f"{unknown:,} tasks are of a kind that no running worker knows.",
            "Start a worker of the newest version that was used.",
        )
    if figures.oldest_due_seconds > LATE_SECONDS:
        yield (warn if living else fail)(
            "queue",
            f"A delivery is due for {figures.oldest_due_seconds / 60:,.0f} minutes.",
            "See that workers run and are not overloaded; the Webhooks page shows which webhook is slow.",
        )
    else:
        yield ok("queue", f"{due:,} things are due, none of the deliveries for long.")


def check_mail(context: Context) -> Iterator[Finding]:
    if context.settings.smtp_url is None:
        yield ok("mail", "No mail server is set up: letters wait as drafts.")
        return
    try:
        server = parse_mail_server(context.settings.smtp_url.get_secret_value())
        asyncio.run(_greet(server.host, server.port, server.user, server.password, tls=server.tls))
    except InvalidMailServer as error:
        yield fail(
            "mail", f"PARLEY_SMTP_URL is wrong: {error}.", "Write it as smtp://user:password@host:port."
        )
    except (aiosmtplib.SMTPException, OSError) as error:
        yield fail(
            "mail",
            f"The mail server does not take us: {type(error).__name__}: {error}.",
            "See that PARLEY_SMTP_URL is right and the server can be reached from here.",
        )
    else:
        yield ok("mail", f"The mail server {server.host} answers.")


async def _greet(host: str, port: int, user: str | None, password: str | None, *, tls: bool) -> None:
    client = aiosmtplib.SMTP(
        hostname=host, port=port, username=user, password=password, use_tls=tls, timeout=MAIL_SECONDS
    )
    async with client:
        await client.noop()


def check_provider(context: Context) -> Iterator[Finding]:
    if context.provider is None:
        return
    try:
        context.provider.endpoints()
        keys = context.provider.count_keys()
    except ProviderUnavailable as error:
        yield fail(
            "identity provider",
            f"{context.settings.oidc_issuer} cannot be used: {error}",
            "See that PARLEY_OIDC_ISSUER is its own address and can be reached from here.",
        )
        return
    if keys:
        yield ok("identity provider", f"{context.settings.oidc_issuer} answers, with {keys} keys.")
    else:
        yield fail(
            "identity provider",
            f"{context.settings.oidc_issuer} lists no key that its tokens could be signed with.",
            "Let it sign with RS256, ES256 or another algorithm with a public key.",
        )


def check_roles(context: Context) -> Iterator[Finding]:
    """Say who would be let in nowhere, or into an organisation that nobody knows."""
    if context.provider is None:
        return
    named = {entry.organisation for entry in context.settings.group_roles}
    if not named:
        yield warn(
            "roles", "People may sign in, and nobody is let in.", "Say in PARLEY_OIDC_ROLES which groups are."
        )
        return
    with context.database.reading() as connection:
        known = connection.scalars(sa.select(organisation.c.name).where(organisation.c.name.in_(named)))
        missing = sorted(named.difference(known))
    if missing:
        yield warn(
            "roles",
            f"PARLEY_OIDC_ROLES names organisations that are not there: {', '.join(missing)}.",
            "The first who signs in there makes an empty one; see that it is the name of your data's.",
        )
    else:
        yield ok("roles", f"Groups are let into {', '.join(sorted(named))}.")


Check = Callable[[Context], Iterable[Finding]]


def examine(context: Context, *, deep: bool) -> Iterator[Finding]:
    """Yield what each check found. One that cannot be made fails, and the others go on; without a database of
    a known revision most of them cannot."""
    yield from check_room(context)
    yield from check_mail(context)
    yield from check_provider(context)
    schema = list(_run(check_revision, context))
    yield from schema
    if any(finding.level is Level.FAIL for finding in schema):
        return
    checks: tuple[Check, ...] = (
        check_audit_log,
        check_settings,
        partial(check_chain, deep=deep),
        check_encryption,
        check_clock,
        partial(check_integrity, deep=deep),
        check_secrets,
        partial(check_files, deep=deep),
        check_roles,
        check_queues,
    )
    for check in checks:
        yield from _run(check, context)


def _run(check: Check, context: Context) -> Iterator[Finding]:
    try:
        yield from check(context)
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        yield fail(
            "database",
            f"The database cannot be used: {reason}.",
            "See that it runs and DATABASE_URL is right.",
        )
