"""What differs between the two stores, SQLite and PostgreSQL. Only this folder knows which of them is
used."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.service.database.engine import Database
from app.service.database.postgresql import keep_first_line

IMPORT_LOCK = 0x696D706F7274
CHAIN_LOCK = 0x636861696E
ANALYSED_ENTRIES = 1_000
"""Entries of each index that SQLite reads for its statistics. All of a million purchases take 1.5 s of the
processor, while nobody else can write."""


WORK_CHANNEL = "parley_work"
"""Of PostgreSQL. SQLite needs none: workers see that the file changed (`PRAGMA data_version`)."""


class Dialect(StrEnum):
    """A store, by SQLAlchemy's name for it."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


def dialect_of(connection: Connection) -> Dialect:
    return Dialect(connection.dialect.name)


def has_lateral(connection: Connection) -> bool:
    """Return whether a subquery may use the columns of the subqueries before it (LATERAL)."""
    return dialect_of(connection) is Dialect.POSTGRESQL


def bulk_insert(
    connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[tuple[object, ...]]
) -> None:
    """Insert many rows, with COPY into PostgreSQL and with one prepared statement into SQLite. Values are not
    converted by their columns' types: dates are given as ISO texts, and JSON as text. A column without any
    value is left out, which spares binding it for every row. Raises DBAPIError."""
    filled = [
        (name, values)
        for name, values in zip(columns, zip(*rows, strict=True), strict=True)
        if values.count(None) < len(values)
    ]
    names = [name for name, _ in filled]
    cells = zip(*(values for _, values in filled), strict=True)
    if dialect_of(connection) is Dialect.SQLITE:
        places = ", ".join("?" * len(names))
        connection.exec_driver_sql(
            f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})", list(cells)
        )
        return
    driver = cast(psycopg.Connection[Any], connection.connection.driver_connection)
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, names))
    )
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in cells:
                copy.write_row(row)
    except psycopg.Error as error:
        # SQLAlchemy knows nothing of this statement: it fails as all others do.
        keep_first_line(error)
        raise DBAPIError(
            f"COPY {table.name}", None, error, hide_parameters=True, connection_invalidated=driver.closed
        ) from error


def upsert(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], *, keep: Collection[str] = ()
) -> None:
    """Insert rows, and update those whose primary key exists. All rows have the same columns; those to `keep`
    are not updated."""
    keys = _primary_key(table)
    adding = _insert(connection, table)
    changed = {name: adding.excluded[name] for name in rows[0] if name not in keys and name not in keep}
    connection.execute(adding.on_conflict_do_update(index_elements=keys, set_=changed), list(rows))


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, except those whose primary key exists."""
    adding = _insert(connection, table).on_conflict_do_nothing(index_elements=_primary_key(table))
    connection.execute(adding, list(rows))


def insert_once(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its primary key exists, and return whether it was inserted: of several who try at
    once, one."""
    keys = _primary_key(table)
    adding = _insert(connection, table).values(row).on_conflict_do_nothing(index_elements=keys)
    return connection.execute(adding.returning(table.c[keys[0]])).first() is not None


def add_to_count(
    connection: Connection, table: Table, key: Mapping[str, object], counted: sa.Column[int], number: int
) -> int:
    """Add a number to the count in the row of a primary key, which is inserted where it is missing. Return
    the sum."""
    adding = _insert(connection, table).values({**key, counted.name: number})
    added = adding.on_conflict_do_update(
        index_elements=_primary_key(table), set_={counted.name: counted + number}
    )
    return connection.execute(added.returning(counted)).scalar_one()


def _insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    insert = sqlite.insert if dialect_of(connection) is Dialect.SQLITE else postgresql.insert
    return insert(table)


def _primary_key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key]


def listed_values(dialect: Dialect, values: sa.BindParameter[Any]) -> sa.Select[str]:
    """Select the values of a list that is one parameter (`list_parameter`)."""
    opened = sa.func.json_each if dialect is Dialect.SQLITE else sa.func.json_array_elements_text
    return sa.select(opened(values).table_valued("value", name="listed").c.value)


def as_one_text(connection: Connection, *columns: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Return values as the text of one JSON array: a driver takes as long for each value as for many in
    one."""
    build = sa.func.json_array if dialect_of(connection) is Dialect.SQLITE else sa.func.json_build_array
    return sa.cast(build(*columns), sa.Text)


def list_parameter(name: str) -> sa.BindParameter[Any]:
    """Return a parameter whose value is a list of texts or numbers."""
    return sa.bindparam(name, type_=sa.JSON)


def existing_values(
    connection: Connection, column: sa.ColumnElement[str], values: Sequence[str]
) -> list[str]:
    """Return those of the values that are in the column."""
    query = sa.select(column).where(
        column.in_(listed_values(dialect_of(connection), list_parameter("values")))
    )
    return list(connection.scalars(query, {"values": list(values)}))


Columns = ReadOnlyColumnCollection[str, Any]


def latest_of_each(
    dialect: Dialect,
    table: Table,
    owner: str,
    wanted: sa.Subquery,
    order: str,
    visible: Callable[[Columns], sa.ColumnElement[bool]],
    *,
    most: int,
    columns: Sequence[str] | None = None,
) -> tuple[sa.FromClause, Columns]:
    """Return what to select from to get the last visible rows of each owner, at most `most` of each, and the
    columns of these rows: those named, or all. The owners are the first column of `wanted`. The rows are read
    from the end of an index, so it does not matter how many an owner has."""
    value = sa.cast(next(iter(wanted.c)), table.c[owner].type)
    rows = table.alias("row_of")
    taken: Sequence[sa.ColumnElement[Any]] = [rows.c[name] for name in columns or rows.c.keys()]
    if dialect is Dialect.SQLITE:
        taken = (sa.literal_column("row_of.rowid"),)
    last = (
        sa.select(*taken)
        .where(rows.c[owner] == value, visible(rows.c))
        .order_by(rows.c[order].desc())
        .limit(most)
        .correlate(wanted)
    )
    if dialect is Dialect.SQLITE:
        return wanted.join(table, sa.literal_column(f"{table.name}.rowid").in_(last)), table.c
    own = last.lateral(table.name)
    return wanted.join(own, sa.true()), own.c


def newest_of_each(
    dialect: Dialect,
    table: Table,
    owners: sa.Subquery,
    wanted: Callable[[sa.FromClause], sa.ColumnElement[bool]],
) -> tuple[sa.FromClause, Columns]:
    """Return what to select from to get the row with the greatest id of each owner, and the columns of these
    rows. `wanted` selects the rows of an owner from the table or an alias of it."""
    row_of = table.alias("row_of")
    if dialect is Dialect.SQLITE:
        greatest = sa.select(sa.func.max(row_of.c.id)).where(wanted(row_of)).correlate(owners)
        return owners.join(table, table.c.id == greatest.scalar_subquery()), table.c
    # For a comparison with the greatest id the planner may read the whole table.
    last = sa.select(row_of).where(wanted(row_of)).order_by(row_of.c.id.desc()).limit(1).correlate(owners)
    own = last.lateral(table.name)
    return owners.join(own, sa.true()), own.c


def lock_imports(connection: Connection) -> None:
    """Lock out other imports until the transaction ends. In SQLite any writing transaction is that lock."""
    if dialect_of(connection) is Dialect.POSTGRESQL:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": IMPORT_LOCK})


def lock_chain(connection: Connection) -> None:
    """Lock out others who give entries of the audit log their numbers until the transaction ends."""
    if dialect_of(connection) is Dialect.POSTGRESQL:
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": CHAIN_LOCK})


def refresh_statistics(database: Database) -> None:
    """Refresh the planner's statistics after many new rows. PostgreSQL also marks their pages as visible to
    all transactions, which index-only scans need."""
    if database.is_sqlite:
        with database.writing() as connection:
            connection.exec_driver_sql(f"PRAGMA analysis_limit = {ANALYSED_ENTRIES}")
            connection.exec_driver_sql("ANALYZE")
        return
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(
            "VACUUM (ANALYZE) purchase, article, product, company, company_gram, search_entry"
        )


def format_instant(connection: Connection) -> Callable[[datetime], str]:
    """Return the function that formats a moment as the store writes it."""
    return _format_sqlite_instant if dialect_of(connection) is Dialect.SQLITE else datetime.isoformat


def _format_sqlite_instant(instant: datetime) -> str:
    """Format as the column type does: in UTC, without a zone, with microseconds."""
    return instant.astimezone(UTC).isoformat(" ", "microseconds")[: len("2026-11-20 12:00:00.000000")]


def notify_workers(connection: Connection) -> None:
    """Tell the workers that there is work, once the caller's transaction commits. A lost hint costs a second,
    no more."""
    if dialect_of(connection) is Dialect.POSTGRESQL:
        connection.execute(sa.text("SELECT pg_notify(:channel, '')"), {"channel": WORK_CHANNEL})
