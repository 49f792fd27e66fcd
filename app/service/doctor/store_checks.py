"""Checks of the database itself."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from app.files_url import ENDPOINTS
from app.service.access.audit_chain import find_broken_link, find_unlinked
from app.service.context import Context
from app.service.database.clock import utc_now
from app.service.database.schema import (
    OutdatedSchema,
    current_revision,
    newest_revision,
    require_supported,
)
from app.service.database.tables import audit_entry, audit_link, organisation
from app.service.doctor.finding import Finding, fail, ok, warn
from app.service.start_checks import OtherDeployment, require_whole_restore

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
