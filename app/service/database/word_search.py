"""The word index over the texts of articles: SQLite searches with FTS5, PostgreSQL with a `tsvector` under
GIN, core features of both."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.engine import memory_of
from app.service.database.tables import article, common_word
from app.service.database.visibility import CALLER, visible_to

MAX_QUERY_WORDS = 24
"""Words of a search; the rest of a long text adds time and few articles."""

MAX_RANKED = 4_000
"""Articles that are ranked. A word in more of them tells little about a product, and takes most of the time:
ranking 50,000 articles takes 300 ms."""

MAX_AGE_SECONDS = 5.0
"""Seconds after which a process looks whether other words have become common."""

_WORDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")


class WordQuery(NamedTuple):
    """Words in the language of a store, as the parameter `words` of a search takes them, whether few enough
    articles have them to be ranked, and whether there is no other query to try after it."""

    words: str
    ranked: bool = True
    last: bool = True


def search_articles(
    connection: Connection, text: str, limit: int = 200, *, organisation_id: str | None = None
) -> Sequence[int]:
    """Ids of the articles that the organisation may see and that share words with `text`, the best first."""
    return find_articles(connection, text, limit, _KNOWN, {"organisation": organisation_id})


def find_articles(
    connection: Connection,
    text: str,
    limit: int,
    wanted: sa.ColumnElement[bool],
    parameters: Mapping[str, object],
) -> Sequence[int]:
    """Ids of the articles that meet the condition `wanted` on the table `article`, with these parameters,
    and that have any of those words of the text which few articles have, the best first. Where no article has
    one of these: all of the common words, else the rarest of them."""
    dialect = dialect_of(connection)
    for query in _list_queries(connection, text):
        found = _articles_with_words(dialect, limit, wanted, ranked=query.ranked)
        ids = connection.scalars(found, {**parameters, "words": query.words}).all()
        # Whether others have the words is asked only where none of the wanted articles has them.
        if ids or query.last or _matches(connection, query):
            return ids
    return []


def _list_queries(connection: Connection, text: str) -> Sequence[WordQuery]:
    """Return the queries for words of the text, each for when no article has the words of those before it."""
    dialect = dialect_of(connection)
    words = list(dict.fromkeys(_WORDS.findall(text.lower())))[:MAX_QUERY_WORDS]
    if not words:
        return ()
    places = _load_common_words(connection)
    common = sorted((word for word in words if word in places), key=places.__getitem__)
    rare = [word for word in words if word not in places]
    queries: list[WordQuery] = []
    if rare:
        queries.append(WordQuery(_join_words(dialect, "any", rare), last=not common))
    if common:
        every = _join_words(dialect, "all", common)
        queries.append(WordQuery(every, ranked=False, last=len(common) == 1))
    if len(common) > 1:
        queries.append(WordQuery(_join_words(dialect, "all", common[:1]), ranked=False, last=True))
    return queries


@dataclass
class CommonWords:
    """The words that are in many articles, as a process last read them: the place of each, the rarest first,
    and when by the monotonic clock (None before)."""

    places: Mapping[str, int] = field(default_factory=dict[str, int])
    read_at: float | None = None


def _load_common_words(connection: Connection) -> Mapping[str, int]:
    """Asking for the words of each text would be one more round trip for each product of an estimate."""
    known = memory_of(connection).get(CommonWords)
    if known.read_at is None or monotonic() - known.read_at > MAX_AGE_SECONDS:
        known.places = {word: place for place, word in enumerate(connection.scalars(_COMMON_WORDS))}
        known.read_at = monotonic()
    return known.places


_COMMON_WORDS = sa.select(common_word.c.word).order_by(common_word.c.articles)


def _join_words(dialect: Dialect, which: Literal["any", "all"], words: Sequence[str]) -> str:
    """Words consist of letters, digits and points alone, so none can say anything else to the store."""
    if dialect is Dialect.SQLITE:
        return (" OR " if which == "any" else " AND ").join(f'"{word}"' for word in words) or '""'
    return (" | " if which == "any" else " & ").join(f"'{word}'" for word in words)


def _matches(connection: Connection, query: WordQuery) -> bool:
    """Return whether any article has the words."""
    # In any order: for the newest PostgreSQL would look through all articles, where few have the words.
    found = _with_words(dialect_of(connection)).limit(1)
    return connection.execute(found, {"words": query.words}).first() is not None


def count_common_words(connection: Connection) -> None:
    """Note the words that are in many articles, after many new ones: in SQLite from the index, in PostgreSQL
    from the statistics of its planner, which name the commonest."""
    memory_of(connection).forget(CommonWords)
    connection.execute(common_word.delete())
    for statement in _COUNT_COMMON[dialect_of(connection)]:
        connection.exec_driver_sql(statement)


_COUNT_COMMON: Mapping[Dialect, Sequence[str]] = {
    Dialect.SQLITE: (
        "CREATE VIRTUAL TABLE temp.article_vocabulary USING fts5vocab(main, article_words, row)",
        "INSERT INTO common_word (word, articles) SELECT term, doc FROM temp.article_vocabulary"
        f" WHERE doc > {MAX_RANKED}",
        "DROP TABLE temp.article_vocabulary",
    ),
    Dialect.POSTGRESQL: (
        "INSERT INTO common_word (word, articles) SELECT word, share * pg_class.reltuples"
        " FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace"
        " JOIN pg_stats ON schemaname = pg_namespace.nspname AND tablename = pg_class.relname,"
        " unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common(word, share)"
        " WHERE pg_class.oid = 'article'::regclass AND attname = 'words'"
        f" AND word IS NOT NULL AND share * pg_class.reltuples > {MAX_RANKED}",
    ),
}


@cache
def _articles_with_words(
    dialect: Dialect, limit: int, wanted: sa.ColumnElement[bool], *, ranked: bool
) -> sa.Select[int]:
    """Ids of the articles that share words with the parameter `words` (`WordQuery`) and meet the condition
    `wanted` on the table `article`, the best first, or the newest where they are not ranked."""
    found = _with_words(dialect).where(wanted)
    match dialect, ranked:
        case Dialect.SQLITE, True:
            order: Sequence[sa.ColumnElement[Any]] = (sa.literal_column("rank"),)
        case Dialect.SQLITE, False:
            order = (_SQLITE_INDEX.c.rowid.desc(),)
        case _, True:
            order = (sa.func.ts_rank(_VECTOR, _POSTGRESQL_QUERY, 1).desc(), article.c.id)
        case _:
            order = (article.c.id.desc(),)
    return found.order_by(*order).limit(limit)


@cache
def _with_words(dialect: Dialect) -> sa.Select[int]:
    """Ids of the articles that share words with the parameter `words`, in any order."""
    if dialect is Dialect.SQLITE:
        return (
            sa.select(_SQLITE_INDEX.c.rowid)
            .select_from(_SQLITE_INDEX.join(article, article.c.id == _SQLITE_INDEX.c.rowid))
            .where(sa.literal_column("article_words").op("MATCH")(_QUERY_WORDS))
        )
    return sa.select(article.c.id).where(_VECTOR.op("@@")(_POSTGRESQL_QUERY))


_QUERY_WORDS = sa.bindparam("words", type_=sa.Text)
_SQLITE_INDEX = sa.table("article_words", sa.column("rowid", sa.Integer))
_VECTOR: sa.ColumnClause[Any] = sa.literal_column("article.words")
_POSTGRESQL_QUERY = sa.func.to_tsquery("simple", _QUERY_WORDS)
_KNOWN = visible_to(article.c, CALLER)
