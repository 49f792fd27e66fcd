"""Which column of a table means what: the words of its header weighed with what the rows prove."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, product

from app.service.documents.lexicon.column_words import Column
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.detection import Table, TableRow
from app.service.documents.values.dates import plain
from app.service.documents.values.durations import MONTHS_OR_YEARS
from app.service.documents.values.money import Figure
from app.service.documents.values.rounding import adds_up, is_product

_PROOF = 6.0  # what full arithmetic agreement weighs against words of headers
_SUMMED = 3.0  # what it weighs that a column of amounts ends with its sum
_ONE = Decimal(1)
_COUNTED = frozenset({"quantity", "months", "years"})
_TERMS = tuple(map(Decimal, (1, 12, 24, 36)))
# `12 months` over a column of amounts says how often the price is charged.
_FOR_A_TERM = re.compile(rf"(?<![\d.,])(?P<count>\d{{1,2}}) {MONTHS_OR_YEARS}(?![a-z])")
_SIDE_BY_SIDE: tuple[Column, ...] = ("year", "tier", "pace")


@dataclass(frozen=True)
class ColumnRoles:
    """Column index by meaning; None where the table has no such column.

    `several` are the columns that make a line each: years, or tiers of a price.
    `proven` is the share of checkable rows in which quantity x price x periods is the amount.
    """

    quantity: int | None = None
    unit_price: int | None = None
    amount: int | None = None
    list_price: int | None = None
    discount: int | None = None
    months: int | None = None
    years: int | None = None
    basis: int | None = None
    side_by_side: tuple[int, ...] = ()
    agreement: float = 0.0
    checked: int = 0

    @property
    def price(self) -> int | None:
        """The column that a line's price stands in."""
        return self.unit_price if self.unit_price is not None else self.list_price

    def columns_of_figures(self) -> set[int]:
        known = (
            self.quantity,
            self.unit_price,
            self.amount,
            self.list_price,
            self.discount,
            self.months,
            self.years,
        )
        return {index for index in (*known, *self.side_by_side) if index is not None}


def assign_roles(table: Table) -> ColumnRoles:
    """The reading of the columns that words and arithmetic together make most likely."""
    rows = [row for row in table.rows if row.anchor][:40]
    numeric = [index for index in range(len(table.columns)) if _is_mostly_figures(rows, index)]
    figures = [{index: row.figure(index) for index in range(len(table.columns))} for row in rows]
    # Few lines may have a discount, and words of the sums may stand below it.
    discounted = [index for index in range(len(table.columns)) if _has_percent(rows, index)]
    discount = _column_named(table, [*numeric, *discounted], "discount")
    basis = _column_named(table, numeric, "basis")
    fixed = {discount, basis, _column_named(table, numeric, "tax"), _column_named(table, numeric, "ignored")}
    fixed |= {
        index
        for index in numeric
        if table.columns[index].best_meaning in ("tax", "ignored", "date", "position")
    }
    several = _find_side_by_side(table)
    stands_for_all = any(
        table.columns[index].scores.get("amount", 0) >= 3 for index in numeric if index not in several
    )
    fixed |= {*several} if stands_for_all else {*several[1:]}
    fixed |= {index for index in numeric if _is_mostly_percents(rows, index)}
    free = [index for index in numeric if index not in fixed]
    multiplying = set[int]()
    rates = [index for index in numeric if table.columns[index].best_meaning == "ignored"]
    for one, other, whole in _find_products(figures, [*free, *rates]):
        named = [table.columns[index].scores for index in (one, other)]
        sums = [scores.get("amount", 0) >= 3 and "unit_price" not in scores for scores in named]
        if any(sums) and not any(scores.keys() & _COUNTED for scores in named):
            free = [index for index in free if index not in (one, other)]  # in another currency, and its rate
        elif whole in free and not {one, other}.isdisjoint(free):
            multiplying |= {one, other, whole}  # be it the weight, which is no quantity elsewhere
            free += [index for index in (one, other) if index not in free]
    money = {index for index in free if _is_mostly_money(figures, index)}
    summed = {index for index in free if _is_summed(table, index)}
    best, best_score = ColumnRoles(), -1.0
    for quantity, price, amount, months, years, list_price in _list_choices(table, free, multiplying):
        chosen = [
            index for index in (quantity, price, amount, months, years, list_price) if index is not None
        ]
        if len(set(chosen)) != len(chosen) or not chosen:
            continue
        tried = ColumnRoles(quantity, price, amount, list_price, discount, months, years, basis, several)
        proven, checked = _measure_agreement(figures, tried, _charges_in_header(table, amount))
        score = (
            _score_words(table, quantity, "quantity")
            + _score_words(table, price, "unit_price")
            + _score_words(table, amount, "amount")
            + _score_words(table, months, "months") * 0.6
            + _score_words(table, years, "years") * 0.6
            + _score_words(table, list_price, "list_price") * 0.8
            + _PROOF * proven * min(1.0, checked / 2)
            + _score_order(quantity, price, amount)
            + (amount in summed) * _SUMMED
            + (price in money and bool(table.columns[price or 0].scores or proven)) * 1.0
            - (quantity in money) * 0.5
            - (months in money or years in money) * 4.0
        )
        if quantity is not None and not table.columns[quantity].scores and not proven:
            score -= 1.0  # figures without a header and without proof may be anything
        if quantity is None and amount is not None and _may_be_price(table, amount, alone=price is None):
            score -= 2.0  # without a quantity, a price is no amount
        if score > best_score:
            best_score = score
            best = replace(tried, agreement=proven, checked=checked)
    if several and best.amount is None:
        return replace(best, unit_price=several[0], months=None, years=None)  # `Month  Year`: prices
    return best


def _may_be_price(table: Table, amount: int, *, alone: bool) -> bool:
    scores = table.columns[amount].scores
    return not scores or ("unit_price" in scores and (alone or scores.get("amount", 0) < 2))


def _find_side_by_side(table: Table) -> tuple[int, ...]:
    counted = any("quantity" in column.scores for column in table.columns)
    for meaning in _SIDE_BY_SIDE:
        found = [index for index, column in enumerate(table.columns) if meaning in column.scores]
        if len(found) > 1 and not (meaning == "pace" and counted):
            return tuple(found)
    return ()


def _is_mostly_figures(rows: Sequence[TableRow], index: int) -> bool:
    shown = [row for row in rows if index in row.cells]
    return bool(shown) and sum(row.is_figure(index) for row in shown) * 2 >= len(shown)


def _is_mostly_money(figures: Sequence[dict[int, Figure | None]], index: int) -> bool:
    """Whether most figures of a column carry a currency or cents."""
    shown = [figure for row in figures if (figure := row.get(index)) is not None]
    return sum(bool(figure.currency) or figure.decimals == 2 for figure in shown) * 2 > len(shown)


def _is_summed(table: Table, index: int) -> bool:
    """Whether a column goes on to a row named as a sum that holds the sum of what stands above it."""
    above: list[Decimal] = []
    for row in table.rows[:200]:
        figure = row.figure(index)
        if figure is None or not figure.value:
            continue
        if len(above) > 1 and total_kind(plain(row.row.text)) and adds_up(above, figure.value):
            return True
        above.append(figure.value)
    return False


def _is_mostly_percents(rows: Sequence[TableRow], index: int) -> bool:
    shown = [figure for row in rows if (figure := row.figure(index)) is not None]
    return sum(figure.percent for figure in shown) * 2 > len(shown)


def _has_percent(rows: Sequence[TableRow], index: int) -> bool:
    return any(figure.percent for row in rows if row.is_figure(index) for figure in row.figures(index))


def _column_named(table: Table, numeric: Sequence[int], meaning: Column) -> int | None:
    found = [index for index in numeric if table.columns[index].best_meaning == meaning]
    return found[0] if found else None


_Choice = tuple[int | None, int | None, int | None, int | None, int | None, int | None]


def _find_products(
    figures: Sequence[dict[int, Figure | None]], free: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Columns of which two multiply to the third in nearly every row, whatever their headers say."""
    for one, other in combinations(free[:9], 2):
        for whole in (index for index in free[:9] if index not in (one, other)):
            rows = [
                (a.value, b.value, c.value)
                for row in figures[:10]
                if (a := row.get(one)) and (b := row.get(other)) and (c := row.get(whole))
            ]
            telling = [(a, b, c) for a, b, c in rows if 1 not in (a, b) and c]
            for term in _TERMS:
                hits = sum(is_product(a, b, term, c) for a, b, c in telling)
                if hits > 1 and hits * 5 >= len(telling) * 4:
                    yield one, other, whole


def _list_choices(table: Table, free: Sequence[int], multiplying: set[int]) -> Iterator[_Choice]:
    def options(meaning: Column, *, nameless: bool = False) -> list[int | None]:
        fitting = [index for index in free if table.columns[index].scores.get(meaning)]
        if nameless:
            fitting = fitting[:5] + [index for index in free if not table.columns[index].scores][:3]
            fitting += [index for index in sorted(multiplying) if index not in fitting]
        return [None, *fitting[:7]]

    return product(
        options("quantity", nameless=True),
        options("unit_price", nameless=True),
        options("amount", nameless=True),
        options("months"),
        options("years"),
        options("list_price"),
    )


def _score_words(table: Table, index: int | None, meaning: Column) -> float:
    if index is None:
        return 0.0
    scores = table.columns[index].scores
    own = scores.get(meaning, 0.4 if not scores else 0.0)
    return own - 0.35 * max((score - own for score in scores.values()), default=0.0)


def _score_order(quantity: int | None, price: int | None, amount: int | None) -> float:
    """The amount stands right of the price in nearly every form; of several prices the last is the net."""
    misplaced = price is not None and amount is not None and amount < price
    return (-0.5 if misplaced else 0.0) + 0.01 * (price or 0) + 0.01 * (amount or 0)


def _charges_in_header(table: Table, amount: int | None) -> list[Decimal]:
    """How often the header of the amounts says that a price is charged."""
    found = _FOR_A_TERM.search(plain(table.columns[amount].header)) if amount is not None else None
    if found is None:
        return []
    count = Decimal(found["count"])
    return [count, count / 12] if found["months"] else [count, count * 12]


def _measure_agreement(
    figures: Sequence[dict[int, Figure | None]], roles: ColumnRoles, charged: Sequence[Decimal]
) -> tuple[float, int]:
    price = roles.price
    if roles.quantity is None or price is None or roles.amount is None:
        return 0.0, 0
    agreed = checked = 0
    for row in figures:
        q, p, a = row.get(roles.quantity), row.get(price), row.get(roles.amount)
        if not q or not p or not a or not a.value or q.percent or p.percent:
            continue
        checked += 1
        agreed += _is_line_product(q.value, p.value, a.value, row, roles, charged)
    return (agreed / checked if checked else 0.0), checked


def _is_line_product(
    quantity: Decimal, price: Decimal, amount: Decimal, row: dict[int, Figure | None], roles: ColumnRoles,
    charged: Sequence[Decimal],
) -> bool:  # fmt: skip
    months, years, discount, basis = (
        row.get(index) if index is not None else None
        for index in (roles.months, roles.years, roles.discount, roles.basis)
    )
    prices = [price]
    if discount and not discount.percent:
        prices.append(price - abs(discount.value) / quantity if quantity else price)
    if discount:
        share = abs(discount.value) * (1 if discount.percent or abs(discount.value) >= 1 else 100)
        prices.append(price * (100 - share) / 100)
    if basis and basis.value:
        prices.append(price / basis.value)
    return any(
        is_product(quantity, one, factor, amount)
        for one in prices
        for factor in (*list_period_factors(months, years), *charged)
    )


def list_period_factors(months: Figure | None, years: Figure | None) -> list[Decimal]:
    """How often a price may be charged, given what the period columns of the row say."""
    factors = [_ONE]
    if months and 0 < months.value <= 120:
        factors = [months.value, _ONE, months.value / 12]
    if years and 0 < years.value <= 15:
        factors = [years.value, years.value * 12, _ONE]
    return factors
