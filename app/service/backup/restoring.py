"""Restores a backup: verified first, then the files, which harm nobody without their rows, then the database
in one step. An interruption leaves the database that was there, or none.

Before anybody works on it, sessions end: what happened since the backup, such as a removal from the company,
is not known. Letters to suppliers that were still to be sent become drafts: they may have left after the
backup, and a supplier who gets an offer twice is worse than one that a person sends. Deliveries stay due:
they carry the same `webhook-id` again, by which receivers drop doubles. Reminders to colleagues stay due as
well: one too many does less harm than one missed, and its Message-ID is the same.
"""

import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.audit import tell_everybody
from app.service.background.worker_slot import NoWorkerSlot, sqlite_worker_slot
from app.service.backup.archive import Archive
from app.service.backup.manifest import BackupFault, Manifest
from app.service.backup.postgresql_database import require_free, tools_for
from app.service.backup.sqlite_file import (
    close_file,
    database_file,
    delete_database,
    hold_alone,
    put_in_place,
    write_database,
)
from app.service.context import Context
from app.service.database.engine import Database, open_database
from app.service.database.letters import DEADLINE_LETTERS, SUPPLIER_LETTERS
from app.service.database.schema import current_revision, migrate, newest_revision
from app.service.database.serving_role import grant_to_serving_role
from app.service.database.tables import (
    delivery,
    fingerprint,
    idempotent_call,
    letter,
    second_opinion_settings,
    user_session,
    webhook,
    worker,
)
from app.service.former_records import describe_former_records
from app.service.start_checks import FILES_FOLDER, SECRET_KEY
from app.service.storage.file_storage import PIECE, FileSavedBefore, FileStorage
from app.service.vault import Vault
from app.service.webhooks.signing import new_secret

SECRET_LOST = "Restored without its secret: make a new one, give it to the receiver and turn it on."  # noqa: S105


@dataclass(frozen=True, slots=True)
class Settled:
    """What was changed, and what is due again."""

    sessions: int
    letters: int
    deliveries: int
    reminders: int
    webhooks_without_secret: int


def settle(
    connection: Connection,
    vault: Vault,
    files_mark: str | None,
    now: datetime,
    *,
    manifest: Manifest,
    without_secrets: bool,
) -> Settled:
    """Make a restored database one that processes may work on, in the caller's transaction. The audit log of
    each organisation says as of when it is again."""
    sessions = connection.execute(user_session.delete()).rowcount
    connection.execute(worker.delete())
    # A call that was running is not running any more.
    connection.execute(idempotent_call.delete().where(idempotent_call.c.answer.is_(None)))
    letters = connection.execute(
        letter.update()
        .where(letter.c.kind == SUPPLIER_LETTERS.name, letter.c.status.in_(["queued", "sending"]))
        .values(status="draft", next_at=None)
    ).rowcount
    webhooks = _replace_secrets(connection, vault) if without_secrets else 0
    # While keys change, the backup's may be an older one of several; the files are those restored into.
    keys = vault.fingerprints()
    is_sealed_with = manifest.key_fingerprint in keys and not without_secrets
    connection.execute(fingerprint.delete())
    rows = [{"name": SECRET_KEY, "value": manifest.key_fingerprint if is_sealed_with else keys[0]}]
    if files_mark is not None:
        rows.append({"name": FILES_FOLDER, "value": files_mark})
    connection.execute(fingerprint.insert(), rows)
    made_at = f"{manifest.created_at:%Y-%m-%d %H:%M} UTC"
    tell_everybody(
        connection,
        "deployment.restore",
        f"Restore the backup of {made_at}; what happened after it is gone",
        now,
    )
    return Settled(
        sessions=sessions,
        letters=letters,
        deliveries=_count(connection, delivery.c.next_at.is_not(None)),
        reminders=_count(
            connection, (letter.c.kind == DEADLINE_LETTERS.name) & letter.c.next_at.is_not(None)
        ),
        webhooks_without_secret=webhooks,
    )


def _replace_secrets(connection: Connection, vault: Vault) -> int:
    """Nothing stays that no key opens: webhooks are turned off and get secrets that nobody knows."""
    connection.execute(idempotent_call.delete())
    connection.execute(second_opinion_settings.update().values(key=None, enabled=False))
    ids = connection.scalars(sa.select(webhook.c.id).where(webhook.c.deleted_at.is_(None))).all()
    for one in ids:
        connection.execute(
            webhook.update()
            .where(webhook.c.id == one)
            .values(
                secret=vault.seal(new_secret().encode()),
                retired_secrets=None,
                enabled=False,
                disabled_reason=SECRET_LOST,
            )
        )
    return len(ids)


def _count(connection: Connection, condition: sa.ColumnElement[bool]) -> int:
    return connection.execute(sa.select(sa.func.count()).where(condition)).scalar_one()


STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored. `kept` is where the database is that was there before."""

    manifest: Manifest
    settled: Settled
    files: int
    migrated_from: str | None
    kept: Path | None


def require_restorable(
    manifest: Manifest, store: str, fingerprints: list[str], *, without_secrets: bool
) -> None:
    """Raises BackupFault where this deployment cannot take the backup. `fingerprints` are those of the keys
    that there are, before one is made."""
    if manifest.store != store:
        raise BackupFault(
            f"the backup is of {STORES[manifest.store]} and this deployment uses {STORES[store]}: restore it"
            f" {'without' if manifest.store == 'sqlite' else 'with'} DATABASE_URL"
        )
    if manifest.revision > newest_revision():
        raise BackupFault(
            f"the backup is of a newer version ({manifest.version}) at revision {manifest.revision}, and this"
            f" one knows {newest_revision()}: restore it with that version or a newer one"
        )
    needed = manifest.key_fingerprint
    if needed is not None and needed not in fingerprints and not without_secrets:
        raise BackupFault(
            "the backup's secrets are sealed with a secret key that is not here: the secrets of"
            f" {manifest.counts.get('webhook', 0):,} webhooks and the keys of second opinions would be"
            " unreadable. Set PARLEY_SECRET_KEY, or the file secret.key in the data folder, to that"
            " deployment's key; or restore with --without-secrets, which turns these off until they are"
            " entered again"
        )


def restore(context: Context, archive: Archive, *, replace: bool, without_secrets: bool) -> Restored:
    """Restore into the context's database and store of files. Raises BackupFault, and OSError or StorageFault
    where the disk or the store cannot take it; then the database is what it was."""
    if context.database.is_sqlite:
        return _restore_sqlite(context, archive, replace=replace, without_secrets=without_secrets)
    return _restore_postgresql(context, archive, replace=replace, without_secrets=without_secrets)


def _restore_sqlite(context: Context, archive: Archive, *, replace: bool, without_secrets: bool) -> Restored:
    url = context.settings.resolved_database_url
    target = database_file(url)
    if target.exists() and not replace:
        raise BackupFault(
            f"there is a database {target} already: name another --data-dir, or replace it with --replace"
        )
    try:
        with sqlite_worker_slot(url), hold_alone(target):
            files = _restore_files(context.files, archive)
            staged = target.with_name(f"{target.name}.restoring")
            try:
                with archive.open_database() as content:
                    write_database(content, staged)
                database = open_database(f"sqlite:///{staged}")
                try:
                    settled, migrated_from = _settle(context, database, archive, without_secrets)
                finally:
                    database.close()
                close_file(staged)
                kept = put_in_place(staged, target, context.clock())
            finally:
                delete_database(staged)
    except NoWorkerSlot:
        raise BackupFault(f"a worker uses the database {target}: stop `parley` on it first") from None
    return Restored(archive.manifest, settled, files, migrated_from, kept)


def _restore_postgresql(
    context: Context, archive: Archive, *, replace: bool, without_secrets: bool
) -> Restored:
    database = context.database
    tools = tools_for(context)
    require_free(database, replace=replace)
    files = _restore_files(context.files, archive)
    # Without a name: a process that is killed leaves no copy of the database behind.
    with TemporaryFile() as dump:
        _unpack_database(archive, dump)
        require_free(database, replace=replace)  # all that took its time
        tools.load(dump)
    # Until the end of this no process starts on the database (`PostgresqlTools.load`).
    settled, migrated_from = _settle(context, database, archive, without_secrets)
    return Restored(archive.manifest, settled, files, migrated_from, None)


def _unpack_database(archive: Archive, dump: IO[bytes]) -> None:
    """Write the dump of the archive to a temporary file. Raises BackupFault where there is no room."""
    try:
        with archive.open_database() as content:
            shutil.copyfileobj(content, dump, PIECE)
        dump.flush()
        dump.seek(0)
    except OSError as error:
        raise BackupFault(
            f"{gettempdir()} cannot take the database of the backup: {error.strerror or error}; set TMPDIR to"
            " a folder with room for it"
        ) from None


def _restore_files(files: FileStorage, archive: Archive) -> int:
    number = 0
    for file_id, member in archive.files():
        with archive.open_file(member) as content:
            try:
                files.save(file_id, content, member.sha256)
            except FileSavedBefore:
                files.verify(file_id, member.sha256)
        number += 1
    return number


def _settle(
    context: Context, database: Database, archive: Archive, without_secrets: bool
) -> tuple[Settled, str | None]:
    """Migrate and settle a restored database. Return also the revision that it was migrated from, if any."""
    before = current_revision(database)
    migrate(database)
    describe_former_records(database)
    grant_to_serving_role(database, context.settings.serving_role)
    mark = context.files.identify(may_mark=True)
    with database.writing() as connection:
        settled = settle(
            connection,
            context.vault,
            mark,
            context.clock(),
            manifest=archive.manifest,
            without_secrets=without_secrets,
        )
    return settled, None if before == newest_revision() else before
