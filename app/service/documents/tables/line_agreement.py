"""Whether the lines of a table multiply: quantity x price x periods = amount."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.charges.months import count_months_of_years, list_payments
from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow
from app.service.documents.values.money import Figure
from app.service.values.price_basis import find_price_count
from app.service.values.rounding import is_product

_ONE = Decimal(1)


def measure_agreement(
    rows: Sequence[TableRow], roles: ColumnRoles, charges: Sequence[Decimal]
) -> ColumnRoles:
    """Return the roles with the share of rows that multiply.

    `charges` are shares of a price that the header says one unit costs.
    """
    if roles.quantity is None or roles.price is None or roles.amount is None:
        return roles
    agreed = checked = 0
    for row in rows:
        quantity, price, amount = (row.figure(index) for index in (roles.quantity, roles.price, roles.amount))
        if not quantity or not price or not amount or not amount.value or quantity.percent or price.percent:
            continue
        checked += 1
        agreed += _is_line_product(quantity.value, price.value, amount.value, row, roles, charges)
    return replace(roles, agreement=agreed / checked if checked else 0.0, checked=checked)


def list_shares_in_header(table: Table, price: int | None) -> list[Decimal]:
    """Which share of a price is for one unit, as its header says: a thousandth of `Price per 1,000`."""
    found = find_price_count(table.columns[price].header) if price is not None else None
    return [] if found is None else [_ONE / found.count]


def _is_line_product(
    quantity: Decimal, price: Decimal, amount: Decimal, row: TableRow, roles: ColumnRoles,
    charges: Sequence[Decimal],
) -> bool:  # fmt: skip
    discount, basis = row.figure(roles.discount), row.figure(roles.basis)
    quantity *= row.value(roles.times) or _ONE
    prices = [price]
    if discount and not discount.percent:
        prices.append(price - abs(discount.value) / quantity if quantity else price)
    if discount:
        percent = abs(discount.value) * (1 if discount.percent or abs(discount.value) >= 1 else 100)
        prices.append(price * (100 - percent) / 100)
    if basis and basis.value:
        prices += [one / basis.value for one in prices]
    return any(
        is_product(quantity, one, factor, amount)
        for one in prices
        for factor in (*_list_period_factors(row.figure(roles.months), row.figure(roles.years)), *charges)
    )


def _list_period_factors(months: Figure | None, years: Figure | None) -> list[Decimal]:
    """How often a price may be charged, given what the period columns of the row say."""
    factors = [_ONE]
    if months and 0 < months.value <= 120:
        factors = [_ONE, *list_payments(months.value)]
    if years and 0 < years.value <= 15:
        factors = [_ONE, *list_payments(count_months_of_years(years.value))]
    return factors
