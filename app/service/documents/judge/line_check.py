"""Whether the figures of a line are printed, multiply, and can be read in one way only."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Literal, TypeAlias

from app.service.charges.months import list_payments
from app.service.documents.extraction import LineItem
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import ROUNDING
from app.service.values.rounding import count_decimals, is_close, is_product

LineValue: TypeAlias = Literal["quantity", "unit_price", "amount"]
LINE_VALUES: tuple[LineValue, ...] = ("quantity", "unit_price", "amount")
_Place: TypeAlias = tuple[LineValue, int | None, object]
_ONE = Decimal(1)
_LARGEST_COUNT = 1000
_DECIMALS_OF_RATE = 4


@dataclass(frozen=True)
class LineCheck:
    """What arithmetic says of a line.

    `multiplies` is None where a figure is missing. `is_proven` says that it does so with figures that are all
    printed, of which the quantity is not one. `other_quantity` is a number of its row with which it
    multiplies too. `printed` are the values that stand where they were read.
    """

    multiplies: bool | None
    is_proven: bool
    other_quantity: Decimal | None
    printed: frozenset[str]
    shares_figure: bool
    """Whether another line takes its amount from the same figure."""
    shares_quantity: bool
    """Whether another line has the same figure for its quantity, and it proves nothing."""
    rate: Decimal | None = None
    """What makes it multiply where nothing else does: a tax or a discount of a percentage of its row."""


def check_lines(figures: PrintedFigures, items: Sequence[LineItem]) -> list[LineCheck]:
    """Check each line."""
    used = Counter(place for item in items for place in _list_places(item, "amount", "quantity"))
    rows = [_find_rows(figures, item, ("amount",)) for item in items]
    of_all = frozenset[int]().union(*rows)
    return [
        _check_line(
            figures, item, number, used,
            borrows=not _find_rows(figures, item, ("quantity", "unit_price")) & of_all <= own,
        )
        for number, (item, own) in enumerate(zip(items, rows, strict=True), 1)
    ]  # fmt: skip


def _find_rows(figures: PrintedFigures, item: LineItem, names: Sequence[LineValue]) -> frozenset[int]:
    """The rows in which these values of a line stand."""
    places = (item.provenance.get(name) for name in names)
    orders = (figures.order_of(place) for place in places if place)
    return frozenset(order for order in orders if order is not None)


def _check_line(
    figures: PrintedFigures, item: LineItem, number: int, used: Counter[_Place], *,
    borrows: bool,
) -> LineCheck:  # fmt: skip
    """`borrows` says that a factor stands in the row of another line, where it proves nothing."""
    multiplies = _does_multiply(item)
    printed = frozenset(
        name
        for name in LINE_VALUES
        if figures.shows(item.provenance.get(name), getattr(item, name))
        or (name == "quantity" and _counts_twice(figures, item))
        or (name == "unit_price" and item.unit_price and _is_in_cents(figures, item))
    )
    proven = (
        bool(multiplies)
        and item.quantity != 1
        and not borrows
        and not may_be_exchange(item)
        and _is_printed(figures, item, printed)
    )
    return LineCheck(
        multiplies,
        proven,
        _find_other_quantity(figures, item, number) if multiplies else None,
        printed,
        any(used[place] > 1 for place in _list_places(item, "amount")),
        not proven and any(used[place] > 1 for place in _list_places(item, "quantity")),
        next((one for one in figures.list_rates_beside(item) if multiplies_with([one], item)), None)
        if multiplies is False
        else None,
    )


def _is_in_cents(figures: PrintedFigures, item: LineItem) -> bool:
    """Whether the price of a line is printed in hundredths of the currency."""
    return figures.shows(item.provenance.get("unit_price"), (item.unit_price or Decimal(0)) * 100)


def _counts_twice(figures: PrintedFigures, item: LineItem) -> bool:
    """Whether the quantity of a line is what two counts of its row make: two machines for 14 days."""
    order = figures.order_of_line(item)
    if order is None:
        return False
    counts = figures.counts_in(order, without_first=Decimal(0))
    return any(one * other == item.quantity for one, other in combinations(counts, 2))


def may_be_exchange(item: LineItem) -> bool:
    """Whether an amount with cents times a figure with four decimals looks like one in another currency."""
    decimals = [count_decimals(one) for one in (item.quantity, item.unit_price) if one is not None]
    return sorted(decimals) == [2, _DECIMALS_OF_RATE]


def _does_multiply(item: LineItem) -> bool | None:
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return None
    return any(_multiplies(item, item.quantity, one) for one in list_factors(item))


def _is_printed(figures: PrintedFigures, item: LineItem, printed: frozenset[str]) -> bool:
    """Whether quantity and amount are printed, and the price, or the list price and the discount from it, as
    a share or as money."""
    if not {"quantity", "amount"} <= printed:
        return False
    place, discount = item.provenance.get("unit_price"), item.provenance.get("discount_percent")
    listed = figures.shows(place, item.list_unit_price) or figures.shows(
        item.provenance.get("list_unit_price"), item.list_unit_price
    )
    money = item.list_unit_price and (item.quantity or 0) * item.list_unit_price - (item.amount or 0)
    return "unit_price" in printed or (
        listed and any(figures.shows(discount, one) for one in (item.discount_percent, money))
    )


def multiplies_with(rates: Sequence[Decimal], item: LineItem) -> bool:
    """Whether quantity and price of a line make its amount with one of these factors."""
    assert item.quantity is not None
    assert item.unit_price is not None
    assert item.amount is not None
    products = [item.quantity * item.unit_price * one for one in list_factors(item)]
    return any(is_close(one * rate, item.amount, ROUNDING) for one in products for rate in rates)


def list_factors(item: LineItem) -> list[Decimal]:
    """How often the price of a line may be charged; once where no period is read."""
    basis = item.price_basis_quantity or _ONE
    if not item.period_months:
        return [_ONE / basis]
    return [factor / basis for factor in (_ONE, *list_payments(item.period_months))]


def _list_places(item: LineItem, *names: LineValue) -> Iterator[_Place]:
    for name in names:
        if (place := item.provenance.get(name)) and place.box:
            yield name, place.page, place.box


def _multiplies(item: LineItem, quantity: Decimal, factor: Decimal) -> bool:
    """Whether the line multiplies, granting that its price, or a weight, was rounded."""
    assert item.unit_price is not None
    assert item.amount is not None
    if is_product(quantity, item.unit_price, factor, item.amount):
        return True
    rounded = Decimal(5).scaleb(-count_decimals(quantity) - 1) if count_decimals(quantity) > 1 else 0
    return abs(quantity * item.unit_price * factor - item.amount) <= abs(item.unit_price * factor) * rounded


def _find_other_quantity(figures: PrintedFigures, item: LineItem, number: int) -> Decimal | None:
    """Another whole number of the row that may be the quantity, where what was read as it is the periods."""
    order = figures.order_of_line(item)
    if order is None or not item.unit_price or not item.amount or not item.quantity:
        return None
    basis = item.price_basis_quantity or _ONE
    counts = figures.counts_in(order, without_first=Decimal(number))
    others = [one for one in counts if 0 < one <= _LARGEST_COUNT and one != item.quantity]
    return next(
        (
            one
            for one in others
            for factor in (_ONE, item.quantity, *others)
            if (item.quantity in counts or one * factor != item.quantity)
            and is_product(one, item.unit_price / basis, factor, item.amount)
        ),
        None,
    )
