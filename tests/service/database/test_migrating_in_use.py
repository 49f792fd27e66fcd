"""Migrating a PostgreSQL that is in use: one at a time, without holding up those who work with it."""

import logging
import threading
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy.exc import IntegrityError

from app.service.database import schema
from app.service.database.engine import Database, open_database
from app.service.database.migrations.indexes import build_index
from app.service.database.schema import current_revision, migrate, newest_revision
from tests.service.background.worker_fixture import until
from tests.service.database.former_databases import open_former_dump
from tests.service.postgres import fresh_database

pytestmark = pytest.mark.campaign


@pytest.fixture(scope="module")
def database(postgres_server: str) -> Iterator[Database]:
    with fresh_database(postgres_server) as url:
        database = open_database(url.replace("postgresql:", "postgresql+psycopg:"))
        yield database
        database.close()


def test_of_two_migrations_at_once_one_waits(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    threads = [threading.Thread(target=migrate, args=(database,)) for _ in range(2)]
    with caplog.at_level(logging.WARNING):
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert current_revision(database) == newest_revision()
    assert "Another migration of this database is running" in caplog.text


@pytest.fixture
def former(postgres_server: str) -> Iterator[Database]:
    with fresh_database(postgres_server) as url:
        database = open_former_dump("0.2", url)
        yield database
        database.close()


def test_a_table_in_use_is_asked_for_again_and_holds_up_nobody_for_long(
    former: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = current_revision(former)
    monkeypatch.setattr(schema, "LOCK_SECONDS", 0.1)
    monkeypatch.setattr(schema, "LOCK_PAUSE_SECONDS", 0.1)
    with former.engine.connect() as user:
        # As a long report would: whoever wants to change a table waits, and all behind him.
        with former.reading() as connection:
            tables = connection.scalars(
                sa.text("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'")
            ).all()
        user.execute(sa.text(f"LOCK TABLE {', '.join(tables)} IN ROW EXCLUSIVE MODE"))
        migration = threading.Thread(target=migrate, args=(former,))
        with caplog.at_level(logging.WARNING):
            migration.start()
            until(lambda: "A table is in use by a long transaction" in caplog.text)
        assert current_revision(former) == behind
        user.rollback()
    migration.join()
    assert current_revision(former) == newest_revision()


def test_an_index_is_built_beside_writers_and_replaces_what_an_interruption_left(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(sa.text("CREATE TABLE large (number int)"))
        connection.execute(sa.text("INSERT INTO large SELECT n / 2 FROM generate_series(1, 1000) n"))

    def build(**options: object) -> None:
        with database.connect_directly() as connection:
            migration = MigrationContext.configure(connection, opts={"transaction_per_migration": True})
            with Operations.context(migration), migration.begin_transaction(_per_migration=True):
                build_index("ix_large_number", "large", ["number"], **options)

    def is_valid() -> bool:
        found = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_large_number'::regclass"
        with database.reading() as connection:
            return bool(connection.scalar(sa.text(found)))

    with pytest.raises(IntegrityError):
        build(unique=True)
    assert not is_valid()
    with database.engine.connect() as writer:
        writer.execute(sa.text("INSERT INTO large VALUES (5000)"))
        building = threading.Thread(target=build)
        building.start()
        with database.writing() as other:  # a plain index would hold this up until the first writer ends
            other.execute(sa.text("INSERT INTO large VALUES (5001)"))
        writer.commit()
    building.join()
    assert is_valid()
