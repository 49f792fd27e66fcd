"""Rows in groups, whose party, day and number stand in the first row of each alone: nothing is taken from the
row above unless a person says so. Pure."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from app.contract.imports import BlankCells
from app.service.table_files.cells import format_cell
from app.service.table_files.heading_words import list_word_group, squeeze
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, TableRow
from app.service.values.currencies import read_currency

_TOTALS = (
    "subtotal, sub, grand, zwischensumme, summe, endsumme, sous, sum, sums, overall, somme, сумма, итого,"
    " 合計, 小計, 总计, 合计, 합계"
)
_LEAST_BLANKS = 2
_MOST_SUMS = 2
_LETTER = re.compile(r"[^\W\d_]")


def fill_groups(
    rows: Iterable[TableRow | RejectedRow],
    header: Sequence[str],
    fields: Mapping[str, int],
    marks: Sequence[Sequence[str]],
    answer: BlankCells | None,
    questions: Questions | None,
) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows; one that belongs to the group of the row above has the cells of that row where its own
    are blank.

    `fields` are the positions of what a group has in common. A row belongs to the group above where all
    fields of one of `marks` are blank, and no field differs. Without an answer it is asked, and the rows are
    read as those of the group where they wait for the answer. A row of totals belongs to no group.
    """
    places = [[fields[name] for name in names] for names in marks if all(name in fields for name in names)]
    first: Sequence[object] = ()
    for row in rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        blank = None
        for mark in places:  # a generator for each row takes longer
            if _is_blank(cells, mark[0]) and all(_is_blank(cells, at) for at in mark):
                blank = mark
                break
        if blank is None:
            first = cells
            yield row
            continue
        own = {at: cells[at] for at in fields.values() if not _is_blank(cells, at)}
        above = {at: first[at] for at in fields.values() if not _is_blank(first, at)}
        differs = any(above.get(at, cell) != cell for at, cell in own.items())
        if differs or not above.keys() >= {*blank} or is_total(cells) or not _says_something(cells):
            first = ()
            yield row
            continue
        if answer is None and questions is not None:
            questions.ask_blank_cells([header[at] for at in sorted(above.keys() - own.keys())], line)
        if answer == "above" or (answer is None and questions is not None and questions.wait):
            filled = [*cells, *[""] * (max(above) + 1 - len(cells))]
            for at, cell in above.items():
                filled[at] = own.get(at, cell)
            yield line, filled
        else:
            yield row


def are_grouped(rows: Sequence[Sequence[object]], at: int) -> bool:
    """Whether the cells of a column look as if each stood for those below it: many are blank, and none is
    that of the row above."""
    blank = sum(_is_blank(row, at) for row in rows)
    if blank < _LEAST_BLANKS or 2 * blank < len(rows) - blank or _is_blank(rows[0], at):
        return False
    return all(
        _is_blank(one, at) or one[at] != (other[at] if at < len(other) else None)
        for one, other in itertools.pairwise(rows)
    )


def _is_blank(cells: Sequence[object], at: int) -> bool:
    if at >= len(cells):
        return True
    cell = cells[at]
    return cell is None or (isinstance(cell, str) and (not cell or cell.isspace()))


def _says_something(cells: Sequence[object]) -> bool:
    """Whether a row has a word, or three values: one or two numbers alone, and their currency, are a sum."""
    filled = [text for cell in cells if cell is not None and (text := format_cell(cell).strip())]
    filled = [text for text in filled if read_currency(text) is None]
    return len(filled) > _MOST_SUMS or any(map(_LETTER.search, filled))


def is_total(cells: Sequence[object]) -> bool:
    """Whether a text of the row begins with a word for a sum."""
    texts = (cell.split(maxsplit=1)[0] for cell in cells if isinstance(cell, str) and cell.strip())
    return any(squeeze(text) in _list_totals() for text in texts)


@cache
def _list_totals() -> frozenset[str]:
    return list_word_group("total") | {squeeze(word) for word in _TOTALS.split(",")}
