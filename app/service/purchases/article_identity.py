"""The texts that identify the article of a purchase, and the keys of suppliers, products and articles."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from app.service.catalog.names import company_key, domain_key, item_key, name_key
from app.service.purchase_records import Purchase

DOMAIN_COLUMNS = dict.fromkeys(
    ("supplier_domain", "vendor_domain", "domain", "supplier_website", "website")
).keys()
"""Columns with the domain of the supplier, which identifies it better than its name."""


class ArticleIdentity(NamedTuple):
    """All texts that decide which article a purchase belongs to."""

    supplier: str
    domain: str
    product: str
    product_key: str | None
    product_family: str | None
    brand: str | None
    category: str | None
    description: str | None


def identify_article(purchase: Purchase) -> ArticleIdentity:
    """Return the texts of a purchase that decide which article it belongs to."""
    return ArticleIdentity(
        purchase.supplier,
        _supplier_domain(purchase),
        purchase.product,
        purchase.product_key,
        purchase.product_family,
        purchase.brand,
        purchase.category,
        purchase.description,
    )


def _supplier_domain(purchase: Purchase) -> str:
    """Return the supplier's domain; empty where the purchase names none."""
    if not DOMAIN_COLUMNS.isdisjoint(purchase.attributes):
        for column in DOMAIN_COLUMNS:
            given = purchase.attributes.get(column)
            if isinstance(given, str) and "." in (domain := domain_key(given)):
                return domain
    return ""


def supplier_key(purchase: Purchase) -> str:
    domain = _supplier_domain(purchase)
    return "@" + domain if domain else "=" + company_key(purchase.supplier)


def product_key(purchase: Purchase) -> str:
    if purchase.product_key:
        return "i" + item_key(purchase.product_key)
    return "n" + name_key(purchase.product)


def digest_article(purchase: Purchase) -> str:
    texts = (purchase.product, purchase.brand or "", purchase.category or "", purchase.description or "")
    return digest_texts(texts)


def digest_texts(texts: Iterable[str]) -> str:
    return hashlib.blake2b("\x1f".join(texts).encode("utf-8", "replace"), digest_size=16).hexdigest()
