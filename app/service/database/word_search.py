"""The word index over the texts of articles: SQLite searches with FTS5, PostgreSQL with a `tsvector` under
GIN, core features of both."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.tables.purchases import article
from app.service.database.visibility import CALLER, visible_to

MAX_QUERY_WORDS = 24
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


def word_index_statements(dialect: Dialect) -> Sequence[str]:
    """The statements that make the word index, once the table of articles exists."""
    return _SQLITE if dialect is Dialect.SQLITE else _POSTGRESQL


def search_articles(
    connection: Connection, text: str, limit: int = 200, *, organisation_id: str | None = None
) -> Sequence[int]:
    """Ids of the articles that the organisation may see and that share words with `text`, the best first."""
    dialect = dialect_of(connection)
    found = articles_with_words(dialect, limit, _KNOWN)
    return connection.scalars(
        found, {"words": any_of_words(dialect, text), "organisation": organisation_id}
    ).all()


def any_of_words(dialect: Dialect, text: str) -> str:
    """The query for any word of the text, as the parameter `words` of `articles_with_words` takes it."""
    words = list(dict.fromkeys(_WORDS.findall(text.lower())))[:MAX_QUERY_WORDS]
    if dialect is Dialect.SQLITE:
        return " OR ".join(f'"{word}"' for word in words) or '""'
    return " | ".join(f"'{word}'" for word in words)


@cache
def articles_with_words(
    dialect: Dialect, limit: int, wanted: sa.ColumnElement[bool] | None = None
) -> sa.Select[int, str]:
    """Id and text of the articles that share words with the parameter `words` (`any_of_words`), the best
    first; of those that meet the condition `wanted` on the table `article`, where one is given."""
    words = sa.bindparam("words", type_=sa.Text)
    conditions = [] if wanted is None else [wanted]
    if dialect is Dialect.SQLITE:
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
