"""The only file that knows which store it is: word search over articles, and locks for imports.

SQLite searches with FTS5, PostgreSQL with a `tsvector` under GIN: core features of both.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.service.database.engine import Database
from app.service.database.tables.purchases import article
from app.service.database.visibility import CALLER, visible_to

IMPORT_LOCK = 0x696D706F7274
LONGEST_QUERY = 24
"""Words of a search; the rest of a long text adds time and few articles."""

_WORDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")

_SQLITE = (
    # Words, not trigrams: a product text shares nearly all its trigrams with half the catalog.
    "CREATE VIRTUAL TABLE article_words USING fts5(text, content='article', content_rowid='id',"
    " tokenize='unicode61 remove_diacritics 2')",
    "CREATE TRIGGER article_words_added AFTER INSERT ON article BEGIN"
    " INSERT INTO article_words(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER article_words_removed AFTER DELETE ON article BEGIN"
    " INSERT INTO article_words(article_words, rowid, text) VALUES ('delete', old.id, old.text); END",
)
_POSTGRESQL = (
    "ALTER TABLE article ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED",
    "CREATE INDEX ix_article_words ON article USING gin (words)",
)


def word_search(dialect: str) -> Sequence[str]:
    """What makes the word index of the table of articles, once the table is there."""
    return _SQLITE if dialect == "sqlite" else _POSTGRESQL


def search_articles(
    connection: Connection, text: str, limit: int = 200, *, organisation_id: str | None = None
) -> Sequence[int]:
    """Ids of the articles that everybody or the organisation may know and that share words with `text`, the
    best first."""
    dialect = connection.dialect.name
    found = articles_with_words(dialect, limit, _KNOWN)
    return connection.scalars(
        found, {"words": any_of_words(dialect, text), "organisation": organisation_id}
    ).all()


def any_of_words(dialect: str, text: str) -> str:
    """What `articles_with_words` looks for: any word of the text."""
    words = list(dict.fromkeys(_WORDS.findall(text.lower())))[:LONGEST_QUERY]
    if dialect == "sqlite":
        return " OR ".join(f'"{word}"' for word in words) or '""'
    return " | ".join(f"'{word}'" for word in words)


@cache
def articles_with_words(
    dialect: str, limit: int, wanted: sa.ColumnElement[bool] | None = None
) -> sa.Select[int, str]:
    """Id and text of the articles that share words with the parameter `words` (`any_of_words`), the best
    first; of those that meet the condition `wanted` on the table `article`, where one is given."""
    words = sa.bindparam("words", type_=sa.Text)
    conditions = [] if wanted is None else [wanted]
    if dialect == "sqlite":
        index = sa.table("article_words", sa.column("rowid", sa.Integer), sa.column("text", sa.Text))
        found = (
            sa.select(index.c.rowid.label("id"), index.c.text)
            .select_from(index.join(article, article.c.id == index.c.rowid))
            .where(sa.literal_column("article_words").op("MATCH")(words), *conditions)
        )
        return found.order_by(sa.literal_column("rank")).limit(limit)
    query = sa.func.to_tsquery("simple", words)
    vector: sa.ColumnClause[Any] = sa.literal_column("article.words")
    rank = sa.func.ts_rank(vector, query, 1)
    found = sa.select(article.c.id, article.c.text).where(vector.op("@@")(query), *conditions)
    return found.order_by(rank.desc(), article.c.id).limit(limit)


_KNOWN = visible_to(article.c, CALLER)


def append(
    connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[tuple[object, ...]]
) -> None:
    """Adds many rows at once, past the statement's own handling of types: dates are ISO texts, JSON is text.
    PostgreSQL copies, SQLite runs one prepared statement."""
    names = ", ".join(columns)
    if connection.dialect.name == "sqlite":
        places = ", ".join("?" * len(columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({places})", list(rows))
        return
    driver = cast(psycopg.Connection[Any], connection.connection.driver_connection)
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with driver.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Adds rows, or changes those that are there: of each primary key the columns that are given, the same in
    every row."""
    keys = [column.name for column in table.primary_key]
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    adding = insert(table)
    given = {name: adding.excluded[name] for name in rows[0] if name not in keys}
    connection.execute(adding.on_conflict_do_update(index_elements=keys, set_=given), list(rows))


def each(dialect: str, values: sa.BindParameter[Any]) -> sa.Select[str]:
    """The values of a list that is a single parameter (`list_parameter`)."""
    opened = sa.func.json_each if dialect == "sqlite" else sa.func.json_array_elements_text
    return sa.select(opened(values).table_valued("value", name="listed").c.value)


def list_parameter(name: str) -> sa.BindParameter[Any]:
    """A parameter that is a list of texts or numbers."""
    return sa.bindparam(name, type_=sa.JSON)


def present(connection: Connection, column: sa.Column[str], values: Sequence[str]) -> list[str]:
    """Those of the values that the column has."""
    query = sa.select(column).where(column.in_(each(connection.dialect.name, list_parameter("values"))))
    return list(connection.scalars(query, {"values": list(values)}))


Columns = ReadOnlyColumnCollection[str, Any]


def latest_of_each(
    dialect: str,
    table: Table,
    owner: str,
    wanted: sa.Subquery,
    order: str,
    visible: Callable[[Columns], sa.ColumnElement[bool]],
    *,
    most: int,
) -> tuple[sa.FromClause, Columns]:
    """The last visible rows of each owner (the first column of `wanted`), at most so many: what to select
    from, and the rows' columns. They are read from the end of an index, so that it does not matter how many
    rows an owner has."""
    value = sa.cast(next(iter(wanted.c)), table.c[owner].type)
    rows = table.alias("row_of")
    last = (
        sa.select(sa.literal_column("row_of.rowid") if dialect == "sqlite" else rows)
        .where(rows.c[owner] == value, visible(rows.c))
        .order_by(rows.c[order].desc())
        .limit(most)
        .correlate(wanted)
    )
    if dialect == "sqlite":
        return wanted.join(table, sa.literal_column(f"{table.name}.rowid").in_(last)), table.c
    own = last.lateral(table.name)
    return wanted.join(own, sa.true()), own.c


def lock_imports(connection: Connection) -> None:
    """One import at a time writes, until the transaction ends. SQLite's writing transaction is that lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": IMPORT_LOCK})


def refresh_statistics(database: Database) -> None:
    """Tells the planner about many new rows. PostgreSQL also marks their pages as seen by all, so that what
    an index answers is read from the index alone."""
    if database.is_sqlite:
        with database.writing() as connection:
            connection.exec_driver_sql("ANALYZE")
        return
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM (ANALYZE) purchase, article, product")
