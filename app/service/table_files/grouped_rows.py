"""Rows in groups, whose party, day and number stand in the first row of each alone: nothing is taken from the
row above unless a person says so. Pure."""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from app.contract.imports import BlankCells
from app.service.database.rows import batched
from app.service.table_files.heading_words import list_word_group, squeeze
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, TableRow, format_cell

SUM_OF_ROWS = "is the sum of other rows"
_REVISED_ROWS = 20_000
"""Among so many rows the last revisions are found."""
_LEAST_BLANKS = 2
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_TAX = 40


def fill_groups(
    rows: Iterable[TableRow | RejectedRow],
    header: Sequence[str],
    fields: Mapping[str, int],
    marks: Sequence[Sequence[str]],
    names: Collection[int],
    answer: BlankCells | None,
    questions: Questions | None,
) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows; one that belongs to the group of the row above has the cells of that row where its own
    are blank.

    `fields` are the positions of what a group has in common. A row belongs to the group above where all
    fields of one of `marks` are blank, and no field differs. Without an answer it is asked, and the rows are
    read as those of the group where they wait for the answer. A row of totals belongs to no group, and none
    does that has nothing in the columns with the `names` of what a row is of.
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
        is_line = not (is_total(cells) or (names and all(_is_blank(cells, at) for at in names)))
        if differs or not above.keys() >= {*blank} or not is_line:
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


def keep_last_revisions(
    rows: Iterable[TableRow | RejectedRow],
    header: Sequence[str],
    order: int | None,
    lines: Sequence[int],
    at: int | None,
) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows; of those of one line of an order, whose number is in the column `order`, only the last
    revision counts, of which the column `at` has the number. Without columns of `lines` rows are of one line
    that have all else in common. Of many rows those count that come first."""
    if order is None or at is None:
        yield from rows
        return
    decided: dict[int, tuple[tuple[int, str], int]] = {}

    def identify(cells: Sequence[object]) -> tuple[int, tuple[int, str]]:
        places = lines or [place for place in range(len(cells)) if place != at]
        text = format_cell(cells[at]).strip() if at < len(cells) else ""
        key = hash((str(cells[order]), *(str(cells[place]) for place in places if place < len(cells))))
        return key, (int(text), "") if text.isdecimal() else (0, text)

    for some in batched(rows, _REVISED_ROWS):
        of_order = (row for row in some if not isinstance(row, RejectedRow) and not _is_blank(row[1], order))
        known = {line: identify(cells) for line, cells in of_order}
        for line, (key, revision) in sorted(known.items(), key=lambda one: one[1][1], reverse=True):
            decided.setdefault(key, (revision, line))
        for row in some:
            if isinstance(row, RejectedRow) or row[0] not in known:
                yield row
                continue
            key, revision = known[row[0]]
            last, line = decided[key]
            if revision == last:
                yield row
            else:
                reason = f"line {line} has another revision of this row"
                yield RejectedRow(row[0], reason, column=header[at])


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


def is_total(cells: Sequence[object]) -> bool:
    """Whether a text of the row begins with a word for a sum, or with two as in `I alt`."""
    totals = list_word_group("total") | list_word_group("sum")
    texts = (cell.split(maxsplit=2)[:2] for cell in cells if isinstance(cell, str) and cell.strip())
    return any(squeeze(begin) in totals for first, *rest in texts for begin in (first, first + "".join(rest)))


def is_tax(text: str) -> bool:
    """Whether a text names a tax and nothing else: `Sales tax 8 %`, `MwSt.-Betrag`."""
    first = _WORD.search(text) if len(text) <= _LONGEST_TAX else None
    taxes, beside, starts = _list_taxes()
    if first is None or (first[0].isascii() and first[0].lower() not in starts):
        return False
    found = _WORD.findall(text)
    words = {squeeze(word) for word in found}
    return squeeze("".join(found)) in taxes or (not words.isdisjoint(taxes) and words <= taxes | beside)


@cache
def _list_taxes() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the words for taxes, those that may stand beside them, and all that the first word of them may
    be: most names of products begin with another."""
    taxes, beside = list_word_group("tax"), list_word_group("amount") | list_word_group("total")
    return taxes, beside, frozenset(word[:end] for word in taxes | beside for end in range(len(word) + 1))
