"""A past purchase, as the estimator and the stores use it."""

import hashlib
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from app.contract.scope import PurchaseType

PricePeriod = Literal["month", "year", "term", "once"]

UNIT_COLUMN = "unit"
"""The column that becomes a dimension where a product is sold in several units."""


@dataclass(slots=True)
class Purchase:
    """One line of an order, paid or contracted. Treat it as immutable: creating a frozen dataclass takes
    three times as long, and an import creates millions.

    `item_id` is the supplier's own number of the article. `unit_price` is pre-tax, for one `unit` and one
    `price_period`; `total_price` is pre-tax for the whole term. `term_months` is None where the purchase
    states no term.
    """

    id: str
    purchase_date: date
    supplier: str
    product: str
    quantity: Decimal
    unit_price: Decimal
    total_price: Decimal
    currency: str
    product_key: str | None = None
    item_id: str | None = None
    product_family: str | None = None
    brand: str | None = None
    category: str | None = None
    unit: str | None = None
    term_months: int | None = None
    price_period: PricePeriod = "once"
    purchase_type: PurchaseType | None = None
    list_price: Decimal | None = None
    description: str | None = None
    buyer: str | None = None
    order_id: str | None = None
    attributes: dict[str, str | float] = field(default_factory=dict[str, str | float])


def digest_purchase(purchase: Purchase) -> str:
    """Return a 128-bit digest, in hexadecimal, of the fields that tell one purchase from another."""
    return hashlib.blake2b(
        f"{purchase.order_id or ''}\x1f{format_iso_day(purchase.purchase_date)}\x1f{purchase.supplier}"
        f"\x1f{purchase.product}\x1f{purchase.product_key or ''}\x1f{purchase.unit or ''}"
        f"\x1f{purchase.buyer or ''}\x1f{float(purchase.quantity)!r}\x1f{float(purchase.unit_price)!r}"
        f"\x1f{purchase.currency}\x1f{purchase.price_period}\x1f{purchase.term_months or ''}"
        f"\x1f{_sort_attributes(tuple(purchase.attributes.items()))}".encode("utf-8", "replace"),
        digest_size=16,
    ).hexdigest()


@lru_cache(maxsize=65_536)
def format_iso_day(day: date) -> str:
    """Return the day as ISO 8601 text. The same days come again and again, so each is formatted once."""
    return day.isoformat()


@lru_cache(maxsize=65_536)
def _sort_attributes(attributes: tuple[tuple[str, str | float], ...]) -> str:
    return str(sorted(attributes))
