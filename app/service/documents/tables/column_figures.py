"""What the figures of a column show, whatever its header says."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, product

from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.detection import Table, TableRow
from app.service.documents.values.money import Figure
from app.service.values.folding import fold
from app.service.values.rounding import adds_up, is_product

_TERMS = tuple(map(Decimal, (1, 12, 24, 36)))
_FEWEST_NUMBERED = 4
_MOST_MULTIPLIED = 9  # columns; more would take long and prove nothing new


def is_mostly_figures(rows: Sequence[TableRow], index: int) -> bool:
    shown = [row for row in rows if index in row.cells]
    return bool(shown) and sum(row.is_figure(index) for row in shown) * 2 >= len(shown)


def is_mostly_money(rows: Sequence[TableRow], index: int) -> bool:
    """Whether most figures of a column carry a currency or cents."""
    shown = _figures_of(rows, index)
    return sum(bool(figure.currency) or figure.decimals == 2 for figure in shown) * 2 > len(shown)


def is_mostly_percents(rows: Sequence[TableRow], index: int) -> bool:
    shown = _figures_of(rows, index)
    return sum(figure.percent for figure in shown) * 2 > len(shown)


def has_percent(rows: Sequence[TableRow], index: int) -> bool:
    return any(figure.percent for row in rows if row.is_figure(index) for figure in row.figures(index))


def is_zero(rows: Sequence[TableRow], index: int) -> bool:
    """Whether a column shows nothing but zeros."""
    return not any(figure.value for figure in _figures_of(rows, index))


def counts_rows(rows: Sequence[TableRow], index: int) -> bool:
    """Whether a column numbers the rows: whole numbers without a currency, each one more than the last."""
    shown = _figures_of(rows, index)
    bare = not any(figure.currency or figure.percent or figure.decimals for figure in shown)
    steps = {after.value - before.value for before, after in pairwise(shown)}
    return len(shown) >= _FEWEST_NUMBERED and bare and steps == {1}


def is_summed(table: Table, index: int, counts: int | None = None) -> bool:
    """Whether a column goes on to a row named as a sum that holds the sum of what stands above it, each times
    what the column of `counts` holds."""
    above: list[Decimal] = []
    for row in table.rows[:200]:
        figure = row.figure(index)
        if figure is None or not figure.value:
            continue
        if len(above) > 1 and total_kind(fold(row.row.text)) and adds_up(above, figure.value):
            return True
        if row.cells[index].is_figure:
            above.append(figure.value * (1 if counts is None else row.value(counts) or 0))
    return False


def find_products(rows: Sequence[TableRow], columns: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Columns of which two multiply to the third in at least four of five rows, for a usual term."""
    columns = columns[:_MOST_MULTIPLIED]
    for one, other in combinations(columns, 2):
        for whole in (index for index in columns if index not in (one, other)):
            values = [
                (a.value, b.value, c.value)
                for row in rows[:10]
                if (a := row.figure(one)) and (b := row.figure(other)) and (c := row.figure(whole))
            ]
            checkable = [(a, b, c) for a, b, c in values if 1 not in (a, b) and c]
            for term in _TERMS:
                hits = sum(is_product(a, b, term, c) for a, b, c in checkable)
                if hits > 1 and hits * 5 >= len(checkable) * 4:
                    yield one, other, whole


def find_amounts_before_tax(
    rows: Sequence[TableRow], columns: Sequence[int], taxes: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of columns of which, in every row, the second is the first with what a column of taxes holds."""
    for net, tax, gross in product(columns, taxes, columns):
        shown = [
            ([before, part], whole)
            for row in rows
            if (before := row.value(net)) and (part := row.value(tax)) and (whole := row.value(gross))
        ]
        if shown and all(adds_up(parts, whole) for parts, whole in shown):
            yield net, gross


def _figures_of(rows: Sequence[TableRow], index: int) -> list[Figure]:
    return [figure for row in rows if (figure := row.figure(index)) is not None]
