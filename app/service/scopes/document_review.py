"""Build the reply of the extension `/v1/scope/{scopeId}/document`: what was read from a document."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.contract.scope import DocumentReading, ReadLine, ReadPage, ReadSupplier, ReadValue
from app.service.scopes.scope_documents import ScopeDocument
from app.service.scopes.store import ScopeProduct
from app.service.scopes.stored_scope import StoredScope

NOT_VALUES = frozenset(
    {"file", "kind", "line_items", "warnings", "evidence", "pages", "matches", "understood", "supplier_match"}
)
"""Parts of a reading that the reply shows elsewhere, not among its values."""

UNCONFIRMED = ("recurring", "termAmount", "candidates")
"""What a line shows as it was read even after it was confirmed."""


def build_document_reading(
    document: ScopeDocument,
    confirmed: Mapping[int, Mapping[str, Any]] | None = None,
) -> DocumentReading:
    """Build the reply for a document that was read; `confirmed` are its lines as confirmed in a later
    scope."""
    reading = document.reading
    assert document.file_id is not None  # what was read has a file
    evidence = reading["evidence"]
    return DocumentReading(
        scope_id=document.scope_id,
        file_id=document.file_id,
        filename=document.filename,
        kind=reading["kind"],
        currency=reading.get("currency"),
        pages=[
            ReadPage.model_validate({"number": number, **page})
            for number, page in enumerate(reading["pages"], 1)
        ],
        values=list(_values(reading, evidence)),
        lines=list(_lines(reading, confirmed or {})),
        warnings=reading["warnings"],
        supplier=ReadSupplier.model_validate(
            reading.get("supplier_match") or _drop_none({"name": reading.get("supplier")})
        ),
    )


def _lines(reading: Mapping[str, Any], confirmed: Mapping[int, Mapping[str, Any]]) -> Iterator[ReadLine]:
    """Yield every line. Old documents, read before lines were interpreted, have only their products."""
    lines: list[Mapping[str, Any]] = reading["line_items"]
    understood: list[Mapping[str, Any]] = reading.get("understood") or [{}] * len(lines)
    for index, (line, seen, match, meant) in enumerate(
        zip(lines, reading["evidence"]["line_items"], reading["matches"], understood, strict=True)
    ):
        made = {**meant, **_product_record(match)}
        if index in confirmed:
            unchanged = {name: made[name] for name in UNCONFIRMED if name in made}
            made = {**unchanged, **confirmed[index]}
        yield ReadLine.model_validate({"index": index, "values": list(_values(line, seen)), **made})


def list_confirmed_lines(
    scope: StoredScope, products: Mapping[str, ScopeProduct]
) -> Mapping[int, Mapping[str, Any]]:
    """Return, by its index, each line of the quote behind a scope as confirmed: its role, and its product
    with the dimensions that were bought."""
    confirmed: dict[int, Mapping[str, Any]] = {}
    for line in scope.quote_lines or ():
        confirmed[line.index] = {"role": line.role}
        if line.term is None:
            continue
        term = scope.product_terms[line.term]
        known = products[term.product_id]
        names = {one.id: one.name for one in known.dimensions}
        confirmed[line.index] = {
            "role": line.role,
            "productId": known.id,
            "productName": known.name,
            "matchedBy": "confirmed",
            "dimensions": [
                {**one.record(), "name": names.get(one.id, ""), "source": "read"}
                for one in term.dimensions
                if one.value is not None
            ],
        }
    return confirmed


def _values(record: Mapping[str, Any], evidence: Mapping[str, Any]) -> Iterator[ReadValue]:
    for name, value in record.items():
        if name not in NOT_VALUES:
            yield ReadValue.model_validate({"name": name, "value": value, **evidence.get(name, {})})


def _product_record(match: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if match is None:
        return {}
    return {
        "productId": match["productId"],
        "productName": match["productName"],
        "matchScore": match["score"],
        "matchedBy": match["matchedBy"],
    }


def _drop_none(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in record.items() if value is not None}
