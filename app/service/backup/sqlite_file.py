"""The file of an SQLite database: copied while it is in use, and replaced while it is not."""

import os
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.engine import make_url

from app.service.backup.archive import OWNER_ONLY
from app.service.backup.manifest import BackupFault
from app.service.database.engine import is_sqlite_url
from app.service.storage.folder import sync_folder

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside the file while it is in use."""
LOCK_SECONDS = 2.0


def database_file(url: str) -> Path:
    return Path(make_url(url).database or "parley.sqlite3")


def require_database(url: str) -> None:
    """Raises BackupFault where an SQLite database is named that is not there. A server answers itself."""
    if is_sqlite_url(url) and not database_file(url).exists():
        raise BackupFault(f"there is no database {database_file(url)}: name the data folder with --data-dir")


def copy_database(source: Path, copy: Path) -> None:
    """Copy the database as it is at one moment. Who writes meanwhile waits for nothing."""
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as original,
            closing(sqlite3.connect(copy)) as target,
        ):
            # All pages in one step are one read transaction; in several it would begin again at each write.
            original.backup(target, pages=-1)
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupFault(f"the database cannot be copied: {error}") from None


def delete_database(path: Path) -> None:
    """Delete the file, if there is one, and what SQLite keeps beside it."""
    for name in (path, *(path.with_name(path.name + end) for end in BESIDE)):
        name.unlink(missing_ok=True)


def write_database(content: BinaryIO, target: Path) -> None:
    """Write the file of a database from a backup, on the disk when this returns."""
    delete_database(target)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        shutil.copyfileobj(content, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def hold_alone(path: Path) -> Generator[None]:
    """Nobody else can use the database while the block lasts. Raises BackupFault where a process has it
    open."""
    if not path.exists():
        yield
        return
    with closing(sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None)) as connection:
        try:
            # Nobody leaves this journal while another connection is open, even one that does nothing.
            connection.execute("PRAGMA journal_mode=DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise BackupFault(f"the database {path} is in use: stop `parley` on it first") from None
            # What is damaged has no user, and is what a backup is for.
        yield


def close_file(path: Path) -> None:
    """Write what is beside the file into it, so that it is one file, on the disk."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def put_in_place(staged: Path, target: Path, at: datetime) -> Path | None:
    """Give the staged database its name, in one step, and return where the one before it is kept."""
    kept = None
    if target.exists():
        kept = target.with_name(f"{target.name}.replaced-{at:%Y%m%dT%H%M%SZ}")
        try:
            os.link(target, kept)
        except FileExistsError:
            raise
        except OSError:  # a file system that knows no second name of a file
            shutil.copyfile(target, kept)
    else:
        for end in BESIDE:
            target.with_name(target.name + end).unlink(missing_ok=True)
    staged.replace(target)
    sync_folder(target.parent)
    return kept
