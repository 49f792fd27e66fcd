"""The discounts of single lines that stand in their words, or follow from two prices."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.vocabulary import DISCOUNT
from app.service.values.folding import fold
from app.service.values.rounding import is_product, round_to_cents

_HUNDRED = Decimal(100)
_TENTH = Decimal("0.1")
_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?) ?%")


def read_line_discounts(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines with the share of a discount that their words name, where the amount is less by just that,
    and with that between a list price and a price."""
    return [_read_from_prices(_read_from_words(item)) for item in items]


def _read_from_words(item: LineItem) -> LineItem:
    words = fold(item.description or "")
    quantity, price, amount = item.quantity, item.unit_price, item.amount
    if item.discount_percent or item.list_unit_price or not (quantity and price and amount):
        return item
    if not DISCOUNT.search(words) or is_product(quantity, price, _periods(item), amount):
        return item
    for found in _PERCENT.finditer(words):
        percent = Decimal(found[1].replace(",", "."))
        reduced = price * (_HUNDRED - percent) / _HUNDRED
        if percent and is_product(quantity, reduced, _periods(item), amount):
            places = {name: place for name, place in item.provenance.items() if name != "unit_price"}
            if place := item.provenance.get("unit_price"):
                places["list_unit_price"] = place
            return replace(
                item,
                unit_price=reduced,
                list_unit_price=price,
                discount_percent=percent,
                provenance=places,
            )
    return item


def _periods(item: LineItem) -> Decimal:
    return Decimal(item.period_months or 1) / (item.price_basis_quantity or 1)


def _read_from_prices(item: LineItem) -> LineItem:
    """A share of at most one decimal that leads from the list price to the price, to the cent."""
    listed, price = item.list_unit_price, item.unit_price
    if item.discount_percent is not None or not listed or not price or not 0 < price < listed:
        return item
    percent = ((listed - price) / listed * _HUNDRED).quantize(_TENTH)
    if round_to_cents(listed * (_HUNDRED - percent) / _HUNDRED) != round_to_cents(price):
        return item
    return replace(item, discount_percent=percent.normalize() + 0)
