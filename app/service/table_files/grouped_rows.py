"""Rows in groups, whose party, day and number stand in the first row of each alone: nothing is taken from the
row above unless a person says so. Pure."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from app.contract.imports import BlankCells
from app.service.table_files.heading_words import list_word_group, squeeze
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, TableRow

_TOTALS = (
    "subtotal, sub, grand, zwischensumme, summe, endsumme, sous, sum, sums, overall, somme, сумма, итого,"
    " 合計, 小計, 总计, 合计, 합계"
)
_LEAST_BLANKS = 2


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
    above: dict[int, object] = {}
    for row in rows:
        if isinstance(row, RejectedRow) or not places:
            yield row
            continue
        line, cells = row
        own = {at: cells[at] for at in fields.values() if at < len(cells) and not _is_blank(cells[at])}
        blank = next((mark for mark in places if own.keys().isdisjoint(mark)), None)
        if blank is None:
            above = own
            yield row
            continue
        if (
            not above.keys() >= {*blank}
            or _is_total(cells)
            or any(above[at] != own[at] for at in own if at in above)
        ):
            above = {}
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
    cells = [row[at] if at < len(row) else None for row in rows]
    blank = sum(map(_is_blank, cells))
    if blank < _LEAST_BLANKS or 2 * blank < len(cells) - blank or _is_blank(cells[0]):
        return False
    return all(_is_blank(one) or one != other for one, other in itertools.pairwise(cells))


def _is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _is_total(cells: Sequence[object]) -> bool:
    """Whether a text of the row begins with a word for a sum."""
    texts = (cell.split(maxsplit=1)[0] for cell in cells if isinstance(cell, str) and cell.strip())
    return any(squeeze(text) in _list_totals() for text in texts)


@cache
def _list_totals() -> frozenset[str]:
    return list_word_group("total") | {squeeze(word) for word in _TOTALS.split(",")}
