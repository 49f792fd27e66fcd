"""Columns that make a line each: years, or the tiers and periods of a price list."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.tables import certainty
from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow
from app.service.documents.tables.line_kinds import tells_recurrence
from app.service.values.folding import fold
from app.service.values.rounding import adds_up, divide_price, is_product

_ONE = Decimal(1)
_YEAR = 12


def split_side_by_side(table: Table, roles: ColumnRoles, row: TableRow, item: LineItem) -> list[LineItem]:
    """The lines that a row holds: one a year or a tier where such columns stand side by side, and one for
    what is paid once beside what is paid again and again."""
    shown = {
        index: figure.value
        for index in roles.side_by_side
        if (figure := row.figure(index)) is not None and figure.value
    }
    if len(shown) < 2:
        return _split_paces(table, roles, row, item)
    if "year" not in table.columns[roles.side_by_side[0]].scores:
        return _split_prices(table, row, item, shown)
    return _split_years(roles, row, item, shown)


def _split_paces(table: Table, roles: ColumnRoles, row: TableRow, item: LineItem) -> list[LineItem]:
    """The line, and what the row shows of it that is paid once, where it is paid again and again too, or the
    other way round: a price of a unit and an amount, or one of them."""
    if not roles.otherwise_paid:
        return [item]
    if item.amount is None and item.quantity and item.unit_price:
        item = replace(item, amount=item.quantity * item.unit_price)
    shown = [(index, one.value) for index in roles.otherwise_paid if (one := row.figure(index)) and one.value]
    index, value = shown[-1] if shown else (roles.otherwise_paid[-1], None)
    header = table.columns[index].header
    recurs = tells_recurrence(fold(header))
    priced = [replace(item, recurring=not recurs)] if item.amount or item.unit_price else []
    if value is None:
        return priced or [item]
    quantity, amount = _ONE, value
    count = row.value(roles.quantity)
    if roles.amount is None and count:
        quantity, amount = count, count * value
    other = LineItem(
        description=f"{item.description} ({header})",
        quantity=quantity,
        unit_price=value,
        amount=amount,
        recurring=recurs,
        optional=item.optional,
        provenance={"amount" if amount == value else "unit_price": _provenance(row, index, verified=False)},
    )
    return [*priced, other]


def _split_prices(
    table: Table, row: TableRow, item: LineItem, prices: Mapping[int, Decimal]
) -> list[LineItem]:
    """A line a price, called by the time that it is for where the header says that, `Mast (Day rate)`, or by
    the offer of which one is chosen."""
    lines: list[LineItem] = []
    for index, price in prices.items():
        place, column = _provenance(row, index, verified=False), table.columns[index]
        is_offer = "tier" not in column.scores and "pace" not in column.scores
        name = item.description if "tier" in column.scores else f"{item.description} ({column.header})"
        line = replace(item, description=name, unit_price=price, provenance={"unit_price": place})
        if is_offer and item.quantity and "quantity" in item.provenance:
            places = {"quantity": item.provenance["quantity"], "unit_price": place}
            line = replace(line, amount=item.quantity * price, optional=True, provenance=places)
        lines.append(line)
    return lines


def _split_years(
    roles: ColumnRoles, row: TableRow, item: LineItem, shown: Mapping[int, Decimal]
) -> list[LineItem]:
    """A line a year, where the years add up to the amount; else the line as it is."""
    amounts: Sequence[Decimal] = tuple(shown.values())
    if roles.amount in roles.side_by_side or (item.amount is not None and adds_up(amounts, item.amount)):
        return [_build_year(row, item, index, item.quantity, amount) for index, amount in shown.items()]
    price, units = item.unit_price, sum(amounts, Decimal(0))
    if price is not None and item.amount is not None and is_product(units, price, _ONE, item.amount):
        return [_build_year(row, item, index, count, count * price) for index, count in shown.items()]
    return [item]


def _build_year(
    row: TableRow, item: LineItem, index: int, quantity: Decimal | None, amount: Decimal
) -> LineItem:
    price, verified = item.unit_price, False
    if quantity:
        verified = price is not None and is_product(quantity, price, _ONE, amount)
        price = price if verified else divide_price(amount, quantity)
    return replace(
        item,
        quantity=quantity,
        unit_price=price,
        amount=amount,
        period_months=_YEAR,
        provenance={**item.provenance, "amount": _provenance(row, index, verified=verified)},
    )


def _provenance(row: TableRow, index: int, *, verified: bool) -> Provenance:
    cell = row.cells[index]
    verified = verified and cell.legible
    return cell.locate(
        certainty.MULTIPLY_IN_TABLE if verified else certainty.STAND_IN_TABLE, verified=verified
    )
