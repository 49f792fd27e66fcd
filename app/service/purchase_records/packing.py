"""Pack a purchase into the few bytes that a comparison needs, stored in a column of its row.

A scope of three products compares about a thousand purchases; reading those from their texts and JSON
takes longer than the whole estimate may. The format is the same in every process; a migration that changes
it empties the column, and a purchase that is not packed yet is packed when it is read.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from math import log, nan
from typing import NamedTuple, Self
from zlib import crc32

import numpy as np

from app.contract.scope import PurchaseType
from app.service.purchase_records.records import FACETS, PriceQuery, Purchase, log_rate

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
    """Encode the name of an attribute as 32 bits."""
    return crc32(attribute.encode("utf-8", "replace"))


def unpack(packed: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the heads (`HEAD_DTYPE`), all attributes (`ATTRIBUTE_DTYPE`), and each attribute's head
    position."""
    size = HEAD_DTYPE.itemsize
    heads = np.frombuffer(b"".join([row[:size] for row in packed]), dtype=HEAD_DTYPE)
    attributes = np.frombuffer(b"".join([row[size:] for row in packed]), dtype=ATTRIBUTE_DTYPE)
    counts = [(len(row) - size) // ATTRIBUTE_DTYPE.itemsize for row in packed]
    return heads, attributes, np.repeat(np.arange(len(packed)), counts)
