"""Build the wire records of catalog rows, as JSON text ready to send.

A record is built once, when a row or what it shows changes, never when it is sent. It has exactly the keys of
the interface, without absent optionals.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from app.contract.values import wire_instant
from app.service.catalog.rows import CategoryRow, CompanyRow, FamilyRow, ProductRow, SoldProductRow

Record = dict[str, object]
"""A JSON object of the interface."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def encode_record(record: Record) -> str:
    """The record as JSON without white space."""
    return _ENCODER.encode(record)


def with_update_time(record: Record, now: datetime) -> Record:
    return {**record, "lastUpdatedAt": wire_instant(now)}


def to_json_number(value: float) -> int | float:
    """A JSON number, whole where it is whole."""
    return int(value) if value == int(value) else value


def to_json_amount(value: float) -> int | float:
    """Money as a JSON number: to the cent from 10 on, to six significant digits below."""
    return to_json_number(round(value, 2) if abs(value) >= 10 else float(f"{value:.6g}"))


def category_summary(category: CategoryRow) -> Record:
    return {
        "id": category["id"],
        "name": category["name"],
        "description": category["description"],
        "lastUpdatedAt": wire_instant(category["last_updated_at"]),
    }


def category_record(category: CategoryRow, children: Sequence[CategoryRow]) -> Record:
    record = category_summary(category)
    if children:
        record["childCategories"] = [category_summary(child) for child in children]
    return record


def company_in_list(
    company: CompanyRow, category: CategoryRow | None, competitors: Iterable[CompanyRow], purchase_count: int
) -> Record:
    record = _company_head(company, category)
    record["realPurchaseCount"] = purchase_count
    competitor_records = [_company_competitor(competitor) for competitor in competitors]
    if competitor_records:
        record["competitors"] = competitor_records
    return record


def company_record(
    company: CompanyRow,
    category: CategoryRow | None,
    competitors: Iterable[CompanyRow],
    purchase_count: int,
    families: Iterable[tuple[FamilyRow, Sequence[ProductRow]]],
    products: Sequence[ProductRow],
    samples: Sequence[Record],
) -> Record:
    """A company alone: with its families (each with its product rows), products and anonymised purchases
    (`learning_sample`)."""
    record = _company_head(company, category)
    record["productFamilies"] = [_family_summary(family, members) for family, members in families]
    record["products"] = [product_summary(product) for product in products]
    record["learningDataSamples"] = list(samples)
    record["competitors"] = [_company_competitor(competitor) for competitor in competitors]
    prices = price_range(products)
    if prices:
        record["defaultPriceRange"] = prices
    record["realPurchaseCount"] = purchase_count
    return record


def family_record(family: FamilyRow, products: Sequence[ProductRow]) -> Record:
    record = _family_summary(family, products)
    if products:
        record["products"] = [product_summary(product) for product in products]
    return record


def product_in_list(product: ProductRow, competitors: Iterable[SoldProductRow]) -> Record:
    record: Record = {"id": product["id"], "name": product["name"]}
    if product["family_id"]:
        record["productFamilyId"] = product["family_id"]
    details = product["details"]
    record["description"] = details.get("description", "")
    _copy_details(details, record, "icon", "url")
    if product["currency"]:
        record["currency"] = product["currency"]
    record["pricingDimensions"] = product["dimensions"]
    record["includedFeatures"] = product["features"]
    record["isCustomEstimateAvailable"] = product["estimate_available"]
    record["lastUpdatedAt"] = wire_instant(product["last_updated_at"])
    record["competitors"] = [_product_competitor(each, product["currency"]) for each in competitors]
    return record


def product_record(product: ProductRow, company: CompanyRow, competitors: Iterable[SoldProductRow]) -> Record:
    record = product_in_list(product, competitors)
    if product["default_price"] is not None:
        record["defaultPrice"] = to_json_amount(product["default_price"])
    record["company"] = {
        "id": company["id"],
        "name": company["name"],
        "legalName": company["legal_name"],
        "domain": company["domain"],
    }
    return record


def product_summary(product: ProductRow) -> Record:
    """A product inside its company or family."""
    record: Record = {"id": product["id"]}
    if product["family_id"]:
        record["productFamilyId"] = product["family_id"]
    record["name"] = product["name"]
    _copy_details(product["details"], record, "description", "icon", "url")
    if product["default_price"] is not None:
        record["defaultPrice"] = to_json_amount(product["default_price"])
    if product["currency"]:
        record["currency"] = product["currency"]
    record["isCustomEstimateAvailable"] = product["estimate_available"]
    record["lastUpdatedAt"] = wire_instant(product["last_updated_at"])
    return record


def price_range(products: Iterable[ProductRow]) -> Record | None:
    """The lowest to the highest default price, in the currency that most products are priced in."""
    priced = [(p["currency"], p["default_price"]) for p in products if p["default_price"] is not None]
    if not priced:
        return None
    currency = max(sorted(Counter(currency for currency, _ in priced).items()), key=lambda item: item[1])[0]
    prices = [price for other, price in priced if other == currency]
    return {"min": to_json_amount(min(prices)), "max": to_json_amount(max(prices)), "currency": currency}


def _company_head(company: CompanyRow, category: CategoryRow | None) -> Record:
    details = company["details"]
    record: Record = {
        "id": company["id"],
        "name": company["name"],
        "legalName": company["legal_name"],
        "domain": company["domain"],
        "description": details.get("description", ""),
        "discontinued": company["discontinued"],
        "lastUpdatedAt": wire_instant(company["last_updated_at"]),
    }
    _copy_details(details, record, "url", "icon", "fiscalYearEnd", "stockSymbols")
    if category is not None:
        shown = category_summary(category)
        if category["parent_id"]:
            shown["parentCategoryId"] = category["parent_id"]
        record["category"] = shown
    return record


def _family_summary(family: FamilyRow, products: Iterable[ProductRow]) -> Record:
    record: Record = {"id": family["id"], "name": family["name"]}
    prices = price_range(products)
    if prices:
        record["defaultPriceRange"] = prices
    record["lastUpdatedAt"] = wire_instant(family["last_updated_at"])
    return record


def _company_competitor(company: CompanyRow) -> Record:
    record: Record = {"id": company["id"], "name": company["name"], "domain": company["domain"]}
    _copy_details(company["details"], record, "icon")
    return record


def _product_competitor(product: SoldProductRow, currency: str | None) -> Record:
    """A product beside one that is priced in `currency`. The record names none of its own, so a price in
    another is left out."""
    record: Record = {
        "companyId": product["company_id"],
        "companyName": product["company_name"],
        "domain": product["company_domain"],
        "productId": product["id"],
        "productName": product["name"],
        "pricingDimensions": product["dimensions"],
        "includedFeatures": product["features"],
    }
    if icon := product["company_details"].get("icon"):
        record["companyIcon"] = icon
    if product["default_price"] is not None and product["currency"] == currency:
        record["defaultPrice"] = to_json_amount(product["default_price"])
    for key, wire_key in (("icon", "productIcon"), ("url", "productUrl")):
        if value := product["details"].get(key):
            record[wire_key] = value
    return record


def _copy_details(details: Mapping[str, object], record: Record, *keys: str) -> None:
    for key in keys:
        if details.get(key):
            record[key] = details[key]
