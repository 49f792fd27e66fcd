"""The discounts of single lines that follow from two prices."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.values.rounding import round_to_cents

_HUNDRED = Decimal(100)
_TENTH = Decimal("0.1")


def read_line_discounts(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines with the share of the discount between a list price and a price."""
    return [_read_from_prices(item) for item in items]


def _read_from_prices(item: LineItem) -> LineItem:
    """A share of at most one decimal that leads from the list price to the price, to the cent."""
    listed, price = item.list_unit_price, item.unit_price
    if item.discount_percent is not None or not listed or not price or not 0 < price < listed:
        return item
    percent = ((listed - price) / listed * _HUNDRED).quantize(_TENTH)
    if round_to_cents(listed * (_HUNDRED - percent) / _HUNDRED) != round_to_cents(price):
        return item
    return replace(item, discount_percent=percent.normalize() + 0)
