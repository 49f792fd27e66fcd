"""Amounts, quantities and periods of lines that arithmetic tells, and no header."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.charges.months import MONTHS_PER_YEAR, list_payments
from app.service.charges.schedule import Span
from app.service.documents.extraction import LineItem, Provenance, list_places
from app.service.documents.judge.readings import Reading, sum_lines
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.tables.row_figures import list_cells_beside
from app.service.documents.tables.surplus_lines import multiplies
from app.service.documents.values.money import is_figure
from app.service.values.rounding import CENT, adds_up, divide_price, is_close, round_to_cents

_FEWEST = 2
_MONTHS = (12, 24, 36, 48, 60, 3, 6)


def are_prices_alone(items: Sequence[LineItem]) -> bool:
    """Whether several lines have neither a quantity nor an amount."""
    return len(items) >= _FEWEST and all(item.quantity is None and item.amount is None for item in items)


def find_amounts(items: Sequence[LineItem], learned: Reading) -> Sequence[LineItem]:
    """The lines with their amounts, where those of the learned reader are half as many or more, multiply and
    make the net that it read; else the lines as they are."""
    made, net = sum_lines(learned.items), learned.totals.net
    makes_net = made and net is not None and is_close(made, net, CENT)
    is_whole = makes_net and len(learned.items) * 2 >= len(items) and all(map(multiplies, learned.items))
    return learned.items if is_whole else items


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


def add_amounts_of_paces(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """Return the lines with amounts, where what is paid once and what is paid again stand in columns of their
    own: as `correct_amounts` does with any figure outside the lines for the sum of a column, else quantity ×
    price."""
    places = list_places(items, "unit_price", "amount")
    outside = {
        one.value
        for row in rows
        if not any((cell.page, cell.box) in places for cell in row.cells())
        for one in row.figures
    }
    filled = list(items)
    for recurs in (True, False):
        column = [
            at
            for at, one in enumerate(items)
            if one.recurring is recurs and one.amount is None and one.unit_price is not None and one.quantity
        ]
        for at, one in zip(column, correct_amounts([items[at] for at in column], outside), strict=True):
            made = one.amount or (one.unit_price or Decimal(0)) * (one.quantity or 1)
            filled[at] = replace(one, amount=made)
    return filled


def _treat_price_as_amount(item: LineItem) -> LineItem:
    """The line with its price as the amount of all its pieces, or of it where it counts none."""
    if item.unit_price is None:
        return item
    provenance = {**item.provenance}
    if place := provenance.get("unit_price"):
        provenance["amount"] = place
    priced = replace(item, amount=item.unit_price, provenance=provenance)
    if not item.quantity:
        return priced
    provenance.pop("unit_price", None)
    return replace(priced, unit_price=divide_price(item.unit_price, item.quantity))


def fill_quantities(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with quantities, where none has one and each shows a figure that makes its amount, under
    whatever header. Where each is one, it may be the number of something else."""
    found = [_find_quantity(item, rows) for item in items]
    filled = [
        replace(item, quantity=cell.figures[0].value, provenance=_add_place(item, "quantity", cell))
        for item, cell in zip(items, found, strict=True)
        if cell is not None
    ]
    is_known = len(filled) == len(items) and any(item.quantity != 1 for item in filled)
    return filled if is_known else list(items)


def _find_quantity(item: LineItem, rows: Sequence[Row]) -> Cell | None:
    if item.quantity is not None or not item.unit_price or not item.amount:
        return None
    for cell in list_cells_beside(item, rows):
        [figure] = cell.figures
        bare = not figure.percent and figure.currency is None and is_figure(cell.text, cell.figures)
        if bare and figure.value > 0 and is_close(figure.value * item.unit_price, item.amount):
            return cell
    return None


def choose_longer_period(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with the amounts of the longer of two periods side by side, as a month's and a year's, where
    every line shows both: as many times as much as it has months, and what quantity and price make is that of
    the shorter one."""
    if not all(item.period_months in (None, 1) and multiplies(item) for item in items):
        return list(items)
    found = [list(list_cells_beside(item, rows)) for item in items]
    for months in _MONTHS:
        longer = [_find_multiple(item, cells, months) for item, cells in zip(items, found, strict=True)]
        chosen = [
            replace(
                item,
                amount=cell.figures[0].value,
                period_months=months,
                provenance=_add_place(item, "amount", cell),
            )
            for item, cell in zip(items, longer, strict=True)
            if cell is not None
        ]
        if len(chosen) == len(items):
            return chosen
    return list(items)


def divide_yearly_amounts(items: Sequence[LineItem]) -> list[LineItem]:
    """The lines, where each amount is twelve times what was taken for the price of one: what all of them cost
    a month, beside what they cost a year."""
    if not items or not all(map(_is_year_of_price, items)):
        return list(items)
    return [
        replace(
            item,
            unit_price=divide_price(item.amount or Decimal(0), item.quantity or Decimal(1)),
            period_months=MONTHS_PER_YEAR,
            provenance={name: place for name, place in item.provenance.items() if name != "unit_price"},
        )
        for item in items
    ]


def _is_year_of_price(item: LineItem) -> bool:
    if not item.amount or not item.unit_price or not item.quantity or multiplies(item):
        return False
    return item.amount == item.unit_price * MONTHS_PER_YEAR


def _find_multiple(item: LineItem, cells: Sequence[Cell], months: int) -> Cell | None:
    whole = (item.amount or Decimal(0)) * months
    figures = [(cell, cell.figures[0]) for cell in cells]
    return next((cell for cell, one in figures if not one.percent and is_close(one.value, whole, CENT)), None)


def _add_place(item: LineItem, name: str, cell: Cell) -> dict[str, Provenance]:
    return {**item.provenance, name: cell.locate(item.provenance["amount"].confidence)}


def prove_periods(
    items: Sequence[LineItem], term_months: int | None, paid_part: Span | None
) -> list[LineItem]:
    """The lines, of which those that state no period are paid for the term, or for the `paid_part` of it,
    where their price is one for a month or a year and makes their amount."""
    return [_prove_period(item, term_months, paid_part) for item in items]


def _prove_period(item: LineItem, term_months: int | None, paid_part: Span | None) -> LineItem:
    if item.period_months is not None or term_months is None or item.recurring is False:
        return item
    if not item.amount or multiplies(item):
        return item
    if _is_paid_for(item, term_months):
        return replace(item, period_months=term_months)
    if paid_part is not None and _is_paid_for(item, int(paid_part[1])):
        start, months = map(int, paid_part)
        return replace(item, period_months=months, first_month=start, span_months=months)
    return item


def _is_paid_for(item: LineItem, months: int) -> bool:
    return months > 1 and any(multiplies(item, factor) for factor in list_payments(months))
