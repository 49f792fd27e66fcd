"""The schema's revision: bring a database to it, or say that it is behind.

Alembic is imported to migrate and not to compare: a process that only serves or works stays 13 MB smaller.
"""

import re
from pathlib import Path

import sqlalchemy as sa

from app.service.database.engine import Database

MIGRATIONS = Path(__file__).parent / "migrations"

ADVISORY_LOCK = 0x7061726C6579
"""Held on PostgreSQL while migrating, so that two starts at once migrate once."""


class OutdatedSchema(Exception):
    """The database is not at the revision of this code."""


def migrate(database: Database) -> None:
    """Brings the database to the newest revision, in one transaction. Raises OutdatedSchema for one whose
    revision this code does not know."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError:
            raise OutdatedSchema(
                f"the database is at revision {current_revision(database)}, which this version does not know:"
                " take another --data-dir and import again, or a newer version"
            ) from None


def newest_revision() -> str:
    """The revision that no other follows, read from the revisions' files."""
    made: set[str] = set()
    followed: set[str] = set()
    for path in (MIGRATIONS / "versions").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        made.update(re.findall(r'^revision = "(\w+)"$', text, re.MULTILINE))
        followed.update(re.findall(r'^down_revision = "(\w+)"$', text, re.MULTILINE))
    [newest] = made - followed
    return newest


def current_revision(database: Database) -> str | None:
    """The revision that the database is at; None for one that was never migrated."""
    with database.reading() as connection:
        known = sa.inspect(connection).has_table("alembic_version")
        return connection.scalar(sa.text("SELECT version_num FROM alembic_version")) if known else None


def require_current(database: Database) -> None:
    """Raises OutdatedSchema, in one line, unless the database is at the newest revision."""
    newest = newest_revision()
    current = current_revision(database)
    if current != newest:
        raise OutdatedSchema(
            f"the database is at revision {current or 'none'}, this version needs {newest}:"
            " run `parley migrate`"
        )
