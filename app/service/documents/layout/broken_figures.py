"""Figures that a narrow cell has broken into two lines, `174` over `000,00`, a sign over its amount, and
those whose cents stand in a column of their own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from app.service.documents.layout.pages import Word
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.further_languages import CENTS, fold_phrases
from app.service.values.currencies import read_currency
from app.service.values.folding import fold

_BEGINNING = re.compile(r"\d{1,3}(?: \d{3})*")
_IN_GROUPS = re.compile(r"\d{1,3}(?: \d{3})+")
_END = re.compile(r"(?:\d{3} )*(?:\d{3}[.,]\d\d|000)")
_AMOUNT = re.compile(r"\d[\d.,' ]*")
_TIGHT = 1.7
"""Letter heights between the middles of two lines of a cell at most."""
_TEXT = re.compile(r"[^\W\d_]{4}")
_CENTS = re.compile(rf"\W*{fold_phrases(CENTS)}\W*")
_WHOLE = re.compile(r"\d[\d.,']*")
_PART = re.compile(r"\d{2,3}")
_ROUND, _NOTHING = re.compile(r"00$"), re.compile(r"0+$")
_MANY_BESIDE = 3
"""Figures of a line below which one alone is the end of one of them."""
_FEWEST_PARTS = 2
_FARTHEST = 4
"""Letter heights by which the cents of the last column may stand right of their header."""


def join_broken_figures(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, each figure that goes on in the line below whole in the first; where all figures of a line
    do, its other words stay."""
    joined = list(rows[:1])
    for upper, lower in pairwise(rows):
        pairs = _find_pairs(joined[-1] if joined[-1] is upper else upper, lower)
        if not pairs:
            joined.append(lower)
            continue
        joined[-1] = _with_ends(joined[-1], pairs)
        moved = {id(word) for _, end in pairs for word in end.words}
        rest = tuple(word for word in lower.words if id(word) not in moved)
        if rest:
            joined.append(lower.with_words(rest))
    return tuple(joined)


def _find_pairs(upper: Row, lower: Row) -> list[tuple[Cell, Cell]]:
    """The beginning and the end of each figure that two rows share."""
    if upper.page != lower.page or upper.words[0].cell is not None:
        return []
    if not 0 < lower.box.middle - upper.box.middle < _TIGHT * upper.size:
        return []
    texts = [cell.box for cell in upper.cells() if not cell.is_figure and _TEXT.search(cell.text)]
    ends = [
        cell
        for cell in lower.cells()
        if _AMOUNT.fullmatch(cell.text) and not any(box.x0 <= cell.box.centre <= box.x1 for box in texts)
    ]
    is_alone = len(ends) == 1 and sum(cell.is_figure for cell in upper.cells()) >= _MANY_BESIDE
    pairs = [
        (begun, end)
        for end in ends
        for begun in _list_parts(upper)
        if abs(begun.box.x1 - end.box.x1) < begun.size / 2 and _goes_on(begun.text, end.text, is_alone)
    ]
    return pairs if len(pairs) == len(ends) else []


def _list_parts(row: Row) -> Iterator[Cell]:
    """The cells of a row, and what each begins with, for the next column may stand close: `2 301 27%`."""
    for cell in row.cells():
        yield from (cell.with_words(cell.words[:count]) for count in range(1, len(cell.words) + 1))


def _goes_on(begun: str, end: str, is_alone: bool) -> bool:
    if is_alone and _IN_GROUPS.fullmatch(begun) and _PART.fullmatch(end):
        return len(end) == len("000")
    if _BEGINNING.fullmatch(begun):
        return _END.fullmatch(end) is not None
    return not begun.isdigit() and read_currency(begun) is not None


def _with_ends(row: Row, pairs: Iterable[tuple[Cell, Cell]]) -> Row:
    gaps = {id(begun.words[-1]): " " if len(begun.words) > 1 else "" for begun, _ in pairs}
    ends = {id(begun.words[-1]): end for begun, end in pairs}
    words = (
        replace(word, text=f"{word.text}{gaps[id(word)]}{end.text.replace(' ', '')}", box=replace(
            word.box, x0=min(word.box.x0, end.box.x0), x1=max(word.box.x1, end.box.x1)
        ))
        if (end := ends.get(id(word)))
        else word
        for word in row.words
    )  # fmt: skip
    return row.with_words(tuple(words))


def join_cents(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, the figures whole whose cents stand in a column of their own, `1,250` and `50` below `Rs.`
    and `Ps.`: such a column has a header of cents, and nothing else stands below it."""
    joined = list(rows)
    for order, row in enumerate(rows):
        for number in range(1, len(row.words)):
            whole, header, *further = row.words[number - 1 : number + 2]
            if not _CENTS.fullmatch(fold(header.text)):
                continue
            right = min([header.box.x1 + _FARTHEST * header.size, *(one.box.x0 for one in further)])
            below = ((at, rows[at]) for at in range(order + 1, len(rows)) if rows[at].page == row.page)
            found = [(at, *parts) for at, one in below if (parts := _find_parts(one, whole.box.x1, right))]
            ends = [part.text for *_, part in found]
            # Between the cells of a table a column of hours or pieces may have such a name too.
            is_round = _ROUND.search if header.cell is None else _NOTHING.match
            if len(ends) < _FEWEST_PARTS or len({*map(len, ends)}) > 1 or not any(map(is_round, ends)):
                continue
            for at, begun, part in found:
                joined[at] = _with_cents(joined[at], begun, part)
            words = (word for word in joined[order].words if word is not header)
            joined[order] = joined[order].with_words(tuple(words))
    return tuple(joined)


def _find_parts(row: Row, left: float, right: float) -> tuple[Word, Word] | None:
    """The whole and the cents of the figure that ends between two edges."""
    for whole, part in pairwise(row.words):
        is_below = left < part.box.centre < right
        if is_below and _PART.fullmatch(part.text) and _WHOLE.fullmatch(whole.text):
            return whole, part
    return None


def _with_cents(row: Row, whole: Word, part: Word) -> Row:
    """The row with the figure; thousandths that end in 0 without it, which is no mark of thousands then."""
    cents = part.text[:2] if part.text.endswith("0") else part.text
    mark = "," if "." in whole.text else "."
    made = replace(whole, text=f"{whole.text}{mark}{cents}", box=whole.box.joined(part.box))
    words = (made if one is whole else one for one in row.words if one is not part)
    return row.with_words(tuple(words))
