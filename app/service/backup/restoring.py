"""Restores a backup: verified first, then the files, which harm nobody without their rows, then the database
in one step. An interruption leaves the database that was there, or none."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO

from app.service.background.worker_slot import NoWorkerSlot, sqlite_worker_slot
from app.service.backup.archive import Archive
from app.service.backup.manifest import BackupFault, Manifest
from app.service.backup.postgresql_database import require_free, tools_for
from app.service.backup.settling import Settled, settle
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
from app.service.database.schema import current_revision, migrate, newest_revision
from app.service.database.serving_role import grant_to_serving_role
from app.service.former_records import describe_former_records
from app.service.storage.file_storage import PIECE, FileSavedBefore, FileStorage

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
