"""Catalog rows as they go over the wire, JSON text ready to send.

Built once, when a row or what it shows changes, and never on the way out. Rows are mappings with the columns
of `tables.catalog`. The records carry exactly the keys of the interface, absent optionals left out.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.contract.pricing import MIN_PURCHASES
from app.contract.values import wire_instant

Row = Mapping[str, Any]
Record = dict[str, Any]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def as_text(record: Record) -> str:
    """The record as JSON without white space."""
    return _ENCODER.encode(record)


def number(value: float) -> int | float:
    """A JSON number, whole where it is whole."""
    return int(value) if value == int(value) else value


def amount(value: float) -> int | float:
    """Money as a JSON number: to the cent from 10 on, to six significant digits below."""
    return number(round(value, 2) if abs(value) >= 10 else float(f"{value:.6g}"))


def category_summary(category: Row) -> Record:
    return {
        "id": category["id"],
        "name": category["name"],
        "description": category["description"],
        "lastUpdatedAt": wire_instant(category["last_updated_at"]),
    }


def category_record(category: Row, children: Sequence[Row]) -> Record:
    """A category as lists give it."""
    record = category_summary(category)
    if children:
        record["childCategories"] = [category_summary(child) for child in children]
    return record


def company_in_list(
    company: Row, category: Row | None, competitors: Iterable[Row], purchase_count: int
) -> Record:
    """A company as lists give it. `competitors` are company rows."""
    record = _company_head(company, category)
    record["realPurchaseCount"] = purchase_count
    rivals = [_company_competitor(rival) for rival in competitors]
    if rivals:
        record["competitors"] = rivals
    return record


def company_record(
    company: Row,
    category: Row | None,
    competitors: Iterable[Row],
    purchase_count: int,
    families: Iterable[tuple[Row, Sequence[Row]]],
    products: Sequence[Row],
    samples: Sequence[Record],
) -> Record:
    """A company as its read gives it: with its families (each with its product rows), products and
    anonymised purchases (as `purchases.samples` makes them)."""
    record = _company_head(company, category)
    record["productFamilies"] = [_family_summary(family, members) for family, members in families]
    record["products"] = [product_summary(product) for product in products]
    record["learningDataSamples"] = list(samples)
    record["competitors"] = [_company_competitor(rival) for rival in competitors]
    prices = price_range(products)
    if prices:
        record["defaultPriceRange"] = prices
    record["realPurchaseCount"] = purchase_count
    return record


def family_record(family: Row, products: Sequence[Row]) -> Record:
    """A product family, in lists and alone."""
    record = _family_summary(family, products)
    if products:
        record["products"] = [product_summary(product) for product in products]
    return record


def product_in_list(product: Row, competitors: Iterable[Row]) -> Record:
    """A product as lists give it. `competitors` are product rows with their company's `company_name`,
    `company_domain` and `company_details` beside them."""
    record: Record = {"id": product["id"], "name": product["name"]}
    if product["family_id"]:
        record["productFamilyId"] = product["family_id"]
    details = product["details"]
    record["description"] = details.get("description", "")
    _copy(details, record, "icon", "url")
    if product["currency"]:
        record["currency"] = product["currency"]
    record["pricingDimensions"] = product["dimensions"]
    record["includedFeatures"] = product["features"]
    record["isCustomEstimateAvailable"] = custom_estimate(product)
    record["lastUpdatedAt"] = wire_instant(product["last_updated_at"])
    record["competitors"] = [_product_competitor(rival) for rival in competitors]
    return record


def product_record(product: Row, company: Row, competitors: Iterable[Row]) -> Record:
    """A product as its read gives it: with its company and its price."""
    record = product_in_list(product, competitors)
    if product["default_price"] is not None:
        record["defaultPrice"] = amount(product["default_price"])
    record["company"] = {
        "id": company["id"],
        "name": company["name"],
        "legalName": company["legal_name"],
        "domain": company["domain"],
    }
    return record


def product_summary(product: Row) -> Record:
    """A product inside its company or family."""
    record: Record = {"id": product["id"]}
    if product["family_id"]:
        record["productFamilyId"] = product["family_id"]
    record["name"] = product["name"]
    _copy(product["details"], record, "description", "icon", "url")
    if product["default_price"] is not None:
        record["defaultPrice"] = amount(product["default_price"])
    if product["currency"]:
        record["currency"] = product["currency"]
    record["isCustomEstimateAvailable"] = custom_estimate(product)
    record["lastUpdatedAt"] = wire_instant(product["last_updated_at"])
    return record


def custom_estimate(product: Row) -> bool:
    """A dimension has a known price impact and enough purchases stand behind it."""
    return product["purchase_count"] >= MIN_PURCHASES and any(
        dimension["priceImpactKnown"] for dimension in product["dimensions"]
    )


def price_range(products: Iterable[Row]) -> Record | None:
    """From the lowest to the highest default price, in the currency that most products are priced in."""
    priced = [(p["currency"], p["default_price"]) for p in products if p["default_price"] is not None]
    if not priced:
        return None
    currency = max(sorted(Counter(currency for currency, _ in priced).items()), key=lambda item: item[1])[0]
    prices = [price for other, price in priced if other == currency]
    return {"min": amount(min(prices)), "max": amount(max(prices)), "currency": currency}


def _company_head(company: Row, category: Row | None) -> Record:
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
    _copy(details, record, "url", "icon", "fiscalYearEnd", "stockSymbols")
    if category is not None:
        record["category"] = category_summary(category)
        if category["parent_id"]:
            record["category"]["parentCategoryId"] = category["parent_id"]
    return record


def _family_summary(family: Row, products: Iterable[Row]) -> Record:
    record: Record = {"id": family["id"], "name": family["name"]}
    prices = price_range(products)
    if prices:
        record["defaultPriceRange"] = prices
    record["lastUpdatedAt"] = wire_instant(family["last_updated_at"])
    return record


def _company_competitor(company: Row) -> Record:
    record: Record = {"id": company["id"], "name": company["name"], "domain": company["domain"]}
    _copy(company["details"], record, "icon")
    return record


def _product_competitor(product: Row) -> Record:
    record: Record = {
        "companyId": product["company_id"],
        "companyName": product["company_name"],
        "domain": product["company_domain"],
        "productId": product["id"],
        "productName": product["name"],
        "pricingDimensions": product["dimensions"],
        "includedFeatures": product["features"],
    }
    if product["company_details"].get("icon"):
        record["companyIcon"] = product["company_details"]["icon"]
    if product["default_price"] is not None:
        record["defaultPrice"] = amount(product["default_price"])
    for ours, theirs in (("icon", "productIcon"), ("url", "productUrl")):
        if product["details"].get(ours):
            record[theirs] = product["details"][ours]
    return record


def _copy(details: Mapping[str, Any], record: Record, *keys: str) -> None:
    for key in keys:
        if details.get(key):
            record[key] = details[key]
