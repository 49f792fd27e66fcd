"""Records found by words: a table of entries, its index of words, and the triggers that keep both."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection

from app.service.database.columns import Instant, Key, Ordered
from app.service.text_folding import fold_text

revision = "20261126"
down_revision = "20261125"
branch_labels = None
depends_on = None

LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
"""Letters that no decomposition takes apart, and what is typed for them."""

NO_WORD = "[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u2bff\\u3000-\\u303f]+"
"""What separates words, by code points: the classes of PostgreSQL follow the language of its machine."""


def _plain(column: str) -> str:
    for letter, typed in LETTERS.items():
        column = f"replace({column}, '{letter}', '{typed}')"
    return column


SUPPLIER = {
    "organisation_id": "NEW.organisation_id",
    "title": "NEW.name",
    "detail": "NEW.domain",
    "name": _plain("NEW.sort_name"),
    "text": _plain("NEW.sort_name || ' ' || NEW.domain"),
}
PRODUCT = {
    "organisation_id": "NEW.organisation_id",
    "title": "NEW.name",
    "detail": "(SELECT company.name FROM company WHERE company.id = NEW.company_id)",
    "name": _plain("NEW.sort_name"),
    "text": _plain(
        "NEW.sort_name || ' ' || coalesce(lower(NEW.item_id), '') || ' ' || coalesce(NEW.item_key, '')"
        " || ' ' || (SELECT company.sort_name FROM company WHERE company.id = NEW.company_id)"
    ),
}
OWN = {
    "scope": "scope",
    "scope_document": "document",
    "negotiation": "negotiation",
    "negotiation_attachment": "document",
}
"""The tables of an organisation's own records, with the kind of their entries."""


def _insert(kind: str, values: Mapping[str, str]) -> str:
    return (
        f"INSERT INTO search_entry (kind, record_id, {', '.join(values)})"
        f" VALUES ('{kind}', NEW.id, {', '.join(values.values())})"
    )


def _update(kind: str, values: Mapping[str, str]) -> str:
    changes = ", ".join(f"{column} = {value}" for column, value in values.items())
    return f"UPDATE search_entry SET {changes} WHERE kind = '{kind}' AND record_id = NEW.id"


def _delete(kind: str, key: str = "id") -> str:
    return f"DELETE FROM search_entry WHERE kind = '{kind}' AND record_id = OLD.{key}"


_OLD_NAME, _NEW_NAME = (_plain(f"' ' || {row}.sort_name") for row in ("OLD", "NEW"))
_RENAMED = (
    # The seller's name stands at the end of the words of its products.
    "UPDATE search_entry SET detail = NEW.name,"
    f" text = substr(text, 1, length(text) - length({_OLD_NAME})) || {_NEW_NAME}"
    " WHERE kind = 'product' AND record_id IN (SELECT product.id FROM product WHERE company_id = NEW.id)"
)

TRIGGERS: Sequence[tuple[str, str, str, Sequence[str]]] = (
    ("company_added", "INSERT", "company", [_insert("supplier", SUPPLIER)]),
    (
        "company_renamed",
        "UPDATE OF name, sort_name, domain, organisation_id",
        "company",
        [_update("supplier", SUPPLIER), _RENAMED],
    ),
    ("company_removed", "DELETE", "company", [_delete("supplier")]),
    ("product_added", "INSERT", "product", [_insert("product", PRODUCT)]),
    (
        "product_renamed",
        "UPDATE OF name, sort_name, item_id, company_id, organisation_id",
        "product",
        [_update("product", PRODUCT)],
    ),
    ("product_removed", "DELETE", "product", [_delete("product")]),
    *(
        (
            f"{table}_removed",
            "DELETE",
            table,
            [_delete(kind, "scope_id" if table == "scope_document" else "id")],
        )
        for table, kind in OWN.items()
    ),
)
"""Name, event, table and statements of each trigger: the same on both stores."""

SQLITE = (
    "CREATE VIRTUAL TABLE search_words USING fts5(text, place, content='search_entry', content_rowid='id',"
    " tokenize='unicode61 remove_diacritics 2', prefix='2 3 4')",
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
)
POSTGRESQL = (
    # No parser of the store: it takes `-00123` for a number and leaves some marks in words. A place starts
    # with a character that no word has.
    "ALTER TABLE search_entry ADD COLUMN words tsvector GENERATED ALWAYS AS (array_to_tsvector("
    "array_remove(string_to_array(regexp_replace(text, '" + NO_WORD + "', ' ', 'g'), ' '), '')"
    " || ARRAY['=' || kind || replace(coalesce(organisation_id, 'everybody'), '-', '')])) STORED",
    # Without a list of new rows, which every search would read from its beginning until it is merged.
    "CREATE INDEX ix_search_entry_words ON search_entry USING gin (words) WITH (fastupdate = off)",
)


def upgrade() -> None:
    op.create_table(
        "search_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=11), nullable=False),
        sa.Column("record_id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("name", Ordered, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("negotiation_id", Key, nullable=True),
        sa.Column("created_at", Instant(), nullable=True),
        sa.Column(
            "place",
            Ordered,
            sa.Computed("kind || replace(coalesce(organisation_id, 'everybody'), '-', '')", persisted=True),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_search_entry_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_entry")),
        sa.UniqueConstraint("record_id", "kind", name=op.f("uq_search_entry_record_id_kind")),
    )
    op.create_index(
        op.f("ix_search_entry_place_name_record_id"),
        "search_entry",
        ["place", "name", "record_id"],
        unique=False,
    )
    connection = op.get_bind()
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        connection.exec_driver_sql(statement)
    for kind, values in (("supplier", SUPPLIER), ("product", PRODUCT)):
        table = "company" if kind == "supplier" else "product"
        chosen = ", ".join(value.replace("NEW.", "source.") for value in values.values())
        op.execute(
            f"INSERT INTO search_entry (kind, record_id, {', '.join(values)})"
            f" SELECT '{kind}', source.id, {chosen} FROM {table} AS source"
        )
    rows = [*_scope_entries(connection), *_negotiation_entries(connection)]
    if rows:
        op.bulk_insert(_ENTRY, rows)
    for name, event, table, statements in TRIGGERS:
        body = "; ".join(statements)
        if is_sqlite:
            connection.exec_driver_sql(
                f"CREATE TRIGGER search_{name} AFTER {event} ON {table} BEGIN {body}; END"
            )
            continue
        connection.exec_driver_sql(
            f"CREATE FUNCTION search_{name}() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN {body}; RETURN NULL; END $$"
        )
        connection.exec_driver_sql(
            f"CREATE TRIGGER search_{name} AFTER {event} ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION search_{name}()"
        )


def downgrade() -> None:
    connection = op.get_bind()
    for name, _, table, _ in TRIGGERS:
        if connection.dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER search_{name}")
        else:
            op.execute(f"DROP TRIGGER search_{name} ON {table}")
            op.execute(f"DROP FUNCTION search_{name}()")
    op.execute("DROP TABLE IF EXISTS search_words")
    op.drop_table("search_entry")


# --- the entries of records that are there ---

_ENTRY = sa.table(
    "search_entry",
    sa.column("kind", sa.Text),
    sa.column("record_id", sa.Text),
    sa.column("organisation_id", sa.Text),
    sa.column("title", sa.Text),
    sa.column("detail", sa.Text),
    sa.column("name", sa.Text),
    sa.column("text", sa.Text),
    sa.column("negotiation_id", sa.Text),
    sa.column("created_at", Instant),
)


def _entry(
    kind: str, record_id: str, organisation_id: str, title: str, words: str, created_at: Any, **more: Any
) -> dict[str, Any]:
    name = fold_text(title)
    for letter, typed in LETTERS.items():
        name = name.replace(letter, typed)
    return {
        "kind": kind,
        "record_id": record_id,
        "organisation_id": organisation_id,
        "title": title,
        "detail": more.get("detail", ""),
        "name": name[:200],
        "text": f"{name} {fold_text(words)}"[:4000],
        "negotiation_id": more.get("negotiation_id"),
        "created_at": created_at,
    }


def _title(bought: Sequence[str]) -> str:
    return bought[0] if len(bought) == 1 else f"{bought[0]} and {len(bought) - 1} more" if bought else ""


def _as_json(value: Any) -> Any:
    """Return the value of a JSON column, which SQLite gives as its text."""
    return json.loads(value) if isinstance(value, str) else value


def _scope_entries(connection: Connection) -> Iterator[dict[str, Any]]:
    rows = connection.execute(
        sa.text(
            "SELECT scope.id, scope.organisation_id, scope.created_on, scope.product_terms,"
            " scope_document.filename, scope_document.reading"
            " FROM scope LEFT JOIN scope_document ON scope_document.scope_id = scope.id"
        ).columns(created_on=Instant)
    ).all()
    product_ids = {term["productId"] for row in rows for term in _as_json(row.product_terms)}
    names: dict[str, str] = {}
    if product_ids:
        products = sa.table("product", sa.column("id"), sa.column("name"))
        chosen = sa.select(products).where(products.c.id.in_(product_ids))
        names = {row.id: row.name for row in connection.execute(chosen)}
    for row in rows:
        bought = [names.get(term["productId"], "") for term in _as_json(row.product_terms)]
        reading: Mapping[str, Any] = _as_json(row.reading or "{}")
        number = str(reading.get("document_number") or "")
        words = f"{' '.join(bought)} {row.filename or ''} {number} {re.sub(r'[^a-zA-Z0-9]+', '', number)}"
        title = _title(bought) or row.filename or f"Scope {row.id[:8]}"
        supplier = str(reading.get("supplier") or "")
        words = f"{words} {supplier}"
        yield _entry("scope", row.id, row.organisation_id, title, words, row.created_on, detail=supplier)
        if row.filename:
            yield _entry(
                "document", row.id, row.organisation_id, row.filename, words, row.created_on, detail=supplier
            )


def _negotiation_entries(connection: Connection) -> Iterator[dict[str, Any]]:
    rows = connection.execute(
        sa.text("SELECT id, organisation_id, created_at, supplier, contact_name FROM negotiation").columns(
            created_at=Instant
        )
    ).all()
    suppliers: dict[str, str] = {}
    for row in rows:
        supplier: Mapping[str, Any] = _as_json(row.supplier)
        suppliers[row.id] = str(supplier.get("name") or supplier.get("domain") or "Unknown supplier")
        words = f"{supplier.get('domain') or ''} {row.contact_name}"
        yield _entry("negotiation", row.id, row.organisation_id, suppliers[row.id], words, row.created_at)
    files = connection.execute(
        sa.text(
            "SELECT negotiation_attachment.id, negotiation_id, negotiation_attachment.created_at, filename,"
            " organisation_id FROM negotiation_attachment JOIN file ON file.id = file_id"
        ).columns(created_at=Instant)
    )
    for row in files:
        name = suppliers.get(row.negotiation_id, "")
        yield _entry(
            "document",
            row.id,
            row.organisation_id,
            row.filename,
            name,
            row.created_at,
            detail=name,
            negotiation_id=row.negotiation_id,
        )
