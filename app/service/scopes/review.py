"""What was read from a document as the record of the extension `/v1/scope/{scopeId}/document`."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row

from app.contract.scope import DocumentReading, ReadLine, ReadPage, ReadSupplier, ReadValue

SHAPED_APART = frozenset(
    {"file", "kind", "line_items", "warnings", "evidence", "pages", "matches", "understood", "supplier_match"}
)
"""What of a reading is shown in its own shape, not as a value."""


def document_reading(row: Row[Any]) -> DocumentReading:
    """Of the row of a document that was read."""
    reading: Mapping[str, Any] = row.reading
    evidence = reading["evidence"]
    return DocumentReading(
        scope_id=row.scope_id,
        file_id=row.file_id,
        filename=row.filename,
        kind=reading["kind"],
        currency=reading.get("currency"),
        pages=[
            ReadPage.model_validate({"number": number, **page})
            for number, page in enumerate(reading["pages"], 1)
        ],
        values=list(_values(reading, evidence)),
        lines=list(_lines(reading)),
        warnings=reading["warnings"],
        supplier=ReadSupplier.model_validate(
            reading.get("supplier_match") or _without_empty({"name": reading.get("supplier")})
        ),
    )


def _lines(reading: Mapping[str, Any]) -> Iterator[ReadLine]:
    """Every line; documents that were read before lines were understood have their products alone."""
    lines: list[Mapping[str, Any]] = reading["line_items"]
    understood: list[Mapping[str, Any]] = reading.get("understood") or [{}] * len(lines)
    for index, (line, seen, match, meant) in enumerate(
        zip(lines, reading["evidence"]["line_items"], reading["matches"], understood, strict=True)
    ):
        yield ReadLine.model_validate(
            {"index": index, "values": list(_values(line, seen)), **meant, **_product(match)}
        )


def _values(record: Mapping[str, Any], evidence: Mapping[str, Any]) -> Iterator[ReadValue]:
    for name, value in record.items():
        if name not in SHAPED_APART:
            yield ReadValue.model_validate({"name": name, "value": value, **evidence.get(name, {})})


def _product(match: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if match is None:
        return {}
    return {
        "productId": match["productId"],
        "productName": match["productName"],
        "matchScore": match["score"],
        "matchedBy": match["matchedBy"],
    }


def _without_empty(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in record.items() if value is not None}
