"""Rows of taxes (a base, a rate and the tax) and of sums, which look like lines of items."""

from collections.abc import Collection, Sequence
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.values.folding import fold
from app.service.values.rounding import CENT, is_close, round_to_cents

_HIGHEST_RATE = Decimal(30)
_ZERO = Decimal(0)


def without_tax_rows(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines without those that charge per cents of what the others add up to, whole or in parts."""
    bases = [_find_base(item) for item in items]
    goods = [item for item, base in zip(items, bases, strict=True) if base is None]
    whole = _sum_amounts(goods)
    taxed = [base for base in bases if base is not None]
    if whole > 0 and (all(base == whole for base in taxed) or sum(taxed, _ZERO) == whole):
        return goods
    return list(items)


def without_sum_row(items: Sequence[LineItem], sums: Collection[Decimal]) -> list[LineItem]:
    """The lines without a last one whose quantity and amount are both the sums of those above it. It is a
    line where a unit costs what it does above, or all make a printed sum: 10, 20, 30 users in three years."""
    *goods, last = items or [LineItem()]
    whole = _sum_amounts(goods)
    quantities = [item.quantity for item in goods if item.quantity is not None]
    is_sum = len(goods) > 1 and last.quantity == sum(quantities) and last.amount == whole
    is_priced = last.unit_price is not None and last.unit_price in [item.unit_price for item in goods]
    if is_sum and not is_priced and 2 * whole not in sums:
        return goods
    return list(items)


def without_sums_of(
    goods: Sequence[LineItem], items: Sequence[LineItem], sums: Collection[Decimal | None]
) -> Sequence[LineItem]:
    """The lines without those that are not among the goods and that are the sum of several of them all, or
    one of these sums and named so."""
    whole = _sum_amounts(goods)
    amounts = [item.amount for item in goods]

    def is_sum(item: LineItem) -> bool:
        if not goods or item.amount in amounts or item.quantity not in (None, 1):
            return False
        named = item.amount in sums and total_kind(fold(item.description or "")) is not None
        return named or (len(goods) > 2 and item.amount == whole)

    return [one for one in items if not is_sum(one)]


def _sum_amounts(goods: Sequence[LineItem]) -> Decimal:
    return sum((item.amount for item in goods if item.amount is not None and not item.optional), _ZERO)


def _find_base(item: LineItem) -> Decimal | None:
    """The larger of two factors whose product is a hundred times the amount; None for any other line."""
    one, other, amount = item.quantity, item.unit_price, item.amount
    if one is None or other is None or not amount or item.price_basis_quantity is not None:
        return None
    rate, base = sorted((one, other))
    taxes = 0 < rate <= _HIGHEST_RATE and is_close(round_to_cents(rate * base / 100), amount, CENT)
    return base if taxes and not is_close(rate * base, amount, CENT) else None
