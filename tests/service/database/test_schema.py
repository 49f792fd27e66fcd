"""The migrations make what the tables describe, on both stores, beside versions that are at work, and a
revision that this version does not work with is refused."""

import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.service.context import Context
from app.service.database import schema
from app.service.database.columns import Instant
from app.service.database.engine import Database, open_database
from app.service.database.schema import (
    OutdatedSchema,
    current_revision,
    migrate,
    newest_revision,
    require_supported,
    supported_revisions,
)
from app.service.database.tables import metadata

pytestmark = pytest.mark.both_stores

WORD_SEARCH = ("article_words", "words", "ix_article_words", "ix_search_entry_words")
"""Indexes of words, which no table describes."""


def described(_object: Any, name: str | None, _kind: str, reflected: bool, _compared_to: Any) -> bool:
    ours = name in metadata.tables or not reflected or _kind != "table"
    return ours and not (reflected and str(name).startswith(WORD_SEARCH))


def same_type(_context: Any, _inspected: Any, _column: Any, there: Any, described: Any) -> bool | None:
    """False where the types are the same; Alembic sees no difference between our instant and a date-time."""
    return False if isinstance(described, Instant) and isinstance(there, sa.DateTime) else None


@pytest.mark.campaign
def test_the_migrations_make_what_the_tables_describe(context: Context) -> None:
    with context.database.reading() as connection:
        migrated = MigrationContext.configure(
            connection, opts={"include_object": described, "compare_type": same_type}
        )
        assert compare_metadata(migrated, metadata) == []


@pytest.mark.campaign
def test_constraints_have_the_names_that_the_tables_give_them(context: Context) -> None:
    """Later revisions name them to drop them."""
    with context.database.reading() as connection:
        inspector = sa.inspect(connection)
        for name, table in metadata.tables.items():
            assert inspector.get_pk_constraint(name)["name"] == f"pk_{name}"
            made = {key["name"] for key in inspector.get_foreign_keys(name)}
            assert made == {f"fk_{name}_{key.parent.name}" for key in table.foreign_keys}


@pytest.fixture
def empty(tmp_path: Path) -> Database:
    return open_database(f"sqlite:///{tmp_path / 'parley.sqlite3'}")


def test_migrating_again_changes_nothing(empty: Database) -> None:
    migrate(empty)
    migrate(empty)
    require_supported(empty)
    empty.close()


def test_an_empty_database_is_behind(empty: Database) -> None:
    with pytest.raises(OutdatedSchema, match=f"this version needs {supported_revisions().oldest}"):
        require_supported(empty)
    empty.close()


def test_a_revision_of_another_version_is_named(empty: Database) -> None:
    migrate(empty)
    with empty.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'another'"))
    with pytest.raises(OutdatedSchema, match="revision another, which this version does not know"):
        migrate(empty)
    empty.close()


def leave_at(database: Database, revision: str, oldest_code: str) -> None:
    """Leaves the database as a version with that revision would."""
    with database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
        connection.execute(sa.text("UPDATE schema_support SET oldest_code = :it"), {"it": oldest_code})


def test_a_newer_revision_that_only_added_is_worked_with(empty: Database) -> None:
    migrate(empty)
    leave_at(empty, "998", newest_revision())
    require_supported(empty)
    migrate(empty)  # a host of the older version that starts again meanwhile
    assert current_revision(empty) == "998"
    empty.close()


@pytest.mark.campaign
def test_a_newer_revision_that_took_something_away_is_refused(empty: Database) -> None:
    migrate(empty)
    leave_at(empty, "999", "998")
    with pytest.raises(OutdatedSchema, match="999, and this version works with none after"):
        require_supported(empty)
    with pytest.raises(OutdatedSchema, match="which this version does not know"):
        migrate(empty)
    empty.close()


def test_one_revision_behind_is_refused_unless_the_last_is_optional(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(empty)
    before, newest = "299", newest_revision()
    leave_at(empty, before, before)
    needed = schema.SupportedRevisions(oldest=newest, newest=newest)
    monkeypatch.setattr(schema, "supported_revisions", lambda: needed)
    with pytest.raises(OutdatedSchema, match=f"revision {before}, this version needs {newest}: run `parley"):
        require_supported(empty)
    optional = schema.SupportedRevisions(oldest=before, newest=newest)
    monkeypatch.setattr(schema, "supported_revisions", lambda: optional)
    require_supported(empty)
    empty.close()


ADDS = {"create_table", "add_column", "create_index", "f"}


def test_a_revision_beside_which_older_versions_work_only_adds() -> None:
    """Those versions insert rows without the new columns, and read the old ones."""
    for revision, text in schema._read_revisions().items():
        oldest_code = re.search(r'^oldest_code = "(\w+)"$', text, re.MULTILINE)
        if oldest_code is None:
            continue
        assert oldest_code[1] < revision
        upgrade = text.partition("def upgrade")[2].partition("\n\n\n")[0]
        assert set(re.findall(r"\bop\.(\w+)\(", upgrade)) <= ADDS, f"{revision} may take something away"
        for column in re.findall(r"add_column\((.*)\)", upgrade):
            assert "nullable=False" not in column or "server_default" in column, f"{revision}: {column}"
