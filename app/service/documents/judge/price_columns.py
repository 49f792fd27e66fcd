"""Lines of which a table shows nothing but a price: of a price list, or of a quote that sums them up."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.judge.readings import Reading, sum_lines
from app.service.values.rounding import CENT, is_close, is_product

_FEWEST = 2


def are_prices_alone(items: Sequence[LineItem]) -> bool:
    """Whether several lines have neither a quantity nor an amount."""
    return len(items) >= _FEWEST and all(item.quantity is None and item.amount is None for item in items)


def find_amounts(
    items: Sequence[LineItem], learned: Reading, sums: Collection[Decimal]
) -> Sequence[LineItem]:
    """The lines with their amounts, where the prices add up to a printed sum, or where those of the learned
    reader multiply and make the net that it read; else the lines as they are."""
    whole = sum((item.unit_price for item in items if item.unit_price is not None), Decimal(0))
    if whole and whole in sums:
        return [_with_amount(item) for item in items]
    made = sum_lines(learned.items)
    net = learned.totals.net
    multiply = [
        one.quantity is not None
        and one.unit_price is not None
        and one.amount is not None
        and is_product(one.quantity, one.unit_price, Decimal(1), one.amount)
        for one in learned.items
    ]
    if made and net is not None and is_close(made, net, CENT) and all(multiply):
        return learned.items
    return items


def _with_amount(item: LineItem) -> LineItem:
    place = item.provenance.get("unit_price")
    provenance = {**item.provenance, **({"amount": place} if place else {})}
    return replace(item, amount=item.unit_price, provenance=provenance)
