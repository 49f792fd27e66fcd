"""What says where a purchase belongs, and the keys under which suppliers, products and wordings are known."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from app.service.catalog.names import company_key, domain_key, item_key, name_key
from app.service.purchase_records.records import Purchase

DOMAIN_COLUMNS = dict.fromkeys(
    ("supplier_domain", "vendor_domain", "domain", "supplier_website", "website")
).keys()
"""Columns that say which company a supplier is, where names are not enough."""


class Wording(NamedTuple):
    """All that says where a purchase belongs: equal ones belong to the same article."""

    supplier: str
    domain: str
    product: str
    product_key: str | None
    product_family: str | None
    brand: str | None
    category: str | None
    description: str | None


def wording_of(purchase: Purchase) -> Wording:
    """The texts of a purchase that say where it belongs."""
    return Wording(
        purchase.supplier,
        _domain(purchase),
        purchase.product,
        purchase.product_key,
        purchase.product_family,
        purchase.brand,
        purchase.category,
        purchase.description,
    )


def _domain(purchase: Purchase) -> str:
    """The supplier's domain where the purchase names one."""
    if not DOMAIN_COLUMNS.isdisjoint(purchase.attributes):
        for column in DOMAIN_COLUMNS:
            given = purchase.attributes.get(column)
            if isinstance(given, str) and "." in (domain := domain_key(given)):
                return domain
    return ""


def supplier_key(purchase: Purchase) -> str:
    domain = _domain(purchase)
    return "@" + domain if domain else "=" + company_key(purchase.supplier)


def product_key(purchase: Purchase) -> str:
    if purchase.product_key:
        return "i" + item_key(purchase.product_key)
    return "n" + name_key(purchase.product)


def wording_digest(purchase: Purchase) -> str:
    texts = (purchase.product, purchase.brand or "", purchase.category or "", purchase.description or "")
    return digest_of(texts)


def digest_of(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\x1f".join(texts).encode("utf-8", "replace"), digest_size=16).hexdigest()
