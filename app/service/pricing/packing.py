"""A purchase as the few bytes that comparing needs, so that a store can keep them beside the row.

A scope of three products compares about a thousand purchases; reading those from their texts and JSON
takes longer than the whole estimate may. The form is the same in every process.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import log, nan
from zlib import crc32

import numpy as np

from app.service.pricing.query import FACETS, PriceQuery, log_rate
from app.service.purchases.records import Purchase, PurchaseType

# Change it whenever the form changes: a store packs again what has another version.
PACKING_VERSION = 1

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


def pack(purchase: Purchase) -> bytes:
    """The purchase's own columns in a fixed head, its attributes behind it in any number."""
    return _pack(
        purchase,
        purchase.purchase_date.toordinal(),
        log_rate(purchase),
        float(purchase.quantity),
        purchase.price_period != "once",
    )


def pack_query(query: PriceQuery, day: int) -> bytes:
    """The query in the same form, its price unknown, as if bought on `day`."""
    return _pack(query, day, nan, query.quantity, bool(query.recurring))


def _pack(row: Purchase | PriceQuery, day: int, rate: float, quantity: float, recurring: bool) -> bytes:
    head = _HEAD.pack(
        day,
        rate,
        log(quantity),
        float(row.term_months or 0),
        recurring,
        RENEWAL[row.purchase_type],
        code_of("currency", row.currency),
        code_of("order", row.order_id),
        code_of("supplier", row.supplier),
        code_of("product", row.product),
        code_of("product_key", row.product_key),
        code_of("product_family", row.product_family),
        code_of("brand", row.brand),
        code_of("category", row.category),
        code_of("unit", row.unit),
        code_of("buyer", row.buyer),
    )
    return head + b"".join(
        [
            _ATTRIBUTE.pack(
                crc32(name.encode()), code_of(name, value), value if isinstance(value, float) else nan
            )
            for name, value in row.attributes.items()
        ]
    )


def unpack(packed: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heads as `HEAD`, all attributes as `ATTRIBUTE`, and for each attribute the position of its head."""
    size = HEAD.itemsize
    heads = np.frombuffer(b"".join([row[:size] for row in packed]), dtype=HEAD)
    attributes = np.frombuffer(b"".join([row[size:] for row in packed]), dtype=ATTRIBUTE)
    counts = [(len(row) - size) // ATTRIBUTE.itemsize for row in packed]
    return heads, attributes, np.repeat(np.arange(len(packed)), counts)
