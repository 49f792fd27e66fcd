"""Prices that a document shows and that became neither a line nor a sum: they are counted and said."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate, combinations

from app.contract.money import format_count
from app.service.documents.extraction import Kind, LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import is_sum_of_lines, sum_lines
from app.service.documents.judge.sentences import format_money
from app.service.documents.judge.separate_sums import are_sums_of_paces
from app.service.documents.layout.rows import Cell, Row, WordRun
from app.service.documents.layout.sentences import read_ticked
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.vocabulary import LIMIT, OPTIONAL, total_kind
from app.service.values.folding import fold

_PRICES = ("unit_price", "amount")
_OF_LINES = ("quantity", "unit_price", "amount", "list_unit_price", "from_quantity", "to_quantity")
_MOST_WORDS = 10
_MOST_ITEMS = 200
_BILLS: frozenset[Kind] = frozenset({"invoice", "credit_note"})
"""Below the total of these stand payments."""
_SENTENCE = 8
"""Words from which on a cell is a sentence."""
_ONCE = re.compile(rf"\b{WORDS.lines.once}")
_WORD = re.compile(r"[^\W\d_]{3}")
_END_OF_PART = re.compile(r"[.;]\s")
_AS_FAR = 3.0
"""How many points an edge of a column may waver."""


def describe_unread_prices(
    figures: PrintedFigures, kind: Kind, items: Sequence[LineItem], totals: Totals
) -> Iterator[str]:
    """Return a sentence where rows show prices that no line has, in a column of their prices, where short
    rows do so below lines that make up the sum, as options, where no total was read beside other money, and
    where there are no lines."""
    if not items:
        is_said = kind == "contract" and not _shows_columns(figures)
        if not is_said and totals.total is None and not figures.shows_money:
            yield "No lines were read."
        return
    if all(item.unit_price is None and item.amount is None for item in items):
        yield "The lines state no prices."
        return
    if (
        is_sum_of_lines(totals, items)
        or (totals.total is not None and sum_lines(items) == totals.total)
        or are_sums_of_paces(items, figures)
    ):
        unread, said = (
            list(_list_beside(figures, items, totals, kind)),
            "something beside the lines may be offered.",
        )
        if not unread and kind not in _BILLS:
            unread, said = list(_list_other_totals(figures, items, totals)), "lines may be missing."
    else:
        unread, said = list(_list_unread(figures, items, totals)), "lines may be missing."
        whole = sum_lines(items) if totals.total is None and not unread else None
        if whole is not None and _shows_more(figures, items, totals):
            yield f"The lines add up to {format_money(whole)}, but no total was read."
    if unread:
        rows = format_count(len(unread), "row shows a price", "rows show prices")
        yield (
            f"{rows} that became neither a line nor a sum, the first of them {format_money(unread[0])}:"
            f" {said}"
        )


def _shows_columns(figures: PrintedFigures) -> bool:
    """Whether rows show figures side by side, as prices of several kinds of work do."""
    beside = (sum(cell.is_figure for cell in row.cells()) > 1 for row in figures.rows)
    return sum(beside) > 1


def _list_beside(
    figures: PrintedFigures, items: Sequence[LineItem], totals: Totals, kind: Kind
) -> Iterator[Decimal]:
    """The prices that short rows below the total, or those of options, end with: `Optional: training  500.00
    EUR`, those beside another one in a sentence of which a line was read, and those of other sentences where
    all lines are of sentences. What is more than the total, as a limit, is no offer unless a word says so."""
    read, values = _find_read(figures, items, totals)
    sums = {abs(one) for one in (totals.net, totals.tax, totals.total) if one is not None}
    again = {(item.amount, fold(item.description or "").strip(" .-")) for item in items}
    of_lines = [at for item in items if (at := figures.order_of_line(item)) is not None]
    lines, end = [figures.rows[at] for at in of_lines], len(figures.rows)
    whole = totals.net if totals.total is None else totals.total
    shown = (at for at in range(max(of_lines, default=end) + 1, end)
             if whole in [one.value for one in figures.rows[at].figures])  # fmt: skip
    places = (at for one in totals.provenance.values() if (at := figures.order_of(one)) is not None)
    last = next(shown, max(places, default=end))
    are_said = bool(lines) and all(map(_is_sentence, lines))
    for order, row in enumerate(figures.rows):
        if are_said and order not in read and _is_sentence(row):
            if not LIMIT.search(fold(row.text)):
                yield from [one for one in _find_money(row) if one not in values][:1]
        elif kind not in _BILLS and order not in read and _is_sentence(row) and _offers_more(fold(row.text)):
            yield from [one for one in _find_money(row) if one not in values][:1]
        elif order in read:
            sentences = [cell for cell in row.cells() if len(cell.words) >= _SENTENCE]
            for money in map(_find_money, sentences):
                yield from (one for one in money if len(money) > 1 and one not in values)
        elif kind not in _BILLS and len(row.words) <= _MOST_WORDS and len(money := _find_money(row)) == 1:
            text = fold(row.text)
            if (
                money[0] not in sums
                and total_kind(text) in (None, "other")
                and _WORD.search(text)
                and (
                    OPTIONAL.search(text)
                    or (
                        order > last
                        and (money[0], text.split(":")[0].strip(" .-")) not in again
                        and money[0] < max(sums, default=Decimal(0))
                    )
                )
            ):
                yield money[0]


def _offers_more(text: str) -> bool:
    """Whether a sentence (folded) speaks of what is paid once, or may be bought too."""
    return _ONCE.search(text) is not None or OPTIONAL.search(text) is not None


def _is_sentence(row: Row) -> bool:
    return len(row.cells()) == 1 and len(row.words) > _MOST_WORDS


def _list_other_totals(
    figures: PrintedFigures, items: Sequence[LineItem], totals: Totals
) -> Iterator[Decimal]:
    """The totals of something else, as of what is paid each month beside what is paid once: that no lines in
    a row make, and that is no sum or difference of two others."""
    read, values = _find_read(figures, items, totals)
    made = _add_up(items)
    printed = {abs(one.value) for one in figures.sums}
    for order, row in enumerate(figures.rows):
        money = [one for cell in row.cells() for one in _find_money(cell)]
        if order in read or len(money) != 1 or money[0] in values | made:
            continue
        if total_kind(fold(row.text)) in ("gross", "net") and not any(
            abs(money[0] - one) in printed - {money[0]} for one in printed | made if one
        ):
            yield money[0]


def _add_up(items: Sequence[LineItem]) -> set[Decimal]:
    """What lines in a row make."""
    before = [Decimal(0), *accumulate(item.amount or Decimal(0) for item in items[:_MOST_ITEMS])]
    return {one - other for one, other in combinations(reversed(before), 2)}


def _find_money(run: WordRun) -> list[Decimal]:
    """The amounts of money; what a letter follows is measured: `1.75m`."""
    figures = [
        one for one in run.figures if one.may_be_money and not run.text[one.end : one.end + 1].isalpha()
    ]
    return [abs(one.value) for one in figures if one.currency or one.decimals == 2]


def _find_read(
    figures: PrintedFigures, items: Sequence[LineItem], totals: Totals
) -> tuple[set[int | None], set[Decimal]]:
    """The rows and the values that became lines and sums."""
    places = [place for item in items for place in item.provenance.values()]
    read = {figures.order_of(place) for place in (*places, *totals.provenance.values())}
    values = {
        abs(value) for item in items for name in _OF_LINES if (value := getattr(item, name)) is not None
    }
    values |= {100 * item.unit_price for item in items if item.unit_price}  # printed in cents
    sums = (totals.net, totals.tax, totals.total, totals.discount, sum_lines(items))
    values |= {abs(one) for one in sums if one is not None}
    return read, values


def _shows_more(figures: PrintedFigures, items: Sequence[LineItem], totals: Totals) -> bool:
    """Whether any money of the page became neither a line nor a sum."""
    _, values = _find_read(figures, items, totals)
    cells = (cell for row in figures.rows for cell in row.cells())
    return any(one not in values for cell in cells for one in _find_money(cell))


def _list_unread(figures: PrintedFigures, items: Sequence[LineItem], totals: Totals) -> Iterator[Decimal]:
    """The prices that were not read, one a row: those in a column of the lines' prices and, where no sum was
    read, those of short rows of text and, beside lines without amounts, those of sentences."""
    read, values = _find_read(figures, items, totals)
    if all(item.optional for item in items):
        values |= _add_up(items)
    columns = [seen for item in items for name in _PRICES if (seen := item.provenance.get(name)) and seen.box]
    are_priced = sum_lines(items) is not None
    for order, row in enumerate(figures.rows):
        if order in read or not read_ticked(row.text):
            continue
        if totals.total is None:
            money = [_find_currencies(row, row.text)]
            if is_said := len(row.words) > _MOST_WORDS:
                if are_priced or LIMIT.search(fold(row.text)):
                    continue
            else:
                money = [_find_currencies(row, part) for part in _END_OF_PART.split(row.text)]
            unread = [one[0] for one in money if one and one[0] not in values and (is_said or len(one) == 1)]
            if unread:
                yield unread[0]
                continue
        for cell in row.cells():
            if cell.is_figure and _stands_under(cell, columns):
                [figure] = cell.figures
                if not figure.percent and abs(figure.value) not in values:
                    yield figure.value
                    break


def _find_currencies(row: Row, text: str) -> list[Decimal]:
    """The sums of a part of a row that show their currency."""
    return [abs(one.value) for one in row.figures_in(text) if one.currency]


def _stands_under(cell: Cell, columns: Sequence[Provenance]) -> bool:
    return any(
        seen.page == cell.page
        and seen.box is not None
        and min(abs(seen.box.x1 - cell.box.x1), abs(seen.box.x0 - cell.box.x0)) < _AS_FAR
        for seen in columns
    )
