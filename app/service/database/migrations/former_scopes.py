"""What rows of versions before 0.3.0 lack: which documents are the same quote, how scopes are listed, and
what is found by words. It is read from them as the versions that first had it did."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from app.service.database.columns import Instant
from app.service.database.migrations.first_tables import LETTERS
from app.service.text_folding import fold_text, remove_accents

ROWS_AT_ONCE = 1_000

# --- which documents are the same quote ---

LEGAL_FORMS = {
    *("ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "cv", "gmbh", "inc"),
    *("incorporated", "kft", "kg", "kk", "limited", "llc", "llp", "lp", "ltd", "ltda", "nv", "oy", "oyj"),
    *("plc", "pte", "pty", "pvt", "sa", "sarl", "sas", "se", "sl", "spa", "srl", "sro", "ug"),
}


def name_quotes(connection: Connection) -> None:
    """Documents are the same quote by supplier and number."""
    rows = connection.execute(
        sa.text("SELECT scope_id, reading FROM scope_document WHERE reading IS NOT NULL")
    ).all()
    naming = sa.text("UPDATE scope_document SET quote_key = :key WHERE scope_id = :scope")
    for row in rows:
        reading: Mapping[str, Any] = _as_json(row.reading) or {}
        number, supplier = reading.get("document_number"), reading.get("supplier")
        if number and supplier:
            key = f"{_make_company_key(supplier)} {_make_item_key(number)}"
            connection.execute(naming, {"scope": row.scope_id, "key": key})


def _make_company_key(name: str) -> str:
    plain = remove_accents(name)
    words = re.sub(r"[^\w]+|_+", " ", re.sub(r"(?<=\w)\.(?=\w)", "", plain)).split()
    end = len(words)
    while end > 1 and words[end - 1] in LEGAL_FORMS:
        end -= 1
    return _limit_length(" ".join(words[:end]) or plain.strip())


def _make_item_key(item_id: str) -> str:
    plain = remove_accents(item_id)
    return _limit_length(re.sub(r"[\W_]+", "", plain) or plain.strip())


def _limit_length(key: str) -> str:
    if len(key) <= 120:
        return key
    return f"{key[:40]} {hashlib.blake2b(key.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


# --- how scopes are listed, and what is found by words ---

_STATUS = """
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


def describe_scopes(connection: Connection) -> None:
    """Give scopes their title, status and supplier."""
    connection.exec_driver_sql(_STATUS)
    describing = sa.text(
        "UPDATE scope SET title = :title, company_id = :company_id, supplier_name = :supplier_name,"
        " search_text = :search_text WHERE id = :id"
    )
    for row, bought, reading in _read_scopes(connection, "coalesce(scope.document_scope_id, scope.id)"):
        match: Mapping[str, Any] = reading.get("supplier_match") or {}
        supplier = bought[0].supplier if bought else match.get("companyName") or reading.get("supplier")
        names = [str(product.name) for product in bought]
        title = _name_products(names) or row.filename or f"Scope {row.id[:8]}"
        repeats = supplier and fold_text(title).split()[:1] == fold_text(supplier).split()[:1]
        if supplier is not None and not repeats:
            title = f"{supplier}: {title}"
        values = {
            "id": row.id,
            "title": title,
            "company_id": bought[0].company_id if bought else match.get("companyId"),
            "supplier_name": supplier,
            "search_text": fold_text(f"{title} {supplier or ''} {row.filename or ''}")[:300],
        }
        connection.execute(describing, values)


def _read_scopes(
    connection: Connection, document: str
) -> Iterator[tuple[Row[Any], Sequence[Row[Any]], Mapping[str, Any]]]:
    """Yield each scope with the products of its terms and what was read from its document. The expression
    `document` is the id of the scope that has the document."""
    scopes = sa.text(
        "SELECT scope.id, scope.organisation_id, scope.created_on, scope.product_terms,"
        " scope_document.filename, scope_document.reading"
        f" FROM scope LEFT JOIN scope_document ON scope_document.scope_id = {document}"
        " WHERE scope.id > :after ORDER BY scope.id LIMIT :most"
    ).columns(created_on=Instant)
    products = sa.text(
        "SELECT product.id, product.name, company.name AS supplier, product.company_id FROM product"
        " JOIN company ON company.id = product.company_id WHERE product.id IN :ids"
    ).bindparams(sa.bindparam("ids", expanding=True))
    after = ""
    while rows := connection.execute(scopes, {"after": after, "most": ROWS_AT_ONCE}).all():
        terms = {row.id: [term["productId"] for term in _as_json(row.product_terms)] for row in rows}
        ids = sorted({product_id for of_scope in terms.values() for product_id in of_scope})
        known = {row.id: row for row in connection.execute(products, {"ids": ids})}
        for row in rows:
            bought = [known[product_id] for product_id in terms[row.id] if product_id in known]
            yield row, bought, _as_json(row.reading) or {}
        after = rows[-1].id


def _name_products(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{names[0]} and {len(names) - 1} more"


def index_records(connection: Connection) -> None:
    """Make the entries of records that no trigger adds."""
    adding = sa.text(
        "INSERT INTO search_entry (kind, record_id, organisation_id, title, detail, name, text,"
        " negotiation_id, created_at) VALUES (:kind, :record_id, :organisation_id, :title, :detail, :name,"
        " :text, :negotiation_id, :created_at)"
    ).bindparams(sa.bindparam("created_at", type_=Instant))
    for entry in chain(_scope_entries(connection), _negotiation_entries(connection)):
        connection.execute(adding, entry)


def _entry(
    kind: str, row: Row[Any], title: str, words: str, created_at: Any, detail: str, negotiation_id: Any = None
) -> dict[str, Any]:
    name = fold_text(title)
    for letter, typed in LETTERS.items():
        name = name.replace(letter, typed)
    return {
        "kind": kind,
        "record_id": row.id,
        "organisation_id": row.organisation_id,
        "title": title,
        "detail": detail,
        "name": name[:200],
        "text": f"{name} {fold_text(words)}"[:4000],
        "negotiation_id": negotiation_id,
        "created_at": created_at,
    }


def _scope_entries(connection: Connection) -> Iterator[dict[str, Any]]:
    for row, bought, reading in _read_scopes(connection, "scope.id"):
        number = str(reading.get("document_number") or "")
        supplier = str(reading.get("supplier") or "")
        names = [str(product.name) for product in bought]
        numbers = f"{number} {re.sub(r'[^a-zA-Z0-9]+', '', number)}"
        words = f"{' '.join(names)} {row.filename or ''} {numbers} {supplier}"
        title = _name_products(names) or row.filename or f"Scope {row.id[:8]}"
        yield _entry("scope", row, title, words, row.created_on, supplier)
        if row.filename:
            yield _entry("document", row, row.filename, words, row.created_on, supplier)


def _negotiation_entries(connection: Connection) -> Iterator[dict[str, Any]]:
    negotiations = connection.execute(
        sa.text("SELECT id, organisation_id, created_at, supplier, contact_name FROM negotiation").columns(
            created_at=Instant
        )
    ).all()
    suppliers: dict[str, str] = {}
    for row in negotiations:
        supplier: Mapping[str, Any] = _as_json(row.supplier)
        suppliers[row.id] = name = str(supplier.get("name") or supplier.get("domain") or "Unknown supplier")
        words = f"{supplier.get('domain') or ''} {row.contact_name}"
        yield _entry("negotiation", row, name, words, row.created_at, "")
    files = connection.execute(
        sa.text(
            "SELECT negotiation_attachment.id, negotiation_id, negotiation_attachment.created_at, filename,"
            " organisation_id FROM negotiation_attachment JOIN file ON file.id = file_id"
        ).columns(created_at=Instant)
    ).all()
    for row in files:
        name = suppliers.get(row.negotiation_id, "")
        yield _entry("document", row, row.filename, name, row.created_at, name, row.negotiation_id)


def _as_json(value: Any) -> Any:
    """Return the value of a JSON column, which SQLite gives as its text."""
    return json.loads(value) if isinstance(value, str) else value
