"""Which column of a table means what: the words of its header weighed with what the rows prove."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from app.service.documents.lexicon.column_words import Column
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.column_figures import (
    counts_rows,
    find_amounts_before_tax,
    find_products,
    has_percent,
    is_mostly_figures,
    is_mostly_money,
    is_mostly_percents,
    is_summed,
    is_zero,
)
from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.detection import Table, TableRow, holds_figure
from app.service.documents.tables.line_agreement import (
    list_shares_in_header,
    measure_agreement,
)
from app.service.documents.tables.line_kinds import tells_recurrence
from app.service.values.folding import fold

# What speaks for a reading of the columns, in the unit of the scores of header words (1 to 4 a header).
_HEADER: dict[Column, float] = {
    "quantity": 1.0, "unit_price": 1.0, "amount": 1.0, "months": 0.6, "years": 0.6, "list_price": 0.8,
}  # fmt: skip
_HEADER_MISSING = 0.4  # what a column without a header has for every meaning
_HEADER_OF_ANOTHER_MEANING = -0.35  # for each point by which the header rather means something else
_LINES_MULTIPLY = 6.0  # when all lines agree: quantity x price x periods = amount
_AMOUNTS_ARE_SUMMED = 3.0
_PRICE_IS_MONEY = 1.0
_QUANTITY_IS_MONEY = -0.5
_PERIOD_IS_MONEY = -4.0
_IS_UNNAMED = -1.0  # figures without a header and without proof may be anything
_AMOUNT_MAY_BE_PRICE = -2.0  # without a quantity, a price is no amount
_PRICE_NUMBERS_ROWS = -8.0  # 1, 2, 3, …
_AMOUNT_LEFT_OF_PRICE = -0.5  # the amount stands right of the price in nearly every form
_FURTHER_RIGHT = 0.01  # a column; of several prices the last is the net

_STRONG_HEADER = 3
_ROWS = 40
_COUNTED = frozenset({"quantity", "months", "years"})
_OF_FIGURES: tuple[Column, ...] = ("quantity", "unit_price", "amount", "discount", "tax")
_NEVER_PRICED: frozenset[Column | None] = frozenset({"tax", "ignored", "date", "position"})
_SIDE_BY_SIDE: tuple[Column, ...] = ("year", "tier", "pace")


@dataclass(frozen=True)
class _Candidates:
    """The columns that may have each role. `settled` are the roles that words alone decide."""

    settled: ColumnRoles
    free: Sequence[int]
    multiplying: frozenset[int]
    money: frozenset[int]
    summed: frozenset[int]
    empty: frozenset[int]
    numbering: frozenset[int]


def assign_roles(table: Table) -> ColumnRoles:
    """Return the reading of the columns that words and arithmetic together make most likely."""
    anchors = [row for row in table.rows if row.anchor]
    rows = ([row for row in anchors if not _is_sum(table, row)] or anchors)[:_ROWS]
    candidates = _find_candidates(table, rows)
    best, best_score = ColumnRoles(), -1.0
    tells = [tells_recurrence(fold(column.header)) for column in table.columns]
    for roles in _list_readings(table, candidates):
        tried = measure_agreement(rows, roles, list_shares_in_header(table, roles.price))
        score = _score(table, tried, candidates)
        if score > best_score:
            best, best_score = tried, score
    best = _find_second_count(rows, candidates.free, best)
    if candidates.settled.side_by_side and best.amount is None:
        # `Month  Year`: prices
        several = candidates.settled.side_by_side
        return replace(best, unit_price=several[0], months=None, years=None)
    otherwise_paid = _find_otherwise_paid(tells, best, rows)
    if otherwise_paid and best.amount is None and best.quantity is None:  # what is paid, not the price of one
        best = replace(best, unit_price=None, amount=best.unit_price)
    return replace(best, otherwise_paid=otherwise_paid)


def _is_sum(table: Table, row: TableRow) -> bool:
    """Whether a row holds one figure, behind the label of a sum or words where the lines have figures."""
    *before, last = sorted(row.cells)
    if not before or [index for index, cell in row.cells.items() if holds_figure(cell)] != [last]:
        return False
    label = before[-1]
    return table.columns[label].best_meaning in _OF_FIGURES or (
        total_kind(fold(row.text(label))) not in (None, "other")
    )


def _find_second_count(rows: Sequence[TableRow], free: Sequence[int], roles: ColumnRoles) -> ColumnRoles:
    """The roles with the column of a second count where every line multiplies with it, and not without."""
    if roles.agreement == 1 or roles.months is not None or roles.years is not None:
        return roles
    others = [index for index in free if index not in roles.columns_of_figures]
    tried = (measure_agreement(rows, replace(roles, times=index), ()) for index in others)
    return next((one for one in tried if one.agreement == 1 and one.checked > 1), roles)


def _find_otherwise_paid(
    tells: Sequence[bool | None], roles: ColumnRoles, rows: Sequence[TableRow]
) -> tuple[int, ...]:
    """The columns of money whose headers say that it is paid once where that of the amounts says again and
    again, or the other way round."""
    own = next(
        (tells[one] for one in (roles.amount, roles.price) if one is not None and tells[one] is not None),
        None,
    )
    return tuple(
        index
        for index, recurs in enumerate(tells)
        if own is not None
        and recurs is (not own)
        and index not in roles.columns_of_figures
        and is_mostly_money(rows, index)
    )


def _find_candidates(table: Table, rows: Sequence[TableRow]) -> _Candidates:
    columns = range(len(table.columns))
    numeric = [index for index in columns if is_mostly_figures(rows, index)]
    # Few lines may have a discount, and words of the sums may stand below it.
    discounted = [index for index in columns if has_percent(rows, index)]
    settled = ColumnRoles(
        discount=_first_meaning(table, [*numeric, *discounted], "discount"),
        basis=_first_meaning(table, numeric, "basis"),
        side_by_side=_find_side_by_side(table),
    )
    taken = {settled.discount, settled.basis, *_find_taken_side_by_side(table, numeric, settled.side_by_side)}
    taken |= {index for index in numeric if table.columns[index].best_meaning in _NEVER_PRICED}
    wholes = {whole for _, _, whole in find_products(rows, [one for one in numeric if one not in taken or
              "amount" in table.columns[one].scores])}  # fmt: skip
    taken -= {index for index in wholes if table.columns[index].best_meaning == "tax"}
    taken |= {index for index in numeric if is_mostly_percents(rows, index)}
    taken |= {index for index in numeric if not table.columns[index].scores and is_zero(rows, index)}
    free = [index for index in numeric if index not in taken]
    free, multiplying = _settle_products(table, rows, numeric, free)
    taxes = [index for index in numeric if table.columns[index].best_meaning == "tax"]
    for net, gross in find_amounts_before_tax(rows, free, taxes):
        multiplying.add(net)
        free = [index for index in free if index != gross]
    return _Candidates(
        settled,
        free,
        frozenset(multiplying),
        frozenset(index for index in free if is_mostly_money(rows, index)),
        frozenset(index for index in free if is_summed(table, index)),
        frozenset(index for index in columns if not any(index in row.cells for row in rows)),
        frozenset(index for index in free if counts_rows(rows, index)),
    )


def _find_taken_side_by_side(table: Table, numeric: Sequence[int], several: Sequence[int]) -> Sequence[int]:
    """The columns of several for a line that are no price: all where another column holds the amount."""
    others = (table.columns[index].scores for index in numeric if index not in several)
    has_amount = any(scores.get("amount", 0) >= _STRONG_HEADER for scores in others)
    return several if has_amount else several[1:]


def _settle_products(
    table: Table, rows: Sequence[TableRow], numeric: Sequence[int], free: list[int]
) -> tuple[list[int], set[int]]:
    """The free columns after a look at which multiply, and the columns that do."""
    multiplying = set[int]()
    rates = [index for index in numeric if table.columns[index].best_meaning == "ignored"]
    for one, other, whole in find_products(rows, [*free, *rates]):
        named = [table.columns[index].scores for index in (one, other)]
        sums = [scores.get("amount", 0) >= _STRONG_HEADER and "unit_price" not in scores for scores in named]
        if any(sums) and not any(scores.keys() & _COUNTED for scores in named):
            free = [index for index in free if index not in (one, other)]  # in another currency, and its rate
        elif whole in free and not {one, other}.isdisjoint(free):
            multiplying |= {one, other, whole}  # be it the weight, which is no quantity elsewhere
            free += [index for index in (one, other) if index not in free]
    return free, multiplying


def _first_meaning(table: Table, numeric: Sequence[int], meaning: Column) -> int | None:
    return next((index for index in numeric if table.columns[index].best_meaning == meaning), None)


def _find_side_by_side(table: Table) -> tuple[int, ...]:
    counted = any("quantity" in column.scores for column in table.columns)
    for meaning in _SIDE_BY_SIDE:
        found = [index for index, column in enumerate(table.columns) if meaning in column.scores]
        is_once = any(tells_recurrence(fold(table.columns[index].header)) is False for index in found)
        if len(found) > 1 and not (meaning == "pace" and (counted or is_once)):
            return tuple(found)
    counts = next((index for index, one in enumerate(table.columns) if one.best_meaning == "quantity"), None)
    prices = [index for index, one in enumerate(table.columns) if one.best_meaning == "unit_price"]
    if counts is None and not any("amount" in one.scores for one in table.columns):
        offers = prices
    else:
        offers = [index for index in prices if counts is not None and is_summed(table, index, counts)]
    return tuple(offers) if len(offers) > 1 else ()


def _list_readings(table: Table, candidates: _Candidates) -> Iterator[ColumnRoles]:
    """Every way to give the free columns a role each, or none."""

    def options(meaning: Column, *, nameless: bool = False) -> list[int | None]:
        fitting = [index for index in candidates.free if table.columns[index].scores.get(meaning)]
        if nameless:
            without_header = [index for index in candidates.free if not table.columns[index].scores]
            fitting = fitting[:5] + without_header[:3]
            fitting += [index for index in sorted(candidates.multiplying) if index not in fitting]
        return [None, *fitting[:7]]

    for quantity, price, amount, months, years, list_price in product(
        options("quantity", nameless=True),
        options("unit_price", nameless=True),
        options("amount", nameless=True),
        options("months"),
        options("years"),
        options("list_price"),
    ):
        chosen = [one for one in (quantity, price, amount, months, years, list_price) if one is not None]
        if chosen and len(set(chosen)) == len(chosen):
            yield replace(
                candidates.settled, quantity=quantity, unit_price=price, amount=amount, months=months,
                years=years, list_price=list_price,
            )  # fmt: skip


def _score(table: Table, roles: ColumnRoles, candidates: _Candidates) -> float:
    """How likely a reading of the columns is."""
    quantity, price, amount, money = roles.quantity, roles.unit_price, roles.amount, candidates.money
    headers: tuple[tuple[int | None, Column], ...] = (
        (quantity, "quantity"), (price, "unit_price"), (amount, "amount"), (roles.months, "months"),
        (roles.years, "years"), (roles.list_price, "list_price"),
    )  # fmt: skip
    score = sum(
        _score_header(table, index, meaning, candidates.empty) * _HEADER[meaning]
        for index, meaning in headers
    )
    score += _LINES_MULTIPLY * roles.agreement * min(1.0, roles.checked / 2)
    score += _FURTHER_RIGHT * (price or 0) + _FURTHER_RIGHT * (amount or 0)
    if price is not None and amount is not None and amount < price:
        score += _AMOUNT_LEFT_OF_PRICE
    if amount in candidates.summed:
        score += _AMOUNTS_ARE_SUMMED
    if not candidates.numbering.isdisjoint({price, amount}):
        score += _PRICE_NUMBERS_ROWS
    if price in money and (table.columns[price or 0].scores or roles.agreement):
        score += _PRICE_IS_MONEY
    if quantity in money:
        score += _QUANTITY_IS_MONEY
    if roles.months in money or roles.years in money:
        score += _PERIOD_IS_MONEY
    if not roles.agreement:
        unproven = (quantity, None if price in money else price)
        score += _IS_UNNAMED * sum(one is not None and not table.columns[one].scores for one in unproven)
    is_unproven = quantity is None and amount is not None and amount not in candidates.summed
    if is_unproven and _may_be_price(table, amount, alone=price is None):
        score += _AMOUNT_MAY_BE_PRICE
    return score


def _score_header(table: Table, index: int | None, meaning: Column, empty: Collection[int]) -> float:
    """How clearly the header of a column speaks for a meaning, or that of an empty column left of it."""
    if index is None:
        return 0.0
    if not table.columns[index].header and index - 1 in empty:
        return max(_HEADER_MISSING, _score_header(table, index - 1, meaning, ()))
    scores = table.columns[index].scores
    own = scores.get(meaning, 0.0 if scores else _HEADER_MISSING)
    return own + _HEADER_OF_ANOTHER_MEANING * max((score - own for score in scores.values()), default=0.0)


def _may_be_price(table: Table, amount: int | None, *, alone: bool) -> bool:
    scores = table.columns[amount or 0].scores
    return not scores or ("unit_price" in scores and (alone or scores.get("amount", 0) < 2))
