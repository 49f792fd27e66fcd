"""The migrations make what the tables describe, on both stores, and a foreign revision is refused."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.service.context import Context
from app.service.database.columns import Instant
from app.service.database.engine import Database, open_database
from app.service.database.schema import OutdatedSchema, migrate, newest_revision, require_current
from app.service.database.tables import metadata

WORD_SEARCH = ("article_words", "words", "ix_article_words", "ix_search_entry_words")
"""Indexes of words, which no table describes."""


def described(_object: Any, name: str | None, _kind: str, reflected: bool, _compared_to: Any) -> bool:
    ours = name in metadata.tables or not reflected or _kind != "table"
    return ours and not (reflected and str(name).startswith(WORD_SEARCH))


def same_type(_context: Any, _inspected: Any, _column: Any, there: Any, described: Any) -> bool | None:
    """False where the types are the same; Alembic sees no difference between our instant and a date-time."""
    return False if isinstance(described, Instant) and isinstance(there, sa.DateTime) else None


def test_the_migrations_make_what_the_tables_describe(context: Context) -> None:
    with context.database.reading() as connection:
        migrated = MigrationContext.configure(
            connection, opts={"include_object": described, "compare_type": same_type}
        )
        assert compare_metadata(migrated, metadata) == []


@pytest.fixture
def empty(tmp_path: Path) -> Database:
    return open_database(f"sqlite:///{tmp_path / 'parley.sqlite3'}")


def test_migrating_again_changes_nothing(empty: Database) -> None:
    migrate(empty)
    migrate(empty)
    require_current(empty)
    empty.close()


def test_an_empty_database_is_behind(empty: Database) -> None:
    with pytest.raises(OutdatedSchema, match=f"this version needs {newest_revision()}"):
        require_current(empty)
    empty.close()


def test_a_revision_of_another_version_is_named(empty: Database) -> None:
    migrate(empty)
    with empty.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'another'"))
    with pytest.raises(OutdatedSchema, match="revision another, which this version does not know"):
        migrate(empty)
    empty.close()
