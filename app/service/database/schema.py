"""The schema's revision: which ones this version works with, and how a database is brought to the newest.

Each revision is a file of `migrations/versions`, numbered from 316, the first of 0.3.0. Older ones sort
before newer ones, also those of versions that named them by days (`migrations/former_versions.py`). Beside
Alembic's own names a file may say two things:

- `oldest_code`: versions that know at least this older revision work beside the new one. A revision that only
  adds names the one before it; without it only versions that know the new one work with the database.
- `optional = True`: this version works without it as well, as without an index.

Alembic is imported to migrate and not to compare: a process that only serves or works stays 13 MB smaller.
"""

import logging
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.service.database.engine import Database
from app.service.database.faults import is_lock_timeout
from app.service.database.tables import schema_support

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"

ADVISORY_LOCK = 0x7061726C6579
"""Held on PostgreSQL while migrating, so that two starts at once migrate once."""
WAIT_SECONDS = 0.5
"""How often a migration asks whether another one has ended. Inside PostgreSQL it does not wait: an index that
is built concurrently would wait for it in turn."""
LOCK_SECONDS = 5
"""How long a revision waits for a lock on PostgreSQL. All who use the table wait behind it meanwhile."""
LOCK_ATTEMPTS = 30
LOCK_PAUSE_SECONDS = 2.0


class OutdatedSchema(Exception):
    """The database is at a revision that this version does not work with."""


@dataclass(frozen=True, slots=True)
class SupportedRevisions:
    """The revisions that this version works with, and with newer ones that say so (`schema_support`)."""

    oldest: str
    newest: str


def migrate(database: Database) -> None:
    """Brings the database to the newest revision: SQLite in one transaction, PostgreSQL in one for each
    revision. Another migration of the same database is waited for. Raises OutdatedSchema for a database that
    this version does not know, and where rows refer to others that are not there."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    if database.is_sqlite:
        _migrate_sqlite(database, config)
        return
    with database.own_session() as lock:
        while not _lock_migrations(lock):
            log.warning("Another migration of this database is running; waiting for its end.")
            time.sleep(WAIT_SECONDS)
        with database.own_session() as connection:
            connection.exec_driver_sql(f"SET lock_timeout = '{LOCK_SECONDS}s'")
            connection.commit()
            _upgrade_patiently(database, config, connection)


def _migrate_sqlite(database: Database, config: "Config") -> None:
    """Migrates with foreign keys off: SQLite changes many a table only by making it anew, and others refer to
    the one that is dropped. They are switched outside a transaction alone."""
    with database.own_session() as session:
        driver = session.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys = OFF")
        connection = session.execution_options(writing=True)
        connection.begin()
        before = _read_revision(connection)
        _upgrade(database, config, connection)
        if _read_revision(connection) != before:
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise OutdatedSchema(
                    "the database was not migrated and is what it was: a row of the table"
                    f" {broken[0]} refers to one of {broken[2]} that is not there"
                )
        connection.commit()


def _lock_migrations(connection: Connection) -> bool:
    """Whether this migration has the lock, until the connection is closed."""
    locked = connection.scalar(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": ADVISORY_LOCK})
    connection.commit()
    return bool(locked)


def _upgrade_patiently(database: Database, config: "Config", connection: Connection) -> None:
    """Tries again what found a table locked: the revisions before it stay."""
    for attempt in range(1, LOCK_ATTEMPTS + 1):
        try:
            _upgrade(database, config, connection)
            return
        except DBAPIError as error:
            if attempt == LOCK_ATTEMPTS or not is_lock_timeout(error):
                raise
            connection.rollback()
            log.warning("A table is in use by a long transaction; trying again.")
            time.sleep(LOCK_PAUSE_SECONDS)


def _upgrade(database: Database, config: "Config", connection: Connection) -> None:
    from alembic import command
    from alembic.util import CommandError

    from app.service.database.migrations import former_versions

    config.attributes["connection"] = connection
    if former_versions.is_former(_read_revision(connection)):
        former_versions.bring_over(connection)
        record_support(connection, former_versions.BECOMES)
    if not database.is_sqlite:
        connection.commit()
    try:
        command.upgrade(config, "head")
    except CommandError:
        connection.rollback()
        current = current_revision(database)
        if _is_ahead(database, current):
            return
        raise OutdatedSchema(
            f"the database is at revision {current}, which this version does not know: it upgrades those of"
            " 0.1 and later. Take a newer version, or another --data-dir and import again"
        ) from None


def record_support(connection: Connection, revision: str) -> None:
    """Records, in the transaction of a revision, the oldest version that still works with the database."""
    if not sa.inspect(connection).has_table(schema_support.name):
        return
    stated = re.search(r'^oldest_code = "(\w+)"', _read_revisions()[revision], re.MULTILINE)
    oldest_code = stated[1] if stated else revision
    recorded = connection.scalar(sa.select(schema_support.c.oldest_code)) or ""
    connection.execute(schema_support.delete())
    connection.execute(schema_support.insert().values(oldest_code=max(recorded, oldest_code)))


@cache
def _read_revisions() -> Mapping[str, str]:
    """The text of each revision's file by its name, the oldest first."""
    texts: dict[str, str] = {}
    for path in (MIGRATIONS / "versions").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        [revision] = re.findall(r'^revision = "(\w+)"$', text, re.MULTILINE)
        texts[revision] = text
    return dict(sorted(texts.items()))


def newest_revision() -> str:
    """The revision that no other follows, read from the revisions' files."""
    return supported_revisions().newest


@cache
def supported_revisions() -> SupportedRevisions:
    """What this version works with, read from the revisions' files: the newest, and back to the last one that
    is not optional."""
    revisions = _read_revisions()
    needed = [name for name, text in revisions.items() if not re.search(r"^optional = True$", text, re.M)]
    return SupportedRevisions(oldest=needed[-1], newest=[*revisions][-1])


def current_revision(database: Database) -> str | None:
    """The revision that the database is at; None for one that was never migrated."""
    with database.reading() as connection:
        return _read_revision(connection)


def _read_revision(connection: Connection) -> str | None:
    known = sa.inspect(connection).has_table("alembic_version")
    return connection.scalar(sa.text("SELECT version_num FROM alembic_version")) if known else None


def require_supported(database: Database) -> None:
    """Raises OutdatedSchema, in one line, unless this version works with the database's revision."""
    supported = supported_revisions()
    current = current_revision(database)
    if current is None or current < supported.oldest:
        raise OutdatedSchema(
            f"the database is at revision {current or 'none'}, this version needs {supported.oldest}:"
            " run `parley migrate`"
        )
    if current > supported.newest and not _is_ahead(database, current):
        raise OutdatedSchema(
            f"the database is at revision {current}, and this version works with none after"
            f" {supported.newest}: start a newer version"
        )


def _is_ahead(database: Database, current: str | None) -> bool:
    """Whether the database is at a newer revision than this version knows, and says that it works all the
    same."""
    newest = supported_revisions().newest
    if current is None or not current.isdecimal() or current <= newest:
        return False
    with database.reading() as connection:
        if not sa.inspect(connection).has_table(schema_support.name):
            return False
        oldest_code = connection.scalar(sa.select(schema_support.c.oldest_code))
    return oldest_code is not None and oldest_code <= newest
