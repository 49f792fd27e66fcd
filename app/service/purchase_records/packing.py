"""A purchase as the few bytes that comparing needs, so that a store can keep them beside the row.

A scope of three products compares about a thousand purchases; reading those from their texts and JSON
takes longer than the whole estimate may. The form is the same in every process; a migration that changes
it empties the column, and what is not packed yet is packed when it is read.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import log, nan
from typing import NamedTuple, Self
from zlib import crc32

import numpy as np

from app.service.purchase_records.query import FACETS, PriceQuery, log_rate
from app.service.purchase_records.records import Purchase, PurchaseType

UNKNOWN = 0
RENEWAL: dict[PurchaseType | None, int] = {"renewal": 1, "new_purchase": 0, None: -1}

HEAD = np.dtype(
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
ATTRIBUTE = np.dtype([("name", "<u4"), ("value", "<u4"), ("number", "<f8")])

_HEAD = struct.Struct(f"<iddfbbII{len(FACETS)}I")
_ATTRIBUTE = struct.Struct("<IId")


@lru_cache(maxsize=200_000)
def code_of(name: str, value: str | float | None) -> int:
    """A value of a field as 32 bits, equal where the values are in any case of letters; 0 is none."""
    if value is None or value == "":
        return UNKNOWN
    said = value.casefold() if isinstance(value, str) else f"{value:.12g}"
    return crc32(f"{name}={said}".encode("utf-8", "replace")) or 1


class Places(NamedTuple):
    """Codes of the texts that say where a purchase belongs, the same for all purchases of an article."""

    supplier: int
    product: int
    product_key: int
    product_family: int
    brand: int
    category: int

    @classmethod
    def of(
        cls,
        row: Purchase | PriceQuery,
        supplier: str | None,
        product_key: str | None,
        product_family: str | None,
    ) -> Self:
        """Those of a purchase whose supplier, product and family are known by other names in the store."""
        return cls(
            code_of("supplier", supplier),
            code_of("product", row.product),
            code_of("product_key", product_key),
            code_of("product_family", product_family),
            code_of("brand", row.brand),
            code_of("category", row.category),
        )


def pack(purchase: Purchase, places: Places | None = None) -> bytes:
    """The purchase's own columns in a fixed head, its attributes behind it in any number."""
    return _pack(
        purchase,
        places or Places.of(purchase, purchase.supplier, purchase.product_key, purchase.product_family),
        purchase.purchase_date.toordinal(),
        log_rate(purchase),
        float(purchase.quantity),
        purchase.price_period != "once",
    )


def pack_query(query: PriceQuery, day: int) -> bytes:
    """The query in the same form, its price unknown, as if bought on `day`."""
    places = Places.of(query, query.supplier, query.product_key, query.product_family)
    return _pack(query, places, day, nan, query.quantity, bool(query.recurring))


def _pack(
    row: Purchase | PriceQuery, places: Places, day: int, rate: float, quantity: float, recurring: bool
) -> bytes:
    head = _HEAD.pack(
        day,
        rate,
        log(quantity),
        float(row.term_months or 0),
        recurring,
        RENEWAL[row.purchase_type],
        code_of("currency", row.currency),
        code_of("order", row.order_id),
        *places,
        code_of("unit", row.unit),
        code_of("buyer", row.buyer),
    )
    return head + _pack_attributes(tuple(row.attributes.items()))


@lru_cache(maxsize=65_536)
def _pack_attributes(attributes: tuple[tuple[str, str | float], ...]) -> bytes:
    return b"".join(
        [
            _ATTRIBUTE.pack(
                code_of_name(name), code_of(name, value), value if isinstance(value, float) else nan
            )
            for name, value in attributes
        ]
    )


@lru_cache(maxsize=10_000)
def code_of_name(attribute: str) -> int:
    """The name of an attribute as 32 bits."""
    return crc32(attribute.encode("utf-8", "replace"))


def unpack(packed: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heads as `HEAD`, all attributes as `ATTRIBUTE`, and for each attribute the position of its head."""
    size = HEAD.itemsize
    heads = np.frombuffer(b"".join([row[:size] for row in packed]), dtype=HEAD)
    attributes = np.frombuffer(b"".join([row[size:] for row in packed]), dtype=ATTRIBUTE)
    counts = [(len(row) - size) // ATTRIBUTE.itemsize for row in packed]
    return heads, attributes, np.repeat(np.arange(len(packed)), counts)
