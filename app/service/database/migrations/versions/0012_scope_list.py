"""Scopes have a name, and are listed by title, supplier and status."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Connection, Row

from app.service.database.columns import Instant, Key
from app.service.text_folding import fold_text

revision = "20261130"
down_revision = "20261129"
branch_labels = None
depends_on = None

ROWS_AT_ONCE = 1_000

COLUMNS = ("name", "archived_at", "title", "status", "company_id", "supplier_name", "search_text")
INDEXES: Mapping[str, Sequence[str]] = {
    "ix_scope_newest": ("organisation_id", "created_on", "id", "archived_at", "search_text"),
    "ix_scope_status": ("organisation_id", "status", "created_on", "id", "archived_at", "search_text"),
    "ix_scope_company": ("organisation_id", "company_id", "status", "created_on", "id", "archived_at"),
}
STATUS = """
UPDATE scope SET status = CASE
 WHEN EXISTS (SELECT 1 FROM scope_document WHERE scope_id = scope.id AND status IN ('pending', 'processing'))
  THEN 'reading'
 WHEN EXISTS (SELECT 1 FROM negotiation WHERE scope_id = scope.id AND status NOT IN ('cancelled', 'complete'))
  THEN 'in_negotiation'
 WHEN EXISTS (SELECT 1 FROM negotiation WHERE scope_id = scope.id AND status = 'complete') THEN 'agreed'
 WHEN next_scope_id IS NOT NULL THEN 'replaced'
 WHEN EXISTS (SELECT 1 FROM scope_document WHERE scope_id = scope.id AND status = 'failed') THEN 'unreadable'
 WHEN EXISTS (SELECT 1 FROM scope_document WHERE scope_id = scope.id) THEN 'review'
 ELSE 'ready' END
"""


def upgrade() -> None:
    op.add_column("scope", sa.Column("name", sa.Text(), nullable=True))
    op.add_column("scope", sa.Column("archived_at", Instant(), nullable=True))
    op.add_column("scope", sa.Column("title", sa.Text(), server_default="", nullable=False))
    op.add_column("scope", sa.Column("status", sa.String(length=14), server_default="ready", nullable=False))
    op.add_column("scope", sa.Column("company_id", Key, nullable=True))
    op.add_column("scope", sa.Column("supplier_name", sa.Text(), nullable=True))
    op.add_column("scope", sa.Column("search_text", sa.Text(), server_default="", nullable=False))
    op.create_index(op.f("ix_negotiation_scope_id"), "negotiation", ["scope_id"], unique=False)
    op.execute(STATUS)
    connection = op.get_bind()
    for rows in _read_scopes(connection):
        values = _describe(connection, rows)
        connection.execute(
            sa.text(
                "UPDATE scope SET title = :title, company_id = :company_id, supplier_name = :supplier_name,"
                " search_text = :search_text WHERE id = :id"
            ),
            values,
        )
    op.drop_index(op.f("ix_scope_organisation_id_created_on_id"), table_name="scope")
    for name, columns in INDEXES.items():
        op.create_index(name, "scope", [*columns], unique=False)


def downgrade() -> None:
    for name in INDEXES:
        op.drop_index(name, table_name="scope")
    op.create_index(
        op.f("ix_scope_organisation_id_created_on_id"),
        "scope",
        ["organisation_id", "created_on", "id"],
        unique=False,
    )
    op.drop_index(op.f("ix_negotiation_scope_id"), table_name="negotiation")
    for column in COLUMNS:
        op.drop_column("scope", column)


def _read_scopes(connection: Connection) -> Iterator[Sequence[Row[Any]]]:
    """Yield the scopes by their ids, some at a time."""
    query = sa.text(
        "SELECT scope.id, scope.product_terms, scope_document.filename, scope_document.reading FROM scope"
        " LEFT JOIN scope_document ON scope_document.scope_id = coalesce(scope.document_scope_id, scope.id)"
        " WHERE scope.id > :after ORDER BY scope.id LIMIT :most"
    )
    after = ""
    while rows := connection.execute(query, {"after": after, "most": ROWS_AT_ONCE}).all():
        yield rows
        after = rows[-1].id


def _describe(connection: Connection, rows: Sequence[Row[Any]]) -> list[dict[str, Any]]:
    """Return title, supplier and searched text of each scope."""
    terms = {row.id: [term["productId"] for term in _as_json(row.product_terms)] for row in rows}
    known = _load_products(connection, {product_id for ids in terms.values() for product_id in ids})
    described: list[dict[str, Any]] = []
    for row in rows:
        bought = [known[product_id] for product_id in terms[row.id] if product_id in known]
        reading: Mapping[str, Any] = _as_json(row.reading) or {}
        match: Mapping[str, Any] = reading.get("supplier_match") or {}
        supplier = bought[0].supplier if bought else match.get("companyName") or reading.get("supplier")
        title = _make_title([one.name for one in bought], supplier, row.filename, row.id)
        described.append(
            {
                "id": row.id,
                "title": title,
                "company_id": bought[0].company_id if bought else match.get("companyId"),
                "supplier_name": supplier,
                "search_text": fold_text(f"{title} {supplier or ''} {row.filename or ''}")[:300],
            }
        )
    return described


def _load_products(connection: Connection, product_ids: set[str]) -> dict[str, Row[Any]]:
    query = sa.text(
        "SELECT product.id, product.name, company.name AS supplier, product.company_id FROM product"
        " JOIN company ON company.id = product.company_id WHERE product.id IN :ids"
    ).bindparams(sa.bindparam("ids", expanding=True))
    return {row.id: row for row in connection.execute(query, {"ids": list(product_ids)})}


def _make_title(products: Sequence[str], supplier: str | None, filename: str | None, scope_id: str) -> str:
    if products:
        what = products[0] if len(products) == 1 else f"{products[0]} and {len(products) - 1} more"
    else:
        what = filename or f"Scope {scope_id[:8]}"
    repeats = supplier is not None and fold_text(what).split()[:1] == fold_text(supplier).split()[:1]
    return what if supplier is None or repeats else f"{supplier}: {what}"


def _as_json(value: Any) -> Any:
    """Return the value of a JSON column, which SQLite gives as its text."""
    return json.loads(value) if isinstance(value, str) else value
