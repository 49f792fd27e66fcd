"""The schema's revision: bring a database to it, or say that it is behind."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.service.database.engine import Database

ADVISORY_LOCK = 0x7061726C6579
"""Held on PostgreSQL while migrating, so that two starts at once migrate once."""


class OutdatedSchema(Exception):
    """The database is not at the revision of this code."""


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def migrate(database: Database) -> None:
    """Brings the database to the newest revision, in one transaction."""
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        command.upgrade(_config(connection), "head")


def require_current(database: Database) -> None:
    """Raises OutdatedSchema, in one line, unless the database is at the newest revision."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    with database.reading() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current != newest:
        raise OutdatedSchema(
            f"the database is at revision {current or 'none'}, this version needs {newest}:"
            " run `parley migrate`"
        )
