"""The tables of 0.3.0, their indexes of words and the triggers that keep what is derived from their rows.

The first revision makes them, and `former_versions` for a database that is older. What changes after 0.3.0 is
changed by later revisions; the first of those puts a copy of `tables.sql` here, which then stays as it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from sqlalchemy import Connection

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.tables import read_statements

_WORDS: Mapping[Dialect, Mapping[str, str]] = {
    Dialect.SQLITE: {
        "COUNTER": "INTEGER",
        "INSTANT": "DATETIME",
        "JSONB": "JSON",
        "BYTES": "BLOB",
        "ORDERED": "TEXT",
        "PURCHASE": "VARCHAR(36)",
        "TRUE": "1",
        "FALSE": "0",
    },
    Dialect.POSTGRESQL: {
        "COUNTER": "SERIAL",
        "INSTANT": "TIMESTAMP WITH TIME ZONE",
        "BYTES": "BYTEA",
        "DOUBLE": "DOUBLE PRECISION",
        "ORDERED": 'TEXT COLLATE "C"',
        "PURCHASE": "VARCHAR(36)",
        " WITHOUT ROWID": "",
    },
}
"""What stands for the words of `tables.sql` that the stores do not share."""

_NO_WORD = "[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u2bff\\u3000-\\u303f]+"
"""What separates words, by code points: the classes of PostgreSQL follow the language of its machine."""

_WORD_INDEXES: Mapping[Dialect, Sequence[str]] = {
    Dialect.SQLITE: (
        # Words, not trigrams: a product text shares nearly all its trigrams with half the catalog.
        "CREATE VIRTUAL TABLE article_words USING fts5(text, content='article', content_rowid='id',"
        " tokenize='unicode61 remove_diacritics 2')",
        "CREATE TRIGGER article_words_added AFTER INSERT ON article BEGIN"
        " INSERT INTO article_words(rowid, text) VALUES (new.id, new.text); END",
        "CREATE TRIGGER article_words_removed AFTER DELETE ON article BEGIN"
        " INSERT INTO article_words(article_words, rowid, text) VALUES ('delete', old.id, old.text); END",
        "CREATE VIRTUAL TABLE search_words USING fts5(text, place, content='search_entry',"
        " content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4')",
        "CREATE TRIGGER search_entry_added AFTER INSERT ON search_entry BEGIN"
        " INSERT INTO search_words(rowid, text, place) VALUES (NEW.id, NEW.text, NEW.place); END",
        "CREATE TRIGGER search_entry_removed AFTER DELETE ON search_entry BEGIN"
        " INSERT INTO search_words(search_words, rowid, text, place)"
        " VALUES ('delete', OLD.id, OLD.text, OLD.place); END",
        "CREATE TRIGGER search_entry_changed AFTER UPDATE ON search_entry"
        " WHEN OLD.text <> NEW.text OR OLD.place <> NEW.place BEGIN"
        " INSERT INTO search_words(search_words, rowid, text, place)"
        " VALUES ('delete', OLD.id, OLD.text, OLD.place);"
        " INSERT INTO search_words(rowid, text, place) VALUES (NEW.id, NEW.text, NEW.place); END",
    ),
    Dialect.POSTGRESQL: (
        "ALTER TABLE article ADD COLUMN words tsvector"
        " GENERATED ALWAYS AS (to_tsvector('simple', text)) STORED",
        "CREATE INDEX ix_article_words ON article USING gin (words)",
        # No parser of the store: it takes `-00123` for a number and leaves some marks in words. A place
        # starts with a character that no word has.
        "ALTER TABLE search_entry ADD COLUMN words tsvector GENERATED ALWAYS AS (array_to_tsvector("
        "array_remove(string_to_array(regexp_replace(text, '" + _NO_WORD + "', ' ', 'g'), ' '), '')"
        " || ARRAY['=' || kind || replace(coalesce(organisation_id, 'everybody'), '-', '')])) STORED",
        # Without a list of new rows, which every search would read from its beginning until it is merged.
        "CREATE INDEX ix_search_entry_words ON search_entry USING gin (words) WITH (fastupdate = off)",
    ),
}

LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
"""Letters that no decomposition takes apart, and what is typed for them."""

LONGEST_KEY = 120
"""Characters of the longest `company.name_key`."""

KEPT_TABLES = ("audit_entry", "audit_link")
UNCHANGING = "the audit log is never changed"


def create_first_tables(connection: Connection) -> None:
    dialect = dialect_of(connection)
    words = _WORDS[dialect]
    word = re.compile("|".join(rf"(?<!\w){one}\b" for one in words))
    tables = [word.sub(lambda found: words[found[0]], statement) for statement in read_statements()]
    triggers = _sqlite_triggers if dialect is Dialect.SQLITE else _postgresql_triggers
    for statement in (*tables, *_WORD_INDEXES[dialect], *triggers()):
        connection.exec_driver_sql(statement)


# --- what is found by words ---


def _plain(column: str) -> str:
    for letter, typed in LETTERS.items():
        column = f"replace({column}, '{letter}', '{typed}')"
    return column


_SELLER = "(SELECT company.{} FROM company WHERE company.id = NEW.company_id)"
_FOUND: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "company": (
        "supplier",
        {
            "organisation_id": "NEW.organisation_id",
            "title": "NEW.name",
            "detail": "NEW.domain",
            "name": _plain("NEW.sort_name"),
            "text": _plain("NEW.sort_name || ' ' || NEW.domain"),
        },
    ),
    "product": (
        "product",
        {
            "organisation_id": "NEW.organisation_id",
            "title": "NEW.name",
            "detail": _SELLER.format("name"),
            "name": _plain("NEW.sort_name"),
            "text": _plain(
                "NEW.sort_name || ' ' || coalesce(lower(NEW.item_id), '')"
                f" || ' ' || coalesce(NEW.item_key, '') || ' ' || {_SELLER.format('sort_name')}"
            ),
        },
    ),
    "agreement": (
        "agreement",
        {
            "organisation_id": "NEW.organisation_id",
            "title": "NEW.name",
            "detail": "coalesce(NEW.supplier_name, '')",
            "name": f"substr({_plain('NEW.search_text')}, 1, 200)",  # it begins with the name
            "text": _plain("NEW.search_text"),
            "created_at": "NEW.created_at",
        },
    ),
}
"""The tables whose rows are found by words, with the kind and the values of their entries."""

_RENAMING = {
    "company": "name, sort_name, domain, organisation_id",
    "product": "name, sort_name, item_id, company_id, organisation_id",
    "agreement": "name, search_text, supplier_name",
}
_REMOVED = {
    "company": "supplier",
    "product": "product",
    "agreement": "agreement",
    "scope": "scope",
    "scope_document": "document",
    "negotiation": "negotiation",
    "negotiation_attachment": "document",
}
"""The tables whose rows leave an entry of that kind when they are deleted."""

_OLD_NAME, _NEW_NAME = (_plain(f"' ' || {row}.sort_name") for row in ("OLD", "NEW"))
_RENAMED_SELLER = (
    # The seller's name stands at the end of the words of its products.
    "UPDATE search_entry SET detail = NEW.name,"
    f" text = substr(text, 1, length(text) - length({_OLD_NAME})) || {_NEW_NAME}"
    " WHERE kind = 'product' AND record_id IN (SELECT product.id FROM product WHERE company_id = NEW.id)"
)

_Trigger = tuple[str, str, str, Sequence[str]]
"""Name, event, table and statements of a trigger that runs after each row: the same on both stores."""


def _search_triggers() -> Iterator[_Trigger]:
    for table, (kind, values) in _FOUND.items():
        columns, chosen = ", ".join(values), ", ".join(values.values())
        adding = f"INSERT INTO search_entry (kind, record_id, {columns}) VALUES ('{kind}', NEW.id, {chosen})"
        changes = ", ".join(f"{column} = {value}" for column, value in values.items())
        changing = f"UPDATE search_entry SET {changes} WHERE kind = '{kind}' AND record_id = NEW.id"
        others = [_RENAMED_SELLER] if table == "company" else []
        yield f"search_{table}_added", "INSERT", table, [adding]
        yield f"search_{table}_renamed", f"UPDATE OF {_RENAMING[table]}", table, [changing, *others]
    for table, kind in _REMOVED.items():
        key = "scope_id" if table == "scope_document" else "id"
        removing = f"DELETE FROM search_entry WHERE kind = '{kind}' AND record_id = OLD.{key}"
        yield f"search_{table}_removed", "DELETE", table, [removing]


# --- the parts of suppliers' names ---


def _gram_triggers(places: str) -> Iterator[_Trigger]:
    """`places` is a table of numbers from 1 to that of the characters of the longest key."""
    added, removed = (
        f"SELECT DISTINCT substr(' ' || {row}.name_key || ' ', place.value, 3) AS gram,"
        f" {row}.id AS company_id FROM {places} WHERE place.value <= length({row}.name_key)"
        for row in ("NEW", "OLD")
    )
    adding = f"INSERT INTO company_gram (gram, company_id) {added}"
    removing = (
        "DELETE FROM company_gram WHERE company_id = OLD.id"
        f" AND gram IN (SELECT gram FROM ({removed}) AS old_gram)"
    )
    yield "company_gram_added", "INSERT", "company", [adding]
    yield "company_gram_renamed", "UPDATE OF name_key", "company", [removing, adding]
    yield "company_gram_removed", "DELETE", "company", [removing]


# --- how many entries a list has ---

_COUNTED = {
    "company": ("''", "organisation_id"),
    "product": ("{}company_id", "company_id, organisation_id"),
}
"""The list that a row of each table is in, as `entry_count.list_id`, and the columns that move it to another
one."""
_COUNT = "INSERT INTO entry_count (list_id, organisation_id, number)"


def _count_each_row() -> Iterator[_Trigger]:
    """On SQLite, where one writes at a time: each list of an owner has one row."""
    for table, (list_id, columns) in _COUNTED.items():
        for event, changes in (
            ("INSERT", [("NEW", 1)]),
            ("DELETE", [("OLD", -1)]),
            (f"UPDATE OF {columns}", [("OLD", -1), ("NEW", 1)]),
        ):
            statements: list[str] = []
            for row, number in changes:
                of_list = list_id.format(f"{row}.")
                same = f"list_id = {of_list} AND organisation_id IS {row}.organisation_id"
                statements += [
                    f"{_COUNT} SELECT {of_list}, {row}.organisation_id, 0"
                    f" WHERE NOT EXISTS (SELECT 1 FROM entry_count WHERE {same})",
                    f"UPDATE entry_count SET number = number + {number} WHERE {same}",
                ]
            yield f"count_{table}_{event[:6].lower()}", event, table, statements


def _count_each_statement() -> Iterator[str]:
    """On PostgreSQL: a new row for each statement, so that no two writers wait for each other."""
    for table, (list_id, columns) in _COUNTED.items():
        for event, number, rows in (("insert", "count(*)", "NEW"), ("delete", "-count(*)", "OLD")):
            name = f"count_{table}_{event}"
            of_list = list_id.format("")
            body = f"{_COUNT} SELECT {of_list}, organisation_id, {number} FROM written GROUP BY 1, 2"
            yield _function(name, body)
            yield (
                f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {rows} TABLE AS written"
                f" FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
            )
        values = ", ".join(
            f"({list_id.format(f'{row}.')}, {row}.organisation_id, {number})"
            for row, number in (("OLD", -1), ("NEW", 1))
        )
        yield from _after_each_row(
            (f"count_{table}_update", f"UPDATE OF {columns}", table, [f"{_COUNT} VALUES {values}"])
        )


# --- the triggers of each store ---


def _sqlite_triggers() -> Iterator[str]:
    numbers = ", ".join(map(str, range(1, LONGEST_KEY + 1)))
    grams = _gram_triggers(f"json_each('[{numbers}]') AS place")
    for name, event, table, statements in (*_search_triggers(), *grams, *_count_each_row()):
        yield f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {'; '.join(statements)}; END"
    for table, event in product(KEPT_TABLES, ("UPDATE", "DELETE")):
        yield (
            f"CREATE TRIGGER {table}_{event.lower()} BEFORE {event} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{UNCHANGING}'); END"
        )


def _postgresql_triggers() -> Iterator[str]:
    for trigger in (
        *_search_triggers(),
        *_gram_triggers(f"generate_series(1, {LONGEST_KEY}) AS place(value)"),
    ):
        yield from _after_each_row(trigger)
    yield from _count_each_statement()
    yield _function("keep_audit_entry", f"RAISE EXCEPTION '{UNCHANGING}'", returns="")
    for table in KEPT_TABLES:
        yield (
            f"CREATE TRIGGER {table}_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry()"
        )


def _after_each_row(trigger: _Trigger) -> Iterator[str]:
    name, event, table, statements = trigger
    yield _function(name, "; ".join(statements))
    yield f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"


def _function(name: str, body: str, *, returns: str = " RETURN NULL;") -> str:
    return f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body};{returns} END $$"
