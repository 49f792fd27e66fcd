"""Net, tax and total found by arithmetic; a word says at most which figure of a column is the tax.

A printed net, a printed tax and a printed total of which the first two make the third, below the lines, in
reading order; or the sum of the lines and all that stands below it in its column, added or taken off, up to
the total. On documents whose words the rules do not know this finds what labels cannot.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from typing import TypeAlias

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigure, PrintedFigures
from app.service.documents.judge.readings import HIGHEST_TAX, ROUNDING, sum_lines
from app.service.documents.layout.rows import EDGES, Cell
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.values.folding import fold
from app.service.values.rounding import is_close

_MOST_FIGURES = 120  # the last of a document; every two of them are tried
_FARTHEST = 12  # rows from the net to the total
_MOST_BETWEEN = 8  # figures among which a discount is looked for
_MOST_IN_COLUMN = 7  # figures below the sum of the lines that are added and taken off
_LOWEST_TAX = Decimal("0.004")
_ROUND_RATES = Decimal("0.005")
_ROUNDING = Decimal("0.02")
_LARGE_NET = 100
_LARGE_WHOLE_NET = 10_000

# What speaks for three figures being the sums of the document.
_RATE_IS_PRINTED = 3.0
_RATE_IS_ROUND = 1.5
_RATE_IS_ODD = -3.0  # the second year of a ramp closes too
_IN_ONE_COLUMN = 1.5
_NET_IS_SUM_OF_LINES = 4.0
_NET_LESS_DISCOUNT_IS_SUM_OF_LINES = 3.0
_NET_IS_SUM_OF_LINES_AND_CHARGE = 2.5
_TOTAL_IS_NET_OF_OTHERS = -4.0
_LARGEST_FIGURE = 1.0
_BELOW_LINES = 1.0
_SEVERAL_TAXES = -1.0
_CHANGED_BETWEEN = -0.5
_COLUMN_ADDS_UP = 2.0
_PER_ROW = -0.1
_LEAST = 3.5


@dataclass(frozen=True)
class ClosingSums:
    """Three printed figures of which two make the third. `margin` is how much more speaks for them than for
    the next ones with another total."""

    totals: Totals
    score: float
    margin: float
    rate_printed: bool
    is_column: bool = False
    """Whether all that stands in the column from the sum of the lines to the total makes up the total."""
    others: tuple[Decimal, ...] = ()
    """Totals of further sums that close with another net, as in a file of several quotes."""


@dataclass(frozen=True)
class _Closing:
    net: PrintedFigure
    changes: tuple[Decimal, ...]
    """What is taken off and charged before the tax."""
    taxes: tuple[PrintedFigure, ...]
    gross: PrintedFigure
    is_column: bool = False
    after_tax: Decimal = Decimal(0)
    base: Decimal | None = None
    """What stands before a tax that has the label of one."""

    @property
    def net_value(self) -> Decimal:
        return self.net.value + sum(self.changes, Decimal(0))

    @property
    def tax_value(self) -> Decimal:
        return sum((one.value for one in self.taxes), Decimal(0))


def find_closing_sums(figures: PrintedFigures, items: Sequence[LineItem]) -> ClosingSums | None:
    """The three figures that most speaks for; None where too little speaks for any."""
    free = [
        one
        for one in figures.list_sums_outside(items)
        if total_kind(fold(figures.rows[one.order].text)) != "paid"
    ][-_MOST_FIGURES:]
    whole = sum_lines(items)
    closings = _leave_out_lines([*_list_closings(free)])
    closings += _list_columns(free, whole, figures) if whole else ()
    lines = _Lines(
        whole,
        max((order for item in items for seen in item.provenance.values()
             if (order := figures.order_of(seen)) is not None), default=-1),
    )  # fmt: skip
    page = _Page(
        figures.rates,
        max((abs(one.value) for one in free), default=Decimal(0)),
        free,
        frozenset(value for one in closings if one.taxes for value in (one.net_value, one.base)),
    )
    found = [(_score(one, page, lines), one) for one in closings]
    score, best = max(found, key=lambda pair: pair[0], default=(0.0, None))
    if best is None or score < _LEAST:
        return None
    others = (other for other, one in found if one.gross.value != best.gross.value)
    apart = [
        one.gross.value
        for other, one in found
        if other >= _LEAST and not _share_figure(one, best) and _weigh_rate(one, page.rates) > 0
    ]
    return ClosingSums(
        _make_totals(best),
        score,
        score - max(others, default=0.0),
        _is_rate_printed(best.net_value, best.tax_value, figures.rates),
        best.is_column,
        tuple(dict.fromkeys(apart)),
    )


def _share_figure(one: _Closing, other: _Closing) -> bool:
    """Whether two sums that close have a value in common, be it printed twice."""
    return not {one.net.value, one.net_value, one.gross.value}.isdisjoint(
        {other.net.value, other.net_value, other.gross.value}
    )


@dataclass(frozen=True)
class _Lines:
    """What the lines add up to, and the row of the last one, -1 without lines."""

    total: Decimal | None
    last_row: int


@dataclass(frozen=True)
class _Page:
    """What else the document shows: its percentages, its largest sum, its figures outside the lines, and the
    nets of all sums that close."""

    rates: frozenset[Decimal]
    largest: Decimal
    free: Sequence[PrintedFigure]
    nets: frozenset[Decimal | None]


def _list_closings(figures: Sequence[PrintedFigure]) -> Iterator[_Closing]:
    """Every net and total with one or two taxes between them that make up the difference."""
    figures = sorted(figures, key=lambda one: one.place)
    for number, net in enumerate(figures):
        for last, gross in enumerate(figures[number + 1 :], number + 1):
            if gross.order - net.order > _FARTHEST:
                break
            difference = gross.value - net.value
            if abs(difference) >= abs(net.value):
                continue
            between = figures[number + 1 : last]
            if _is_tax(difference, net.value):
                yield from _list_taxes(net, gross, difference, between)
            yield from _list_discounted(net, gross, between[:_MOST_BETWEEN])


def _leave_out_lines(closings: Sequence[_Closing]) -> list[_Closing]:
    """The sums without those that each line of a table has: net, tax and total beside each other, and again
    in another row, in the same columns. What is the sum of such rows stays."""
    rows = defaultdict[int, list[_Closing]](list)
    for one in closings:
        if len({figure.order for figure in (one.net, *one.taxes, one.gross)}) == 1:
            rows[one.net.order].append(one)
    lines = {
        id(one)
        for order, found in rows.items()
        for one in found
        for number, others in rows.items()
        if number != order
        and any(_are_aligned([one.gross.cell, other.gross.cell]) for other in others)
        and not is_close(
            one.gross.value, sum((rest[0].gross.value for at, rest in rows.items() if at < order), Decimal(0))
        )
    }
    return [one for one in closings if id(one) not in lines]


def _list_taxes(
    net: PrintedFigure, gross: PrintedFigure, difference: Decimal, between: Sequence[PrintedFigure]
) -> Iterator[_Closing]:
    for one in between:
        if is_close(one.value, difference, _ROUNDING):
            yield _Closing(net, (), (one,), gross)
    for pair in combinations([one for one in between if one.value and one.value * difference > 0][:6], 2):
        if is_close(pair[0].value + pair[1].value, difference, _ROUNDING):
            yield _Closing(net, (), pair, gross)


def _list_discounted(
    net: PrintedFigure, gross: PrintedFigure, between: Sequence[PrintedFigure]
) -> Iterator[_Closing]:
    """A sum of the lines, what is taken off it, the tax of what is left, and the total."""
    for discount in between:
        left = net.value - abs(discount.value)
        wanted = gross.value - left
        if left > 0 and not _LOWEST_TAX * left - _ROUNDING <= wanted <= HIGHEST_TAX * left + _ROUNDING:
            continue
        for tax in between:
            if tax is not discount and is_close(tax.value, wanted, _ROUNDING) and _is_tax(tax.value, left):
                yield _Closing(net, (-abs(discount.value),), (tax,), gross)


_Change: TypeAlias = tuple[PrintedFigure, Decimal]


def _list_columns(
    free: Sequence[PrintedFigure], whole: Decimal, figures: PrintedFigures
) -> Iterator[_Closing]:
    """The sum of the lines and the figures below it which, added or taken off, all make the total; one that
    is the sum of those before it is passed over.

    What is less than a sum before it that closes is what is left to pay.
    """
    for number, net in enumerate(free):
        if not is_close(net.value, whole, ROUNDING):
            continue
        below = [
            one
            for one in free[number + 1 :]
            if one.cell.page == net.cell.page
            and one.order - net.order <= _FARTHEST
            and _are_aligned([net.cell, one.cell])
        ]
        ways: list[tuple[Decimal, tuple[_Change, ...]]] = [(net.value, ())]
        closed = Decimal(0)
        for one in below[:_MOST_IN_COLUMN]:
            reached = [way for way in ways if is_close(way[0], one.value, _ROUNDING)]
            if one.value >= closed:
                yield from (_close_column(net, way[1], one, figures) for way in reached if way[1])
            closed = one.value if any(changes for _, changes in reached) else closed
            signed = {one.value, -abs(one.value)}
            ways = reached or [
                way
                for before, changes in ways
                for way in (
                    *((before + value, (*changes, (one, value))) for value in signed),
                    # The sum of several changes above it.
                    *(
                        [(before, changes)]
                        * (len(changes) > 1 and is_close(one.value, _add(changes), _ROUNDING))
                    ),
                )
                if way[0] > 0
            ]


def _close_column(
    net: PrintedFigure, changes: Sequence[_Change], gross: PrintedFigure, figures: PrintedFigures
) -> _Closing:
    """What of the changes is the tax: those with the label of one; where none has, the last one or two that
    are a likely share of what stands before. What is withheld, and a last one that makes the total a whole
    number, stand behind the tax."""
    kinds = [total_kind(figures.label_of(one)) for one, _ in changes]
    rest = [
        change
        for change, kind in zip(changes, kinds, strict=True)
        if kind != "after tax" and not (change is changes[-1] and _is_rounding(change[1], gross.value))
    ]
    behind = tuple(change for change in changes if change not in rest)
    taxed = [change for change, kind in zip(changes, kinds, strict=True) if kind == "tax" and change in rest]
    before = [change for change in rest if change not in taxed]
    if taxed and _is_tax(_add(taxed), net.value + _add(before)):
        base = net.value + _add([one for one in changes[: changes.index(taxed[0])] if one not in behind])
        return replace(_make_closing(net, before, taxed, behind, gross), base=base)
    for count in (2, 1):
        before, taxed = rest[:-count], rest[-count:]
        base = net.value + _add(before)
        if all(_is_tax(value, base) and is_likely_rate(figures.rates, base, value) for _, value in taxed):
            break
    else:
        before, taxed = rest, rest[:0]
    return _make_closing(net, before, taxed, behind, gross)


def _make_closing(
    net: PrintedFigure, before: Sequence[_Change], taxed: Sequence[_Change], behind: Sequence[_Change],
    gross: PrintedFigure,
) -> _Closing:  # fmt: skip
    taxes = tuple(one for one, _ in taxed)
    charges = tuple(value for _, value in before)
    return _Closing(net, charges, taxes, gross, is_column=True, after_tax=_add(behind))


def _add(changes: Sequence[_Change]) -> Decimal:
    return sum((value for _, value in changes), Decimal(0))


def _is_rounding(change: Decimal, total: Decimal) -> bool:
    return abs(change) < 1 and change != change.to_integral_value() and total == total.to_integral_value()


def _is_tax(tax: Decimal, net: Decimal) -> bool:
    return bool(net) and _LOWEST_TAX <= tax / net <= HIGHEST_TAX


def _score(one: _Closing, page: _Page, lines: _Lines) -> float:
    score = _weigh_rate(one, page.rates)
    score += _PER_ROW * (one.gross.order - one.net.order) + _weigh_lines(one, page, lines)
    if _are_aligned([figure.cell for figure in (one.net, *one.taxes, one.gross)]):
        score += _IN_ONE_COLUMN
    if one.gross.value in page.nets:
        score += _TOTAL_IS_NET_OF_OTHERS
    if abs(one.gross.value) >= page.largest:
        score += _LARGEST_FIGURE
    if 0 <= lines.last_row < one.net.order:
        score += _BELOW_LINES
    if len(one.taxes) > 1:
        score += _SEVERAL_TAXES
    if one.changes:
        score += _CHANGED_BETWEEN
    if one.is_column:
        score += _COLUMN_ADDS_UP
    return score


def _weigh_rate(one: _Closing, rates: frozenset[Decimal]) -> float:
    if not one.taxes:
        return 0.0
    bases = [one.net_value] if one.base is None else [one.net_value, one.base]
    if any(_is_rate_printed(base, one.tax_value, rates) for base in bases):
        return _RATE_IS_PRINTED
    if any(_is_rate_round(base, one.tax_value) for base in bases):
        return _RATE_IS_ROUND
    return 0.0 if len(one.taxes) > 1 or one.base is not None else _RATE_IS_ODD


def _weigh_lines(one: _Closing, page: _Page, lines: _Lines) -> float:
    """How well the net fits the lines: it is their sum, or their sum with one printed charge or discount."""
    if lines.total is None:
        return 0.0
    if is_close(one.net_value, lines.total, ROUNDING):
        return _NET_IS_SUM_OF_LINES
    if is_close(one.net.value, lines.total, ROUNDING):
        return _NET_LESS_DISCOUNT_IS_SUM_OF_LINES
    between = [free for free in page.free if lines.last_row < free.order <= one.net.order]
    missing = abs(one.net_value - lines.total)
    if any(is_close(abs(free.value), missing, ROUNDING) for free in between):
        return _NET_IS_SUM_OF_LINES_AND_CHARGE
    return 0.0


def has_odd_rate(figures: PrintedFigures, totals: Totals, labelled_tax: Decimal | None) -> bool:
    """Whether the tax is no likely percentage of the net, though that of the total, as one that the buyer
    withholds, or without the label of a tax."""
    net, tax = totals.net, totals.tax
    if not net or not tax or is_likely_rate(figures.rates, net, tax):
        return False
    return tax != labelled_tax or _is_rate_printed(totals.total or Decimal(0), tax, figures.rates)


def is_likely_rate(rates: frozenset[Decimal], net: Decimal, tax: Decimal) -> bool:
    """Whether the tax is a printed percentage of the net, or one of a multiple of half a percent."""
    return _is_rate_printed(net, tax, rates) or _is_rate_round(net, tax)


def _is_rate_printed(net: Decimal, tax: Decimal, rates: frozenset[Decimal]) -> bool:
    return any(is_close(net * rate, tax, _slack(net, tax)) for rate in rates)


def _is_rate_round(net: Decimal, tax: Decimal) -> bool:
    """Whether the tax is a multiple of half a percent, which that of a large net is by chance seldom."""
    if abs(net) < _LARGE_NET:
        return False
    rate = (tax / net / _ROUND_RATES).to_integral_value() * _ROUND_RATES
    return is_close(net * rate, tax, _slack(net, tax))


def _slack(net: Decimal, tax: Decimal) -> Decimal:
    """What a tax may differ by from its share: half a unit where sums are whole, and so large that it is
    seldom by chance."""
    is_whole = tax == tax.to_integral_value() and net == net.to_integral_value()
    return Decimal("0.5") if is_whole and abs(net) >= _LARGE_WHOLE_NET else _ROUNDING


def _are_aligned(cells: Sequence[Cell]) -> bool:
    edges = ([cell.edge(edge) for cell in cells] for edge in EDGES)
    return any(max(one) - min(one) < 0.8 * cells[0].size for one in edges)


def _make_totals(one: _Closing) -> Totals:
    """The totals; a net after a discount, and a tax that is the sum of two, stand nowhere."""
    provenance = {"total": one.gross.cell.locate(1.0)}
    if not one.changes or one.is_column:
        provenance["net_total"] = one.net.cell.locate(1.0)
    if len(one.taxes) == 1:
        provenance["tax_total"] = one.taxes[0].cell.locate(1.0)
    tax = one.tax_value if one.taxes else None
    discount = one.net.value - one.net_value
    return Totals(one.net_value, tax, one.gross.value, discount, provenance, one.after_tax)
