"""A past purchase, as the estimator and the stores know it."""

import hashlib
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

PricePeriod = Literal["month", "year", "term", "once"]
PurchaseType = Literal["new_purchase", "renewal"]

MONTHS_IN: dict[PricePeriod, int] = {"month": 1, "year": 12}


@dataclass(frozen=True, slots=True)
class Purchase:
    """One line of an order, paid or contracted.

    `unit_price` is pre-tax, for one `unit` and one `price_period`; `total_price` is pre-tax for the
    whole term. `term_months` is None where the purchase states no term.
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


@dataclass(frozen=True, slots=True)
class Rejected:
    """A row that was not taken: its line in the file (the header is line 1) and why, for a person."""

    line: int
    reason: str
    row_id: str = ""


def row_key(purchase: Purchase) -> str:
    """The key under which a purchase is imported once, however often its file is.

    It is the file's own row id where there is one, else a digest of what identifies the purchase.
    Two rows alike in all of that are one purchase.
    """
    return purchase.id or identifying_digest(purchase)


def identifying_digest(purchase: Purchase) -> str:
    """A 128-bit digest, in hexadecimal, of the fields that tell one purchase from another."""
    parts = (
        purchase.order_id or "",
        purchase.purchase_date.isoformat(),
        purchase.supplier,
        purchase.product,
        purchase.product_key or "",
        purchase.unit or "",
        purchase.buyer or "",
        format(purchase.quantity.normalize(), "f"),
        format(purchase.unit_price.normalize(), "f"),
        purchase.currency,
        purchase.price_period,
        str(purchase.term_months or ""),
        *(f"{name}={purchase.attributes[name]}" for name in sorted(purchase.attributes)),
    )
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
