"""Makes a backup beside processes that work: the database at one moment first, then the files. Files are
written once and before their rows, so those of that moment are still what they were."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.version import VERSION
from app.service.backup.archive import DATABASES, FILES, ArchiveWriter, write_archive
from app.service.backup.manifest import FORMAT, BackupFault, Manifest
from app.service.backup.postgresql_database import one_moment, tools_for
from app.service.backup.sqlite_file import copy_database, database_file
from app.service.context import Context
from app.service.database.engine import open_database
from app.service.database.tables import (
    agreement,
    company,
    file,
    fingerprint,
    negotiation,
    organisation,
    product,
    purchase,
    scope,
    webhook,
)
from app.service.start_checks import SECRET_KEY

COUNTED = (organisation, company, product, purchase, scope, negotiation, agreement, webhook, file)


class FileRow(NamedTuple):
    """What the database says of an uploaded file."""

    id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The database at one moment, written to `path`, and what a connection to that moment said."""

    path: Path
    revision: str
    key_fingerprint: str | None
    counts: dict[str, int]
    files: list[FileRow]


def make_backup(
    context: Context, target: Path, on_file: Callable[[int, int], None] = lambda _done, _all: None
) -> Manifest:
    """Write the archive; `on_file` is told how many of how many files are in it. Raises BackupFault, and
    OSError where the disk cannot take it; then there is no archive."""
    key = context.settings.resolved_backup_key
    with write_archive(target, context.clock().timestamp(), key) as archive, _work_folder(target) as folder:
        at = context.clock()
        store = "sqlite" if context.database.is_sqlite else "postgresql"
        take = _snapshot_sqlite if store == "sqlite" else _snapshot_postgresql
        snapshot = take(context, folder)
        with snapshot.path.open("rb") as database:
            archive.add(DATABASES[store], database, snapshot.path.stat().st_size)
        snapshot.path.unlink()
        missing, damaged = _add_files(context, archive, snapshot.files, on_file)
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            store=store,
            revision=snapshot.revision,
            created_at=at,
            key_fingerprint=snapshot.key_fingerprint,
            counts=snapshot.counts,
            members=archive.members,
            missing_files=missing,
            damaged_files=damaged,
        )
        archive.add_manifest(manifest)
    return manifest


@contextmanager
def _work_folder(target: Path) -> Generator[Path]:
    """A folder on the archive's disk, which has room for it, for the owner alone."""
    with TemporaryDirectory(prefix=f"{target.name}.", suffix=".partial", dir=target.parent) as name:
        yield Path(name)


def _snapshot_sqlite(context: Context, folder: Path) -> Snapshot:
    copy = folder / DATABASES["sqlite"]
    copy_database(database_file(context.settings.resolved_database_url), copy)
    database = open_database(f"sqlite:///{copy}")
    try:
        with database.reading() as connection:
            snapshot = describe(connection, copy)
    finally:
        database.close()
    return snapshot


def _snapshot_postgresql(context: Context, folder: Path) -> Snapshot:
    dump = folder / DATABASES["postgresql"]
    tools = tools_for(context)
    with one_moment(context.database) as (connection, name):
        snapshot = describe(connection, dump)
        tools.dump(dump, name)
    return snapshot


def describe(connection: Connection, path: Path) -> Snapshot:
    """What the manifest says of a database. Older revisions lack some of the tables."""
    tables = set(sa.inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        raise BackupFault("the database is empty: there is nothing to back up")
    recorded = sa.select(fingerprint.c.value).where(fingerprint.c.name == SECRET_KEY)
    return Snapshot(
        path=path,
        revision=connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one(),
        key_fingerprint=connection.scalar(recorded) if fingerprint.name in tables else None,
        counts={
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in COUNTED
            if table.name in tables
        },
        files=[
            FileRow(*row)
            for row in connection.execute(sa.select(file.c.id, file.c.sha256).order_by(file.c.id))
        ],
    )


def _add_files(
    context: Context, archive: ArchiveWriter, rows: list[FileRow], on_file: Callable[[int, int], None]
) -> tuple[list[str], list[str]]:
    missing: list[str] = []
    damaged: list[str] = []
    for number, row in enumerate(rows, 1):
        stored = context.files.stat(row.id)
        try:
            if stored is None:
                raise FileNotFoundError
            with context.files.open(row.id) as content:
                added = archive.add(FILES + row.id, content, stored.size)
        except FileNotFoundError:
            missing.append(row.id)
        else:
            if added.sha256 != row.sha256:
                damaged.append(row.id)
        on_file(number, len(rows))
    return missing, damaged
