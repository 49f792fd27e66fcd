"""Build the reply of the extension `/v1/scope/{scopeId}/document`: what was read from a document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NotRequired, TypedDict, cast

from app.contract.scope import (
    DocumentReading,
    DuplicateScope,
    LineRole,
    QuoteInFile,
    ReadLine,
    ReadPage,
    ReadSupplier,
    ReadValue,
)
from app.contract.second_opinion import SecondOpinion
from app.contract.values import json_number
from app.service.scopes.added_products import NO_ADDITIONS, AddedProduct, Additions
from app.service.scopes.scope_documents import ScopeDocument
from app.service.scopes.store import ScopeProduct, StoredScope
from app.service.scopes.stored_reading import StoredEvidence, StoredLineDimension, StoredMatch, StoredReading

NOT_VALUES = frozenset(
    {
        *("file", "kind", "line_items", "warnings", "doubts", "evidence", "pages", "matches", "understood"),
        *("supplier_match", "notice_unit", "quotes"),
        *("is_term_assumed", "first_month", "span_months", "alternative", "recurring", "is_renewal"),
    }
)
"""Parts of a reading that the reply shows elsewhere, not among its values."""

UNCONFIRMED = ("recurring", "termAmount", "tags", "firstMonth", "months", "candidates")
"""What a line shows as it was read even after it was confirmed."""


class LineProduct(TypedDict, total=False):
    """The product of a line: these fields of a `ReadLine`."""

    productId: str
    productName: str
    matchScore: float
    matchedBy: str


class ConfirmedLineFields(LineProduct):
    """What a person confirmed of a line: these fields of a `ReadLine`."""

    role: LineRole
    dimensions: NotRequired[list[StoredLineDimension]]


def build_document_reading(
    document: ScopeDocument,
    currency: str,
    confirmed: Mapping[int, ConfirmedLineFields] | None = None,
    earlier: Sequence[DuplicateScope] = (),
    second_opinion: SecondOpinion | None = None,
    added: Additions = NO_ADDITIONS,
    listed: Sequence[int] = (),
) -> DocumentReading:
    """Build the reply for a document that was read, and that is looked at by a scope in `currency`;
    `confirmed` are its lines as confirmed in a later scope,
    `earlier` the scopes that were read from the same quote before, `second_opinion` what was asked about
    it, `added` what the catalog got for it since, `listed` the lines that are list prices of the catalog."""
    reading = document.reading
    assert reading is not None
    assert document.file_id is not None  # what was read has a file
    return DocumentReading(
        scope_id=document.scope_id,
        file_id=document.file_id,
        filename=document.filename,
        kind=reading["kind"],
        currency=reading.get("currency") if confirmed is None else currency,
        assumed_currency=currency if confirmed is None and "currency" not in reading else None,
        pages=[
            ReadPage.model_validate({"number": number, **page})
            for number, page in enumerate(reading["pages"], 1)
        ],
        values=list(_values(reading, reading["evidence"])),
        lines=list(_lines(reading, confirmed or {}, added.lines)),
        warnings=reading["warnings"],
        duplicate_of=[*earlier],
        quotes=[QuoteInFile.model_validate(quote, by_name=True) for quote in reading.get("quotes", ())],
        supplier=ReadSupplier.model_validate(
            {
                **(
                    reading.get("supplier_match")
                    or ({"name": reading["supplier"]} if "supplier" in reading else {})
                ),
                **(added.supplier or {}),
            }
        ),
        list_price_lines=list(listed),
        second_opinion=second_opinion,
    )


def _lines(
    reading: StoredReading,
    confirmed: Mapping[int, ConfirmedLineFields],
    added: Mapping[int, AddedProduct],
) -> Iterator[ReadLine]:
    """Yield every line. Old documents, read before lines were interpreted, have only their products."""
    lines = reading["line_items"]
    understood = reading.get("understood") or [None] * len(lines)
    evidence = cast(Sequence[StoredEvidence], reading["evidence"]["line_items"])
    for index, (line, seen, match, meant) in enumerate(
        zip(lines, evidence, reading["matches"], understood, strict=True)
    ):
        shown: Mapping[str, object] = {**(meant or {}), **_product_fields(match)}
        if index in added:
            shown = {**shown, **added[index], "question": None}
        if index in confirmed:
            unchanged = {name: value for name, value in shown.items() if name in UNCONFIRMED}
            shown = {**unchanged, **confirmed[index]}
        yield ReadLine.model_validate({"index": index, "values": list(_values(line, seen)), **shown})


def collect_confirmed_lines(
    scope: StoredScope, products: Mapping[str, ScopeProduct]
) -> Mapping[int, ConfirmedLineFields]:
    """Return, by its index, each line of the quote behind a scope as confirmed: its role, and its product
    with the dimensions that were bought."""
    confirmed: dict[int, ConfirmedLineFields] = {}
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
                {
                    "id": one.id,
                    "value": one.value if isinstance(one.value, str) else json_number(one.value),
                    "name": names.get(one.id, ""),
                    "source": "read",
                }
                for one in term.dimensions
                if one.value is not None
            ],
        }
    return confirmed


def _values(record: Mapping[str, object], evidence: StoredEvidence) -> Iterator[ReadValue]:
    for name, value in record.items():
        if name not in NOT_VALUES:
            where = cast(Mapping[str, object], evidence.get(name, {}))
            yield ReadValue.model_validate({"name": name, "value": value, **where})


def _product_fields(match: StoredMatch | None) -> LineProduct:
    if match is None:
        return {}
    return {
        "productId": match["productId"],
        "productName": match["productName"],
        "matchScore": match["score"],
        "matchedBy": match["matchedBy"],
    }
