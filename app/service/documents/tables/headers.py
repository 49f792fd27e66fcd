"""The headers of tables: rows whose words name columns, broken over several lines or not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.service.documents.layout.pages import Word
from app.service.documents.layout.rows import Cell, Row, find_repeats
from app.service.documents.lexicon.column_words import Column, column_scores, coverage, is_tax_clause
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.grid import HEADER_GAP
from app.service.documents.values.durations import DAYS, MONTHS, WEEKS, YEARS
from app.service.values.currencies import CODES_IN_TEXT
from app.service.values.folding import fold
from app.service.values.price_basis import cut_price_count

_FIGURE_COLUMNS: frozenset[Column] = frozenset({"quantity", "unit_price", "list_price", "amount"})
_SIDE_BY_SIDE: frozenset[Column] = frozenset({"year", "tier"})
_NAMES_OF_THINGS: frozenset[Column] = frozenset({"description", "item_id", "position"})
_LONGEST_HEADER = 80
# `36-month total`, `12 Monate`, `incl. 21 % VAT`: the figures of a header that are none of a row.
_FIGURES_OF_HEADER = re.compile(
    rf"\d+[- ](?:{DAYS}|{WEEKS}|{MONTHS}|{YEARS})|(?<=[^\W\d] )\(?\d\d?(?:[.,]\d+)? ?%\)?"
)


@dataclass(frozen=True)
class Header:
    """The rows of a header by index, first to last, without what stands beside the table."""

    first: int
    last: int
    rows: tuple[Row, ...]


def find_headers(rows: Sequence[Row]) -> list[Header]:
    """The headers of all tables, from top to bottom."""
    headers: list[Header] = []
    repeats = find_repeats(rows)
    for index, row in enumerate(rows):
        if index in repeats or (headers and index <= headers[-1].last):
            continue
        header = _find_header_in(row, rows[index + 1 : index + 2])
        if header is None or (headers and _goes_with(headers[-1], rows[headers[-1].last], header)):
            continue
        below = list(_adjoining(rows, index, header, range(index + 1, len(rows)), below=True))
        floor = headers[-1].last if headers else -1
        above = list(_adjoining(rows, index, header, range(index - 1, floor, -1), below=False))
        headers.append(Header(index - len(above), index + len(below), (*above[::-1], header, *below)))
    return headers


def _goes_with(header: Header, last: Row, row: Row) -> bool:
    """Whether a row that names columns is but the second line of the header right above it."""
    near = row.page == last.page and row.box.middle - last.box.middle < 1.75 * row.size
    return near and len(row.cells(HEADER_GAP)) < len(header.rows[-1].cells(HEADER_GAP))


def _adjoining(
    rows: Sequence[Row], index: int, header: Row, numbers: Iterable[int], *, below: bool
) -> Iterator[Row]:
    """The further rows of a header that is broken over several lines."""
    neighbour = rows[index]
    for number in numbers:
        if not _belongs_to_header(rows[number], neighbour, header, below=below):
            return
        neighbour = rows[number]
        yield neighbour


def _find_header_in(row: Row, below: Sequence[Row]) -> Row | None:
    """The part of a row that names columns; None when it names too few. `below` is the next row."""
    in_cells = row.words[0].cell is not None
    row = row.with_words(tuple(part for word in row.words for part in _split_touching_words(word)))
    cells = list(row.cells(HEADER_GAP))
    if sum(_is_one_of_several(fold(cell.text)) for cell in cells) == 1:
        return None  # a range in a row of values
    if in_cells:
        cells = [
            cell for cell in cells if not re.fullmatch(r"[\W\d]+", cell.text) or column_scores(cell.text)
        ]
    before: list[Cell] = []
    while cells and not _may_be_header(cells[0], in_cells):
        before.append(cells.pop(0))
    is_headed = in_cells and _heads_figures(cells[-1:], below)
    while cells and not (_may_be_header(cells[-1], in_cells) or is_headed):
        cells.pop()
    words = tuple(word for cell in cells for word in cell.words)
    if len(cells) < 2 or (len(words) > 40 and not in_cells):
        return None
    if not all(_may_be_header(cell, in_cells) or not _holds_value(cell) for cell in cells):
        return None
    # The text column may go by a name of its own.
    named = bool(before) and len(before[-1].words) <= 3 and not _holds_value(before[-1])
    named = named and lacks_description(cells)
    if not _do_name_columns([fold(cell.text) for cell in cells], named=named):
        return None
    if named:
        words = before[-1].words + words
    return row.with_words(words)


def _heads_figures(last: Sequence[Cell], below: Sequence[Row]) -> bool:
    """Whether the last cell of a row in cells is words over the last figure of the next row."""
    ends = [row.cells()[-1] for row in below]
    return any(
        end.is_figure and abs(end.box.x0 - cell.box.x0) < 1 and not _holds_value(cell)
        for end, cell in zip(ends, last, strict=False)
    )


def lacks_description(cells: Sequence[Cell]) -> bool:
    """Whether a header names nothing but figures."""
    return all(column_scores(fold(cell.text)).keys().isdisjoint(_NAMES_OF_THINGS) for cell in cells)


def _split_touching_words(word: Word) -> tuple[Word, ...]:
    """The words of headers that touch, `QtyUnit`, each with its share of the box."""
    touch = re.search(r"(?<=[a-zß-ÿ.)%])(?=[A-ZÄÖÜÉ])", word.text) if word.cell is None else None
    parts = (word.text[: touch.start()], word.text[touch.start() :]) if touch else ()
    if not parts or not all(column_scores(fold(part)) for part in parts):
        return (word,)
    edge = word.box.x0 + word.box.width * len(parts[0]) / len(word.text)
    boxes = replace(word.box, x1=edge), replace(word.box, x0=edge)
    return tuple(replace(word, text=part, box=box) for part, box in zip(parts, boxes, strict=True))


def _do_name_columns(texts: Sequence[str], *, named: bool) -> bool:
    """Whether texts name columns; those of prices alone also behind one `named` by a word of its own."""
    known: set[Column] = set()
    strong = 0
    for text in texts:
        scores = _phrase_scores(text)
        known.update(scores)
        strong += bool(scores)
    if sum(total_kind(text) is not None for text in texts) > 2 and not any(map(_names_goods, texts)):
        return False  # a strip of sums
    has_text = known & {"description", "position", "quantity"} or {"item_id", "unit_price"} <= known
    has_text = (has_text and len(known) > 1) or (
        named and all("unit_price" in _phrase_scores(text) and not _is_one_of_several(text) for text in texts)
    )
    if strong < 2 or not known & _FIGURE_COLUMNS or not has_text or strong * 2 < len(texts):
        return False
    if strong < 3 or len(texts) <= 3:
        # Few words prove little: "Basic Plan | Price estimate" is a headline. Two that say all prove a third.
        unclear = sum(coverage(text) < 0.6 for text in texts)
        return len(texts) <= 3 and unclear <= (strong == 3)
    return True


def _names_goods(text: str) -> bool:
    """Whether a header names what is sold or how many, and not also what that costs, as `Charges` does."""
    scores = _phrase_scores(text).keys()
    return "amount" not in scores and not scores.isdisjoint(_NAMES_OF_THINGS | {"quantity"})


def _may_be_header(cell: Cell, in_cells: bool) -> bool:
    text = fold(cell.text)
    if text.strip("()").upper() in CODES_IN_TEXT or _is_one_of_several(text) or is_tax_clause(text):
        return True
    return bool(_phrase_scores(text)) and (in_cells or not _holds_value(cell))


def _is_one_of_several(text: str) -> bool:
    return bool(_SIDE_BY_SIDE & _phrase_scores(text).keys())


def _holds_value(cell: Cell) -> bool:
    text = cut_price_count(_FIGURES_OF_HEADER.sub("", fold(cell.text)))
    digits = re.search(r"\d[\d.,]*\d", text) and not re.search(r"20\d\d", text)
    return bool(digits) or text[:1].isdigit() or text.endswith(":") or bool(re.search(r"[:;]\s*\S", text))


def _phrase_scores(text: str) -> dict[Column, float]:
    return column_scores(text) if len(text) <= _LONGEST_HEADER else {}


def _belongs_to_header(row: Row, neighbour: Row, header: Row, *, below: bool) -> bool:
    first, head = row.words[:1], header.words[:1]
    if row.page != neighbour.page or len(row.words) > 20 or any(word.cell is not None for word in first):
        return False
    distance = abs(row.box.middle - neighbour.box.middle)
    if distance > 1.75 * max(row.size, neighbour.size) or abs(row.size - header.size) > 0.25 * header.size:
        return False
    if below and _counts_what_prices_are_for(row, header):
        return True
    if re.search(r"\d|:", row.text):
        return False
    if [word.bold for word in first] != [word.bold for word in head]:
        return False
    if row.box.x0 < header.box.x0 - 3 * header.size or row.box.x1 > header.box.x1 + 6 * header.size:
        return False
    cells = row.cells(HEADER_GAP)
    if not all(
        any(_overlap(word, cell) for word in header.words) or _phrase_scores(fold(cell.text))
        for cell in cells
    ):
        return False
    at_left = len(cells) == 1 and cells[0].box.x0 <= header.box.x0 + header.size
    if below and at_left:
        return False  # a heading of the first group of lines
    tight = distance < 1.45 * header.size
    return tight or any(_phrase_scores(fold(cell.text)) for cell in cells)


def _counts_what_prices_are_for(row: Row, header: Row) -> bool:
    """Whether a line of a header ends one that says what a price is for: `100` below `Price per`."""
    cells = row.cells(HEADER_GAP)
    return len(cells) == 1 and any(
        _overlap(word, cells[0]) and cut_price_count(text) != text
        for over in header.cells(HEADER_GAP)
        for number, word in enumerate(over.words, 1)
        if (text := fold(" ".join(one.text for one in (*over.words[:number], *cells[0].words))))
    )


def _overlap(word: Word, cell: Cell) -> bool:
    return word.box.x0 < cell.box.x1 + 2 and cell.box.x0 - 2 < word.box.x1
