"""Connections to PostgreSQL that wait in the pool are used again while the server holds them."""

import select
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from app.service.database.engine import Database, open_database

SESSION_ID = sa.text("SELECT pg_backend_pid()")
READABLE_SECONDS = 10


@pytest.fixture
def database(postgres_database: str) -> Iterator[Database]:
    database = open_database(postgres_database)
    yield database
    database.close()


def execute_elsewhere(url: str, statement: str) -> None:
    """Execute a statement on a connection that is in no pool of the test."""
    other = open_database(url)
    with other.writing() as connection:
        connection.execute(sa.text(statement))
    other.close()


def test_a_connection_that_the_server_has_ended_is_not_used_again(
    database: Database, postgres_database: str
) -> None:
    with database.reading() as first, database.reading() as second:
        sessions = {first.scalar(SESSION_ID), second.scalar(SESSION_ID)}
    for session in sessions:
        execute_elsewhere(postgres_database, f"SELECT pg_terminate_backend({session}, 10000)")
    with database.writing() as first, database.reading() as second:
        assert not sessions & {first.scalar(SESSION_ID), second.scalar(SESSION_ID)}


def test_a_connection_with_a_message_from_the_server_is_used_again(
    database: Database, postgres_database: str
) -> None:
    with database.writing() as connection:
        session = connection.scalar(SESSION_ID)
        connection.execute(sa.text("LISTEN news"))
        socket = connection.connection.cursor().connection.fileno()
    execute_elsewhere(postgres_database, "NOTIFY news")
    assert select.select([socket], [], [], READABLE_SECONDS)[0]
    with database.reading() as connection:
        assert connection.scalar(SESSION_ID) == session
