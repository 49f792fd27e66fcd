"""A discount on all lines, printed among the sums: what it takes off, and which share of them that is."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate

from app.service.documents.extraction import LineItem, list_places
from app.service.documents.fields.totals import LabelledSum, Totals
from app.service.documents.judge.case import Case
from app.service.documents.judge.readings import ROUNDING, sum_lines
from app.service.documents.judge.sentences import format_money
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.vocabulary import DISCOUNT
from app.service.documents.values.durations import SPAN
from app.service.values.folding import fold
from app.service.values.rounding import is_close, round_to_cents

_MOST_WORDS = 12
_MOST_DISCOUNTS = 4
_MOST_LINES = 500
_HUNDRED = Decimal(100)
_SUMS = ("net", "gross", "due")


@dataclass(frozen=True)
class PrintedDiscount:
    """What a row takes off: a share, a sum of money, or both; `cell` is where the row ends."""

    percent: Decimal | None
    money: Decimal | None
    cell: Cell

    def take_off(self, base: Decimal) -> Decimal:
        if self.money is not None:
            return self.money
        return round_to_cents(base * (self.percent or 0) / _HUNDRED)


@dataclass(frozen=True)
class _Deduction:
    printed: Sequence[PrintedDiscount]
    whole: Decimal
    left: Decimal


def name_discounts(
    case: Case, rows: Sequence[Row], sums: Sequence[LabelledSum]
) -> tuple[Case, tuple[str, ...]]:
    """The case with the discount that its page prints, and a sentence where its share is not its money; the
    case as it was where none leads from the lines to a sum.

    A discount that the sums leave out is taken off where what is left is printed as a sum with a label.
    """
    whole = sum_lines(case.items)
    found = list(_find_printed(rows, case.items)) if whole else []
    if not found or whole is None:
        return case, ()
    totals = case.totals
    deduction = _find_deduction(found, whole, [one for one in (totals.net, totals.total) if one is not None])
    if deduction is None:
        left = {one.cell: one.value for one in sums if one.kind in _SUMS and one.value < whole}
        if not _is_undiscounted(totals, whole):
            return case, ()
        deduction = _find_deduction(found, whole, left.values())
        if deduction is None:
            return case, tuple(_list_left_out(found, totals))
        totals = _reduce(totals, deduction, left)
    if totals.net is not None and not totals.discount and is_close(deduction.left, totals.net, ROUNDING):
        totals = replace(totals, discount=whole - totals.net)
    # A reading that lacks just the discount is none that the page leaves open.
    rivals = [one for one in case.rivals if not _is_undiscounted(one, whole)]
    return replace(case, totals=totals, rivals=rivals), tuple(
        _list_contradicted(
            deduction, list(accumulate(one.amount or Decimal(0) for one in case.items[:_MOST_LINES]))
        )
    )


def _find_printed(rows: Sequence[Row], items: Sequence[LineItem]) -> Iterator[PrintedDiscount]:
    """The rows that speak of a discount and stand apart from the lines, but none for paying within days."""
    places = list_places(items, "amount")
    for row in rows:
        text = fold(row.text)
        if len(row.words) > _MOST_WORDS or not DISCOUNT.search(text):
            continue
        if any(span["days"] for span in SPAN.finditer(text)):
            continue
        cells = row.cells()
        if any((cell.page, cell.box) in places for cell in cells):
            continue
        figures = row.figures
        percents = [one.value for one in figures if one.percent and 0 < abs(one.value) < _HUNDRED]
        last = [one for one in cells[-1].figures if not one.percent]
        is_money = bool(last) and (cells[-1].is_figure or last[-1].currency or last[-1].decimals == 2)
        money = abs(last[-1].value) if is_money and last[-1].value else None
        if percents or money is not None:
            yield PrintedDiscount(abs(percents[0]) if percents else None, money, cells[-1])


def _list_left_out(found: Sequence[PrintedDiscount], totals: Totals) -> Iterator[str]:
    """Sentences about discounts in money below the total, which are taken off no sum."""
    place = totals.provenance.get("total")
    if place is None or place.box is None:
        return
    for one in found:
        below = place.page == one.cell.page and one.cell.box.top >= place.box.bottom
        if below and one.money is not None:
            yield f"A discount of {format_money(one.money)} is printed below the total, but taken off no sum."


def _find_deduction(
    found: Sequence[PrintedDiscount], whole: Decimal, targets: Collection[Decimal]
) -> _Deduction | None:
    """The discounts, all together or one alone, that lead from the sum of the lines to another sum."""
    for chosen in (found[:_MOST_DISCOUNTS], *([one] for one in found[:_MOST_DISCOUNTS])):
        left = whole
        for one in chosen:
            left -= one.take_off(left)
        if 0 < left < whole and any(is_close(left, target, ROUNDING) for target in targets):
            return _Deduction(chosen, whole, left)
    return None


def _is_undiscounted(totals: Totals, whole: Decimal) -> bool:
    """Whether the sums are those of the lines before any discount."""
    return totals.net is not None and is_close(totals.net, whole, ROUNDING) and not totals.tax


def _reduce(totals: Totals, deduction: _Deduction, left: Mapping[Cell, Decimal]) -> Totals:
    [*_, (cell, value)] = [pair for pair in left.items() if is_close(pair[1], deduction.left, ROUNDING)]
    place = cell.locate(1.0)
    return replace(
        totals,
        net=value,
        total=value,
        provenance={**totals.provenance, "net_total": place, "total": place},
    )


def _list_contradicted(deduction: _Deduction, parts: Sequence[Decimal]) -> Iterator[str]:
    """Sentences about discounts of which the page prints another share than their money is: of all, or of the
    lines above charges."""
    base = deduction.whole
    for one in deduction.printed:
        money = one.take_off(base)
        shares = [whole * (one.percent or 0) / _HUNDRED for whole in (base, *parts)]
        if one.percent is not None and not any(is_close(share, money, ROUNDING) for share in shares):
            share = round_to_cents(money / base * _HUNDRED)
            yield (
                f"A discount is printed as {format_money(one.percent)} %, but {format_money(money)} is"
                f" {format_money(share)} % of {format_money(base)}."
            )
        base -= money
