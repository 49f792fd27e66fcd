"""Build the reply of the extension `/v1/scope/{scopeId}/document`: what was read from a document.

A line that was read without a product is one that the organisation added to its catalog meanwhile where
adding it once more would be refused: the organisation's own product has the name and the options that are
proposed for the line, and the supplier of the document sells it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.scope import (
    DocumentReading,
    DuplicateScope,
    ProposedEntry,
    QuoteInFile,
    ReadLine,
    ReadPage,
    ReadSupplier,
    ReadValue,
)
from app.contract.second_opinion import SecondOpinion
from app.contract.values import json_number
from app.service.catalog.names import company_key, name_key
from app.service.catalog.rows import DimensionRecord
from app.service.database.tables import company, product
from app.service.database.visibility import owned_by, visible_to
from app.service.scopes.quote_store import list_warnings
from app.service.scopes.scope_documents import ScopeDocument
from app.service.scopes.store import ScopeProduct, StoredScope
from app.service.scopes.stored_reading import StoredEvidence, StoredLineDimension, StoredMatch, StoredReading

_MATCHED_BY = "name, as it was added to the catalog"

_Seller = sa.Row[str, str]
"""Id and name of a company."""


LineFields = Mapping[str, object]
"""Fields of a `ReadLine`, by their names on the wire."""


@dataclass(frozen=True)
class _Additions:
    """What the catalog has now for a document: what its lines show of a product, by their index, and its
    supplier."""

    lines: Mapping[int, LineFields] = field(default_factory=dict[int, LineFields])
    supplier: Mapping[str, str] | None = None


_NO_ADDITIONS = _Additions()


def find_additions(connection: Connection, organisation_id: str, reading: StoredReading) -> _Additions:
    """Find the organisation's own products that lines without a product are."""
    open_lines = dict(_list_open_lines(reading))
    if not open_lines:
        return _NO_ADDITIONS
    sellers = _find_sellers(connection, organisation_id, reading)
    sold = connection.execute(
        sa.select(
            product.c.id, product.c.company_id, product.c.name, product.c.name_key, product.c.dimensions
        )
        .where(
            owned_by(product.c, organisation_id),
            product.c.company_id.in_([seller.id for seller in sellers]),
            product.c.name_key.in_({name_key(proposed.name) for proposed in open_lines.values()}),
        )
        .order_by(product.c.id)
    ).all()
    lines: dict[int, LineFields] = {}
    used: set[str] = set()
    for index, proposed in open_lines.items():
        same = [
            (row, options)
            for row in sold
            if row.name_key == name_key(proposed.name)
            and (options := _choose_options(row.dimensions, proposed)) is not None
        ]
        if len(same) == 1:
            [(row, options)] = same
            used.add(row.company_id)
            lines[index] = {
                "productId": row.id,
                "productName": row.name,
                "matchedBy": _MATCHED_BY,
                "dimensions": options,
            }
    found = [seller for seller in sellers if seller.id in used]
    is_new = "companyId" not in reading.get("supplier_match", {})
    supplier = (
        {"companyId": found[0].id, "companyName": found[0].name} if is_new and len(found) == 1 else None
    )
    return _Additions(lines, supplier)


def _list_open_lines(reading: StoredReading) -> Iterator[tuple[int, ProposedEntry]]:
    understood = reading.get("understood") or []
    for index, (match, meant) in enumerate(zip(reading["matches"], understood, strict=False)):
        if match is None and meant["role"] == "product" and "proposed" in meant:
            yield index, ProposedEntry.model_validate(meant["proposed"])


def _find_sellers(connection: Connection, organisation_id: str, reading: StoredReading) -> Sequence[_Seller]:
    """Return the company of the document, else those of the name that the document states."""
    matched = reading.get("supplier_match") or {}
    known, name = matched.get("companyId"), str(matched.get("name") or reading.get("supplier") or "")
    if not known and not name.strip():
        return []
    same = company.c.id == known if known else company.c.name_key == company_key(name)
    columns = sa.select(company.c.id, company.c.name)
    seen = columns.where(visible_to(company.c, organisation_id), same).order_by(company.c.id)
    return connection.execute(seen).all()


def _choose_options(
    dimensions: Sequence[DimensionRecord], proposed: ProposedEntry
) -> list[StoredLineDimension] | None:
    """Return the options that are proposed, as those of a product; None where it lacks one of them."""
    chosen: list[StoredLineDimension] = []
    for one in proposed.dimensions:
        dimension = next((each for each in dimensions if name_key(each["name"]) == name_key(one.name)), None)
        if dimension is None or dimension["formField"]["type"] != "select":
            return None
        options = dimension["formField"]["options"]
        option = next((each for each in options if name_key(each["label"]) == name_key(one.option)), None)
        if option is None:
            return None
        chosen.append(
            {
                "id": dimension["id"],
                "name": dimension["name"],
                "value": option["value"],
                "label": one.option,
                "source": "read",
                "words": one.option,
                "movesPrice": True,
            }
        )
    return chosen


NOT_VALUES = frozenset(
    {
        *("file", "kind", "line_items", "warnings", "doubts", "evidence", "pages", "matches", "understood"),
        *("supplier_match", "notice_unit", "quotes", "term_warnings"),
        *("is_term_assumed", "first_month", "span_months", "alternative", "recurring", "is_renewal"),
    }
)
"""Parts of a reading that the reply shows elsewhere, not among its values."""

UNCONFIRMED = ("recurring", "tags", "candidates")
"""What a line shows as it was read even after it was confirmed."""
_PART = ("firstMonth", "months")


def build_document_reading(
    document: ScopeDocument,
    looked_at: StoredScope,
    confirmed: Mapping[int, LineFields] | None = None,
    earlier: Sequence[DuplicateScope] = (),
    second_opinion: SecondOpinion | None = None,
    added: _Additions = _NO_ADDITIONS,
    listed: Sequence[int] = (),
) -> DocumentReading:
    """Build the reply for a document that was read, and for the scope by which it is `looked_at`;
    `confirmed` are its lines as confirmed in a later scope,
    `earlier` the scopes that were read from the same quote before, `second_opinion` what was asked about
    it, `added` what the catalog got for it since, `listed` the lines that are list prices of the catalog."""
    reading = document.reading
    assert reading is not None
    assert document.file_id is not None  # what was read has a file
    currency = reading.get("currency") if confirmed is None else looked_at.stated_currency
    return DocumentReading(
        scope_id=document.scope_id,
        file_id=document.file_id,
        filename=document.filename,
        kind=reading["kind"],
        currency=currency,
        assumed_currency=looked_at.currency if currency is None else None,
        pages=[
            ReadPage.model_validate({"number": number, **page})
            for number, page in enumerate(reading["pages"], 1)
        ],
        values=list(_values(reading, reading["evidence"])),
        lines=list(_lines(reading, confirmed or {}, added.lines)),
        warnings=list_warnings(reading, looked_at),
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
    confirmed: Mapping[int, LineFields],
    added: Mapping[int, LineFields],
) -> Iterator[ReadLine]:
    """Yield every line. Old documents, read before lines were interpreted, have only their products."""
    lines = reading["line_items"]
    understood = reading.get("understood") or [None] * len(lines)
    evidence = cast(Sequence[StoredEvidence], reading["evidence"]["line_items"])
    for index, (line, seen, match, meant) in enumerate(
        zip(lines, evidence, reading["matches"], understood, strict=True)
    ):
        shown: LineFields = {**(meant or {}), **_product_fields(match)}
        if index in added:
            shown = {**shown, **added[index], "question": None}
        if index in confirmed:
            # A line of no product is for the same part of the term as it was read for.
            kept = UNCONFIRMED if "productId" in confirmed[index] else (*UNCONFIRMED, *_PART)
            unchanged = {name: value for name, value in shown.items() if name in kept}
            shown = {**unchanged, **confirmed[index]}
        yield ReadLine.model_validate({"index": index, "values": list(_values(line, seen)), **shown})


def collect_confirmed_lines(
    scope: StoredScope, products: Mapping[str, ScopeProduct]
) -> Mapping[int, LineFields]:
    """Return, by its index, each line of the quote behind a scope as confirmed: its role and amount, and its
    product with the dimensions and for the part of the term that it was bought."""
    confirmed: dict[int, LineFields] = {}
    for line in scope.quote_lines or ():
        stated = {"role": line.role, "termAmount": line.amount}
        if line.term is None:
            confirmed[line.index] = stated
            continue
        term = scope.product_terms[line.term]
        known = products[term.product_id]
        names = {one.id: one.name for one in known.dimensions}
        confirmed[line.index] = {
            **stated,
            "firstMonth": term.first_month,
            "months": term.months,
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


def _product_fields(match: StoredMatch | None) -> LineFields:
    if match is None:
        return {}
    return {
        "productId": match["productId"],
        "productName": match["productName"],
        "matchScore": match["score"],
        "matchedBy": match["matchedBy"],
    }
