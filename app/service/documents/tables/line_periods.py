"""For how many months a line is paid, where its own figures prove it: quantity x price x months = amount."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.charges.months import list_payments
from app.service.charges.schedule import Span
from app.service.documents.extraction import LineItem
from app.service.values.rounding import is_product


def prove_periods(
    items: Sequence[LineItem], term_months: int | None, paid_part: Span | None
) -> list[LineItem]:
    """The lines, of which those that state no period are paid for the term, or for the `paid_part` of it,
    where their price is one for a month or a year and makes their amount."""
    return [_prove(item, term_months, paid_part) for item in items]


def _prove(item: LineItem, term_months: int | None, paid_part: Span | None) -> LineItem:
    if item.period_months is not None or term_months is None or item.recurring is False:
        return item
    if not item.quantity or not item.unit_price or not item.amount or _multiplies(item, Decimal(1)):
        return item
    if _is_paid_for(item, term_months):
        return replace(item, period_months=term_months)
    if paid_part is not None and _is_paid_for(item, int(paid_part[1])):
        start, months = map(int, paid_part)
        return replace(item, period_months=months, first_month=start, span_months=months)
    return item


def _is_paid_for(item: LineItem, months: int) -> bool:
    return months > 1 and any(_multiplies(item, factor) for factor in list_payments(months))


def _multiplies(item: LineItem, factor: Decimal) -> bool:
    assert item.quantity is not None
    assert item.unit_price is not None
    assert item.amount is not None
    factor /= item.price_basis_quantity or 1
    return is_product(item.quantity, item.unit_price, factor, item.amount)
