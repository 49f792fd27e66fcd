"""A bulk insert into PostgreSQL fails as any other statement does."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from app.service.database.dialect import bulk_insert
from app.service.database.engine import Database, open_database
from app.service.database.faults import StoreFault, find_store_fault

ITEM = sa.Table("item", sa.MetaData(), sa.Column("name", sa.Text, primary_key=True))


@pytest.fixture
def database(postgres_database: str) -> Iterator[Database]:
    database = open_database(postgres_database)
    with database.writing() as connection:
        ITEM.create(connection)
    yield database
    with database.writing() as connection:
        ITEM.drop(connection)
    database.close()


def insert(connection: sa.Connection, *names: str) -> None:
    bulk_insert(connection, ITEM, ["name"], [(name,) for name in names])


def insert_without_session(database: Database) -> None:
    with database.writing() as connection, database.reading() as other:
        session = connection.scalar(sa.select(sa.func.pg_backend_pid()))
        other.execute(sa.select(sa.func.pg_terminate_backend(session, 10_000)))
        insert(connection, "a")


def test_a_lost_connection_is_a_store_that_is_away(database: Database) -> None:
    with pytest.raises(DBAPIError) as failure:
        insert_without_session(database)
    assert find_store_fault(failure.value) is StoreFault.AWAY
    with database.writing() as connection:
        insert(connection, "a")


def test_the_message_has_no_value_of_a_row(database: Database) -> None:
    with pytest.raises(DBAPIError, match="duplicate key") as failure, database.writing() as connection:
        insert(connection, "a secret", "a secret")
    assert "a secret" not in str(failure.value)
