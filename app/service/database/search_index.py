"""Find records by the words that they hold and by the beginning of their names.

The table `search_entry` has a row for each record that can be found. SQLite finds words with FTS5, PostgreSQL
with a `tsvector` under GIN, core features of both; the beginning of a name is found along an index of the
table. Each entry carries its kind and owner as a word (`place`), so that the index finds what an organisation
may see and no more, however many entries others have.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import TSQUERY

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.tables import search_entry
from app.service.database.visibility import CALLER, visible_to
from app.service.values.folding import fold_text

EntryKind = Literal["supplier", "product", "scope", "negotiation", "agreement", "document"]
CATALOG_KINDS: tuple[EntryKind, ...] = ("supplier", "product")
"""Kinds of which an organisation sees those of everybody beside its own."""

MAX_QUERY_WORDS = 12
MAX_NAME_LENGTH = 200
MAX_TEXT_LENGTH = 4_000
MAX_RANKED = 200
"""Entries that share all words, of which the best are chosen: the newest where they are an organisation's."""

EVERYBODY = "everybody"
_AFTER_ALL = "\U0010ffff"
"""Sorts after every text that begins alike."""

_WORDS = re.compile(r"[^\W_]+")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters that no decomposition takes apart, and what is typed for them; the triggers have the same."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """An organisation's own record as it is found: by `title`, `detail`, `words`, and `numbers`, with and
    without their dashes."""

    kind: EntryKind
    record_id: str
    organisation_id: str
    title: str
    created_at: datetime
    detail: str = ""
    words: Sequence[str] = ()
    numbers: Sequence[str] = ()
    negotiation_id: str | None = None


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """A record that a search found."""

    record_id: str
    title: str
    detail: str
    negotiation_id: str | None
    created_at: datetime | None
    name: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SearchText:
    """What is searched for: the text as names begin, and its words."""

    name: str
    words: Sequence[str]


def read_search_text(text: str) -> SearchText:
    """Fold a text as entries are folded. It has no words where it has no letter and no digit."""
    name = _fold(text)
    return SearchText(name, list(dict.fromkeys(_WORDS.findall(name)))[:MAX_QUERY_WORDS])


def index_records(connection: Connection, entries: Iterable[SearchEntry]) -> None:
    for entry in entries:
        name = _fold(entry.title)
        parts = [entry.title, entry.detail, *entry.words, *entry.numbers]
        # A number is also found in one piece: Q-2024-17 as q202417.
        parts += ["".join(_WORDS.findall(number)) for number in entry.numbers]
        values: dict[str, Any] = {
            "organisation_id": entry.organisation_id,
            "title": entry.title,
            "detail": entry.detail,
            "name": name[:MAX_NAME_LENGTH],
            "text": _fold(" ".join(dict.fromkeys(filter(None, parts))))[:MAX_TEXT_LENGTH],
            "negotiation_id": entry.negotiation_id,
            "created_at": entry.created_at,
        }
        same = (search_entry.c.record_id == entry.record_id, search_entry.c.kind == entry.kind)
        changed = connection.execute(search_entry.update().where(*same).values(values))
        if changed.rowcount == 0:
            connection.execute(
                search_entry.insert().values(kind=entry.kind, record_id=entry.record_id, **values)
            )


def find_entries(
    connection: Connection, organisation_id: str, kind: EntryKind, text: SearchText, limit: int
) -> list[FoundEntry]:
    """Return entries of that kind which the organisation may see: those whose names begin with the text, in
    the order of their names, then those that have all of its words, the newest or those whose own name has
    the words first. A word is found by its beginning; one of a single character only as it is."""
    if not text.words:
        return []
    dialect, viewer = dialect_of(connection), {CALLER.key: organisation_id}
    owners = (organisation_id, None) if kind in CATALOG_KINDS else (organisation_id,)
    places = [_place(kind, owner) for owner in owners]
    # The index of words takes its time for a common word, whether or not anything is in the place.
    places = [place for place in places if connection.scalar(_FIRST_PLACE, {"place": place}) == place]
    found: list[FoundEntry] = []
    for place in places:
        values = {"place": place, "low": text.name, "high": text.name + _AFTER_ALL, "most": limit}
        rows = connection.execute(_BEGINNING, values | viewer)
        found += [FoundEntry(*row) for row in rows]
    found.sort(key=lambda entry: (entry.name, entry.record_id))
    if len(found) >= limit or not places:
        return found[:limit]
    values = {"words": _match(dialect, text.words, places), "most": MAX_RANKED}
    by_age = kind not in CATALOG_KINDS
    rows = connection.execute(_having_words(dialect, by_age=by_age), values | viewer)
    known = {entry.record_id for entry in found}
    others = [FoundEntry(*row[: len(_SHOWN)]) for row in rows if row.record_id not in known]
    if not by_age:
        others.sort(key=lambda entry: (_count_missing(text.words, entry.name), entry.name, entry.record_id))
    return [*found, *others][:limit]


def _fold(text: str) -> str:
    return fold_text(text).translate(_LETTERS)


def _place(kind: EntryKind, organisation_id: str | None) -> str:
    return f"{kind}{(organisation_id or EVERYBODY).replace('-', '')}"


def _count_missing(words: Sequence[str], name: str) -> int:
    return sum(word not in name for word in words)


def _match(dialect: Dialect, words: Sequence[str], places: Sequence[str]) -> str:
    """Return the query for all words in one of the places. Words consist of letters and digits alone, so
    none of them can say anything else to the store."""
    if dialect is Dialect.SQLITE:
        wanted = " AND ".join(f'"{word}"{"*" if len(word) > 1 else ""}' for word in words)
        return f"text : ({wanted}) AND place : ({' OR '.join(places)})"
    wanted = " & ".join(f"'{word}'{':*' if len(word) > 1 else ''}" for word in words)
    return f"{wanted} & ({' | '.join(repr('=' + place) for place in places)})"


_SHOWN = (
    search_entry.c.record_id,
    search_entry.c.title,
    search_entry.c.detail,
    search_entry.c.negotiation_id,
    search_entry.c.created_at,
    search_entry.c.name,
)
_MAY_SEE = visible_to(search_entry.c, CALLER)
_BEGINNING = (
    sa.select(*_SHOWN)
    .where(
        search_entry.c.place == sa.bindparam("place"),
        search_entry.c.name >= sa.bindparam("low"),
        search_entry.c.name < sa.bindparam("high"),
        _MAY_SEE,
    )
    .order_by(search_entry.c.name, search_entry.c.record_id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)


# In the order of an index, of which PostgreSQL then reads one entry: for EXISTS it may read the whole table.
_FIRST_PLACE = (
    sa.select(search_entry.c.place)
    .where(search_entry.c.place >= sa.bindparam("place"))
    .order_by(search_entry.c.place, search_entry.c.name, search_entry.c.record_id)
    .limit(1)
)


@cache
def _having_words(dialect: Dialect, *, by_age: bool) -> sa.Select[*tuple[Any, ...]]:
    """Select entries by the index of words: the newest first, or any of them."""
    words = sa.bindparam("words", type_=sa.Text)
    most: sa.BindParameter[int] = sa.bindparam("most", type_=sa.Integer)
    if dialect is Dialect.SQLITE:
        index = sa.table("search_words", sa.column("rowid", sa.Integer))
        return (
            sa.select(*_SHOWN)
            .select_from(index.join(search_entry, search_entry.c.id == index.c.rowid))
            .where(sa.literal_column("search_words").op("MATCH")(words), _MAY_SEE)
            .order_by(index.c.rowid.desc())
            .limit(most)
        )
    vector: sa.ColumnClause[Any] = sa.literal_column("search_entry.words")
    matching = sa.select(*_SHOWN, search_entry.c.id.label("age")).where(
        vector.op("@@")(sa.cast(words, TSQUERY)), _MAY_SEE
    )
    if not by_age:
        return matching.limit(most)
    # First what matches, by the index of words, then its order: the planner would rather read all entries
    # from the newest on until enough of them match.
    matches = matching.cte("matching").prefix_with("MATERIALIZED")
    return (
        sa.select(*(matches.c[column.name] for column in _SHOWN)).order_by(matches.c.age.desc()).limit(most)
    )
