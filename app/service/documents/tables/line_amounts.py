"""Whether a column called `Price` holds prices or amounts, where no column of amounts stands beside it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.tables.line_items import net_unit_price
from app.service.values.rounding import adds_up, round_to_cents


def correct_amounts(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """Return the lines with the amounts that the page does not show: quantity × price where these products
    add up to a printed sum, else the prices where they do."""
    priced = [
        (item.unit_price, item.quantity)
        for item in items
        if item.unit_price is not None and item.quantity and item.amount is None
    ]
    prices, products = [price for price, _ in priced], [price * quantity for price, quantity in priced]
    if len(priced) < len(items):
        return list(items)
    if any(adds_up(products, one) for one in sums):
        return [
            replace(item, amount=round_to_cents(product))
            for item, product in zip(items, products, strict=True)
        ]
    if not any(adds_up(prices, one) for one in sums):
        return list(items)
    return [_treat_price_as_amount(item) for item in items]


def _treat_price_as_amount(item: LineItem) -> LineItem:
    """The line with its price as the amount of all its pieces."""
    if item.unit_price is None or not item.quantity:
        return item
    provenance = {**item.provenance}
    if place := provenance.pop("unit_price", None):
        provenance["amount"] = place
    return replace(
        item,
        amount=item.unit_price,
        unit_price=net_unit_price(item.unit_price, item.quantity),
        provenance=provenance,
    )
