"""What was read from a document as the record of the extension `/v1/scope/{scopeId}/document`."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row

from app.contract.scope import DocumentReading, ReadLine, ReadPage, ReadValue

SHAPED_APART = frozenset({"file", "kind", "line_items", "warnings", "evidence", "pages", "matches"})


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
        lines=[
            _line(index, line, seen, match)
            for index, (line, seen, match) in enumerate(
                zip(reading["line_items"], evidence["line_items"], reading["matches"], strict=True)
            )
        ],
        warnings=reading["warnings"],
    )


def _values(record: Mapping[str, Any], evidence: Mapping[str, Any]) -> Iterator[ReadValue]:
    for name, value in record.items():
        if name not in SHAPED_APART:
            yield ReadValue.model_validate({"name": name, "value": value, **evidence.get(name, {})})


def _line(
    index: int, line: Mapping[str, Any], evidence: Mapping[str, Any], match: Mapping[str, Any] | None
) -> ReadLine:
    values = list(_values(line, evidence))
    if match is None:
        return ReadLine(index=index, values=values)
    return ReadLine(
        index=index,
        values=values,
        product_id=match["productId"],
        product_name=match["productName"],
        match_score=match["score"],
        matched_by=match["matchedBy"],
    )
