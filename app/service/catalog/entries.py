"""Build new rows of the catalog, with their wire records, ready to be inserted.

A record shows what the row alone contains; families, products, competitors and counts come with the next
`denormalise.rebuild_records`. `organisation_id` is the owner; None makes a shared entry.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.service.catalog import wire
from app.service.catalog.names import company_key, item_key, name_key, shorten, sort_name
from app.service.catalog.rows import (
    CategoryRow,
    CompanyDetails,
    CompanyRow,
    DimensionRecord,
    FamilyRow,
    FeatureRecord,
    ProductDetails,
    ProductRow,
)

MAX_NAME_LENGTH = 250
"""Order lines can be long texts; the product's name is cut, the full text is in its description."""


def category_row(
    category_id: str,
    name: str,
    now: datetime,
    *,
    parent_id: str | None = None,
    description: str = "",
    organisation_id: str | None = None,
) -> CategoryRow:
    row: CategoryRow = {
        "id": category_id,
        "organisation_id": organisation_id,
        "parent_id": parent_id,
        "name": name,
        "description": description,
        "sort_name": sort_name(name),
        "last_updated_at": now,
        "wire_list": "",
    }
    row["wire_list"] = wire.encode_record(wire.category_record(row, ()))
    return row


def company_row(
    company_id: str,
    name: str,
    now: datetime,
    *,
    legal_name: str | None = None,
    domain: str = "",
    category: CategoryRow | None = None,
    discontinued: bool = False,
    sample: bool = False,
    organisation_id: str | None = None,
    details: CompanyDetails,
) -> CompanyRow:
    row: CompanyRow = {
        "id": company_id,
        "organisation_id": organisation_id,
        "name": name,
        "sort_name": sort_name(name),
        "name_key": company_key(name),
        "legal_name": legal_name or name,
        "domain": domain,
        "category_id": category["id"] if category else None,
        "discontinued": discontinued,
        "sample": sample,
        "details": details.copy(),
        "real_purchase_count": 0,
        "last_updated_at": now,
        "wire_read": "",
        "wire_list": "",
    }
    row["wire_read"] = wire.encode_record(wire.company_record(row, category, (), 0, (), (), ()))
    row["wire_list"] = wire.encode_record(wire.company_in_list(row, category, (), 0))
    return row


def family_row(
    family_id: str,
    company_id: str,
    name: str,
    sort_order: int,
    now: datetime,
    *,
    organisation_id: str | None = None,
) -> FamilyRow:
    row: FamilyRow = {
        "id": family_id,
        "organisation_id": organisation_id,
        "company_id": company_id,
        "name": name,
        "sort_name": sort_name(name),
        "sort_order": sort_order,
        "last_updated_at": now,
        "wire_list": "",
    }
    row["wire_list"] = wire.encode_record(wire.family_record(row, ()))
    return row


def product_row(
    product_id: str,
    seller: CompanyRow,
    name: str,
    now: datetime,
    *,
    sort_order: int,
    dimensions: Sequence[DimensionRecord],
    quantity_dimension_id: str,
    family_id: str | None = None,
    item_id: str | None = None,
    currency: str | None = None,
    default_price: float | None = None,
    features: Sequence[FeatureRecord] = (),
    sources: Mapping[str, str] | None = None,
    details: ProductDetails,
    stale: bool = False,
    estimate_available: bool = False,
    organisation_id: str | None = None,
) -> ProductRow:
    """`sources` leads from a dimension's id to the column of purchases that it stands for."""
    row: ProductRow = {
        "id": product_id,
        "organisation_id": organisation_id,
        "company_id": seller["id"],
        "family_id": family_id,
        "name": shorten(name, MAX_NAME_LENGTH),
        "sort_name": sort_name(name),
        "name_key": name_key(name),
        "sort_order": sort_order,
        "item_id": item_id,
        "item_key": item_key(item_id) if item_id else None,
        "currency": currency,
        "default_price": default_price,
        "details": details.copy(),
        "dimensions": list(dimensions),
        "features": list(features),
        "dimension_source": dict(sources or {}),
        "quantity_dimension_id": quantity_dimension_id,
        "purchase_count": 0,
        "estimate_available": estimate_available,
        "stale": stale,
        "last_updated_at": now,
        "wire_read": "",
        "wire_list": "",
    }
    row["wire_read"] = wire.encode_record(wire.product_record(row, seller, ()))
    row["wire_list"] = wire.encode_record(wire.product_in_list(row, ()))
    return row
