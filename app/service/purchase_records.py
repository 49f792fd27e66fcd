"""A past purchase, as the estimator and the stores use it, and packed into the few bytes that a comparison
needs, stored in a column of its row.

A scope of three products compares about a thousand purchases; reading those from their texts and JSON takes
longer than the whole estimate may. The format is the same in every process; a migration that changes it
empties the column, and a purchase that is not packed yet is packed when it is read.
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from math import log, nan
from typing import Literal, NamedTuple, Self
from zlib import crc32

import numpy as np

from app.contract.scope import PurchaseType
from app.service.charges.charge import price_of_month

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


# Fields of a purchase that are compared for equality, as its attributes are.
FACETS = ("supplier", "product", "product_key", "product_family", "brand", "category", "unit", "buyer")


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """One product of a scope, or one purchase whose price is estimated without looking at it.

    `quantity` and `term_months` are how many are bought and the term that the price covers (None: not
    stated). `recurring` says whether
    the price grows with the term; None lets the comparables decide. `attributes` are pricing
    dimensions by name, a select's value as its label, a number as a float. `order_id` is only used to
    leave the same order out.
    """

    product: str
    quantity: float | None = 1.0
    currency: str = "USD"
    term_months: int | None = None
    recurring: bool | None = None
    purchase_type: PurchaseType | None = None
    supplier: str | None = None
    product_key: str | None = None
    item_id: str | None = None
    product_family: str | None = None
    brand: str | None = None
    category: str | None = None
    unit: str | None = None
    buyer: str | None = None
    description: str | None = None
    list_price: float | None = None
    order_id: str | None = None
    attributes: Mapping[str, str | float] = field(default_factory=dict[str, str | float])

    @classmethod
    def from_purchase(cls, purchase: Purchase) -> Self:
        """Return the question that a purchase answers; of its prices only the list price is read."""
        return cls(
            product=purchase.product,
            quantity=float(purchase.quantity),
            currency=purchase.currency,
            term_months=purchase.term_months,
            recurring=purchase.price_period != "once",
            purchase_type=purchase.purchase_type,
            supplier=purchase.supplier,
            product_key=purchase.product_key,
            item_id=purchase.item_id,
            product_family=purchase.product_family,
            brand=purchase.brand,
            category=purchase.category,
            unit=purchase.unit,
            buyer=purchase.buyer,
            description=purchase.description,
            list_price=None if purchase.list_price is None else float(purchase.list_price),
            order_id=purchase.order_id,
            attributes=purchase.attributes,
        )


def describe_article(row: Purchase | PriceQuery) -> str:
    """The texts that name the article, in one: the product, the supplier's number and the brand. Numbers and
    brands that are nearly equal are often those of one series."""
    return " ".join([text for text in (row.product, row.item_id, row.brand) if text])


def log_rate(purchase: Purchase) -> float:
    """Return ln of the unit price, for one month where the price is for a time; NaN where that is for a term
    which the purchase does not state."""
    price = price_of_month(float(purchase.unit_price), purchase.price_period, purchase.term_months)
    return nan if price is None else log(price)


NO_VALUE = 0
RENEWAL_CODES: dict[PurchaseType | None, int] = {"renewal": 1, "new_purchase": 0, None: -1}

HEAD_DTYPE = np.dtype(
    [
        ("day", "<i4"),
        ("log_rate", "<f8"),
        ("log_quantity", "<f8"),
        ("term", "<f4"),
        ("recurring", "<i1"),
        ("renewal", "<i1"),
        ("currency", "<u4"),
        ("order", "<u4"),
        ("facets", "<u4", (len(FACETS),)),
    ]
)
ATTRIBUTE_DTYPE = np.dtype([("name", "<u4"), ("value", "<u4"), ("number", "<f8")])

_HEAD = struct.Struct(f"<iddfbbII{len(FACETS)}I")
_ATTRIBUTE = struct.Struct("<IId")


@lru_cache(maxsize=200_000)
def encode_value(name: str, value: str | float | None) -> int:
    """Encode a field's value as 32 bits, equal for values that differ only in case; 0 is no value."""
    if value is None or value == "":
        return NO_VALUE
    text = value.casefold() if isinstance(value, str) else f"{value:.12g}"
    return crc32(f"{name}={text}".encode("utf-8", "replace")) or 1


class ArticleCodes(NamedTuple):
    """Codes of the texts that identify the article of a purchase, the same for all its purchases."""

    supplier: int
    product: int
    product_key: int
    product_family: int
    brand: int
    category: int

    @classmethod
    def from_row(
        cls,
        row: Purchase | PriceQuery,
        supplier: str | None,
        product_key: str | None,
        product_family: str | None,
    ) -> Self:
        """Return the codes of a row, with supplier, product and family as the caller identifies them."""
        return cls(
            encode_value("supplier", supplier),
            encode_value("product", row.product),
            encode_value("product_key", product_key),
            encode_value("product_family", product_family),
            encode_value("brand", row.brand),
            encode_value("category", row.category),
        )


def pack(purchase: Purchase, places: ArticleCodes | None = None) -> bytes:
    """Pack the purchase's own fields into a fixed head, followed by any number of attributes."""
    return _pack(
        purchase,
        places
        or ArticleCodes.from_row(purchase, purchase.supplier, purchase.product_key, purchase.product_family),
        purchase.purchase_date.toordinal(),
        log_rate(purchase),
        float(purchase.quantity),
        purchase.price_period != "once",
    )


def pack_query(query: PriceQuery, day: int) -> bytes:
    """Pack the query in the same format, without a price, as if bought on `day`."""
    places = ArticleCodes.from_row(query, query.supplier, query.product_key, query.product_family)
    quantity = nan if query.quantity is None else query.quantity
    return _pack(query, places, day, nan, quantity, bool(query.recurring))


def _pack(
    row: Purchase | PriceQuery, places: ArticleCodes, day: int, rate: float, quantity: float, recurring: bool
) -> bytes:
    head = _HEAD.pack(
        day,
        rate,
        log(quantity),
        float(row.term_months or 0),
        recurring,
        RENEWAL_CODES[row.purchase_type],
        encode_value("currency", row.currency),
        encode_value("order", row.order_id),
        *places,
        encode_value("unit", row.unit),
        encode_value("buyer", row.buyer),
    )
    return head + _pack_attributes(tuple(row.attributes.items()))


@lru_cache(maxsize=65_536)
def _pack_attributes(attributes: tuple[tuple[str, str | float], ...]) -> bytes:
    return b"".join(
        [
            _ATTRIBUTE.pack(
                encode_name(name), encode_value(name, value), value if isinstance(value, float) else nan
            )
            for name, value in attributes
        ]
    )


@lru_cache(maxsize=10_000)
def encode_name(attribute: str) -> int:
    return crc32(attribute.encode("utf-8", "replace"))


def unpack(packed: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the heads (`HEAD_DTYPE`), all attributes (`ATTRIBUTE_DTYPE`), and each attribute's head
    position."""
    size = HEAD_DTYPE.itemsize
    heads = np.frombuffer(b"".join([row[:size] for row in packed]), dtype=HEAD_DTYPE)
    attributes = np.frombuffer(b"".join([row[size:] for row in packed]), dtype=ATTRIBUTE_DTYPE)
    counts = [(len(row) - size) // ATTRIBUTE_DTYPE.itemsize for row in packed]
    return heads, attributes, np.repeat(np.arange(len(packed)), counts)
