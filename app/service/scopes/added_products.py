"""Products that an organisation added to its catalog from a quote that nobody has confirmed yet.

A line that was read without a product is such a product where adding it once more would be refused: the
organisation's own product has the name and the options that are proposed for the line, and the supplier of
the document sells it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.scope import ProposedEntry
from app.service.catalog.names import company_key, name_key
from app.service.catalog.rows import DimensionRecord
from app.service.database.tables.catalog import company, product
from app.service.database.visibility import owned_by, visible_to
from app.service.scopes.stored_reading import StoredLineDimension, StoredReading

MATCHED_BY = "name, as it was added to the catalog"

Seller = sa.Row[str, str]
"""Id and name of a company."""


class AddedProduct(TypedDict):
    """The product of a line that the document was read without: these fields of a `ReadLine`."""

    productId: str
    productName: str
    matchedBy: str
    dimensions: list[StoredLineDimension]


class AddedSupplier(TypedDict):
    """The company of a document that was read without one: these fields of a `ReadSupplier`."""

    companyId: str
    companyName: str


@dataclass(frozen=True)
class Additions:
    """What the catalog has now for a document: the products by the index of their lines."""

    lines: Mapping[int, AddedProduct] = field(default_factory=dict[int, AddedProduct])
    supplier: AddedSupplier | None = None


NO_ADDITIONS = Additions()


def find_additions(connection: Connection, organisation_id: str, reading: StoredReading) -> Additions:
    """Find the organisation's own products that lines without a product are."""
    open_lines = dict(_list_open_lines(reading))
    if not open_lines:
        return NO_ADDITIONS
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
    lines: dict[int, AddedProduct] = {}
    used: set[str] = set()
    for index, proposed in open_lines.items():
        same = [
            row
            for row in sold
            if row.name_key == name_key(proposed.name) and _has_options(row.dimensions, proposed)
        ]
        if len(same) == 1:
            [row] = same
            used.add(row.company_id)
            lines[index] = {
                "productId": row.id,
                "productName": row.name,
                "matchedBy": MATCHED_BY,
                "dimensions": list(_choose_options(row.dimensions, proposed)),
            }
    found = [seller for seller in sellers if seller.id in used]
    is_new = "companyId" not in reading.get("supplier_match", {})
    supplier: AddedSupplier | None = (
        {"companyId": found[0].id, "companyName": found[0].name} if is_new and len(found) == 1 else None
    )
    return Additions(lines, supplier)


def _list_open_lines(reading: StoredReading) -> Iterator[tuple[int, ProposedEntry]]:
    understood = reading.get("understood") or []
    for index, (match, meant) in enumerate(zip(reading["matches"], understood, strict=False)):
        if match is None and meant["role"] == "product" and "proposed" in meant:
            yield index, ProposedEntry.model_validate(meant["proposed"])


def _find_sellers(connection: Connection, organisation_id: str, reading: StoredReading) -> Sequence[Seller]:
    """Return the company of the document, else those of the name that the document states."""
    matched = reading.get("supplier_match") or {}
    known, name = matched.get("companyId"), str(matched.get("name") or reading.get("supplier") or "")
    if not known and not name.strip():
        return []
    same = company.c.id == known if known else company.c.name_key == company_key(name)
    columns = sa.select(company.c.id, company.c.name)
    seen = columns.where(visible_to(company.c, organisation_id), same).order_by(company.c.id)
    return connection.execute(seen).all()


def _find_dimension(dimensions: Sequence[DimensionRecord], name: str) -> DimensionRecord | None:
    return next((one for one in dimensions if name_key(one["name"]) == name_key(name)), None)


def _find_option(dimension: DimensionRecord | None, label: str) -> str | None:
    """Return the value of a select's option."""
    if dimension is None or dimension["formField"]["type"] != "select":
        return None
    options = dimension["formField"]["options"]
    return next((one["value"] for one in options if name_key(one["label"]) == name_key(label)), None)


def _has_options(dimensions: Sequence[DimensionRecord], proposed: ProposedEntry) -> bool:
    return all(
        _find_option(_find_dimension(dimensions, one.name), one.option) is not None
        for one in proposed.dimensions
    )


def _choose_options(
    dimensions: Sequence[DimensionRecord], proposed: ProposedEntry
) -> Iterator[StoredLineDimension]:
    for one in proposed.dimensions:
        dimension = _find_dimension(dimensions, one.name)
        value = _find_option(dimension, one.option)
        if dimension is not None and value is not None:
            yield {
                "id": dimension["id"],
                "name": dimension["name"],
                "value": value,
                "label": one.option,
                "source": "read",
                "words": one.option,
                "movesPrice": True,
            }
