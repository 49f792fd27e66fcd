"""Tables: headers, and the rows below that belong to them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from app.service.documents.layout.pages import Word
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import Column, column_scores
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.grid import HEADER_GAP, Span, find_columns, find_nearest
from app.service.documents.tables.headers import Header, find_headers, lacks_description
from app.service.documents.values.money import Figure, is_sign
from app.service.values.currencies import CODES_IN_TEXT
from app.service.values.folding import fold
from app.service.values.tax import find_tax

_FIRST_ROWS = 20
_AS_LIKELY = 1.0
_STATED_TWICE: frozenset[Column] = frozenset({"unit_price", "amount"})


@dataclass(frozen=True)
class TableColumn:
    """A column with its horizontal extent and its printed header.

    `scores` tells how strongly the header speaks for each meaning.
    """

    x0: float
    x1: float
    header: str
    scores: dict[Column, float] = field(default_factory=dict[Column, float])

    @property
    def best_meaning(self) -> Column | None:
        """The meaning that the header speaks for most; None when it speaks for none."""
        return max(self.scores, key=lambda meaning: self.scores[meaning], default=None)


@dataclass(frozen=True)
class TableRow:
    """A row of a table: the cells by column index; `row` is the whole line.

    `anchor` rows show figures and so tell where the columns are; the others hold text.
    """

    row: Row
    cells: dict[int, Cell]
    anchor: bool = False

    def text(self, index: int | None) -> str:
        return self.cells[index].text if index is not None and index in self.cells else ""

    def figures(self, index: int | None) -> tuple[Figure, ...]:
        """The numbers that stand in a column."""
        return self.cells[index].figures if index is not None and index in self.cells else ()

    def figure(self, index: int | None) -> Figure | None:
        """The number that stands in a column; of several the only one with a currency, else the first."""
        return self._figures.get(index) if index is not None else None

    @cached_property
    def _figures(self) -> dict[int, Figure]:
        return {index: _main_figure(cell.figures) for index, cell in self.cells.items() if cell.figures}

    def value(self, index: int | None) -> Decimal | None:
        """The value of the number that the row shows in a column."""
        figure = self.figure(index)
        return figure.value if figure else None

    def is_figure(self, index: int | None) -> bool:
        """Whether a column holds one or two numbers and little else."""
        return index is not None and index in self.cells and holds_figure(self.cells[index])


@dataclass(frozen=True)
class Table:
    """A table; `title` is the text that stands above its header."""

    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    title: str
    header_rows: tuple[Row, ...]

    @cached_property
    def letter_counts(self) -> tuple[int, ...]:
        """How many letters each column has in the first rows."""
        return tuple(
            sum(letter.isalpha() for row in self.rows[:_FIRST_ROWS] for letter in row.text(index))
            for index in range(len(self.columns))
        )


def find_tables(rows: Sequence[Row]) -> list[Table]:
    """All tables of a document, in reading order."""
    headers = find_headers(rows)
    tables: list[Table] = []
    for number, header in enumerate(headers):
        end = _find_end(rows, header, headers[number + 1]) if number + 1 < len(headers) else len(rows)
        table = _build_table(rows, header, end)
        if table:
            tables.append(table)
    return tables


def _find_end(rows: Sequence[Row], header: Header, following: Header) -> int:
    """Where a table ends: at the next header, or at the page on which its own header is repeated,
    for what stands there above it is the head of the page."""
    page = following.rows[0].page
    repeated = [row.text for row in header.rows] == [row.text for row in following.rows]
    if not repeated or page == header.rows[0].page:
        return following.first
    return next(index for index in range(header.last + 1, following.first + 1) if rows[index].page == page)


def rows_outside_tables(rows: Sequence[Row], tables: Sequence[Table]) -> list[Row]:
    """The rows without what stands in tables, where a unit called `supplier` labels no supplier.

    Cells of a sheet are kept, for a column of suppliers names them.
    """
    inside = {word for table in tables for row in table.header_rows for word in row.words}
    for table in tables:
        headed = [index for index, column in enumerate(table.columns) if column.header]
        for row in table.rows:
            if row.anchor:
                inside.update(
                    word for index in headed if index in row.cells for word in row.cells[index].words
                )
    beside = (
        row.with_words(tuple(word for word in row.words if word.cell is not None or word not in inside))
        for row in rows
    )
    return [row for row in beside if row.words]


def _build_table(rows: Sequence[Row], found: Header, end: int) -> Table | None:
    header = found.rows
    body = rows[found.last + 1 : end]
    left, right = _find_extent(header)
    segments = [_cut_to_extent(row, left, right) for row in body]
    anchors = list(_rows_of_figures(segments))
    if not anchors:
        return None
    spans, names = find_columns(anchors, header)
    columns = tuple(
        TableColumn(span.x0, span.x1, name, scores)
        for span, name, scores in zip(spans, names, _score_headers(names), strict=True)
    )
    table_rows = tuple(
        TableRow(row, _place_cells(cells, spans), _is_anchor(cells))
        for row, cells in zip(body, segments, strict=True)
        if cells
    )
    return Table(columns, table_rows, _find_title(rows, found.first), header)


def _score_headers(names: Sequence[str]) -> list[dict[Column, float]]:
    """What each header may mean; of a price or amount before tax, the same with tax is left aside."""
    scores = [column_scores(fold(name)) for name in names]
    taxes = [find_tax(name) for name in names]
    before = {
        meaning
        for one, tax in zip(scores, taxes, strict=True)
        for meaning in one
        if tax == "before tax" and one[meaning] > max(one.values()) - _AS_LIKELY
    } & _STATED_TWICE
    return [
        {"ignored": 5.0} if tax == "with tax" and before & one.keys() else one
        for one, tax in zip(scores, taxes, strict=True)
    ]


def _rows_of_figures(segments: Sequence[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    """The rows of figures down to the final total; what follows is no longer part of the table."""
    has_begun = False
    for cells in segments:
        if _is_anchor(cells):
            yield cells
            has_begun = True
        elif has_begun and cells and total_kind(fold(cells[0].text)) in ("gross", "due", "contract"):
            return


def _find_title(rows: Sequence[Row], first: int) -> str:
    if first and rows[first - 1].page == rows[first].page:
        gap = rows[first].box.top - rows[first - 1].box.bottom
        if gap < 3 * rows[first].size and len(rows[first - 1].words) <= 12:
            return rows[first - 1].text
    return ""


def _find_extent(header: Sequence[Row]) -> tuple[float, float]:
    cells = sorted((cell for row in header for cell in row.cells(HEADER_GAP)), key=lambda cell: cell.box.x0)
    size = header[0].size
    leftmost = column_scores(fold(cells[0].text))
    numeric = any(leftmost.get(column, 0) >= 2 for column in ("quantity", "position"))
    numeric = numeric and not lacks_description(cells)
    # A column of text may begin left of its centred header or have none; one of figures does not.
    left = cells[0].box.x0 - (3 * size if numeric else 1e6)
    named = {column for cell in cells for column in column_scores(fold(cell.text))}
    # Amounts may have no header, where there are prices and quantities.
    amounts_follow = "amount" not in named and {"quantity", "unit_price"} <= named
    right = 1e6 if amounts_follow else max(cell.box.x1 for cell in cells) + 6 * size
    return left, right


def _cut_to_extent(row: Row, left: float, right: float) -> tuple[Cell, ...]:
    cells = (cell for cell in row.cells(0.62) if cell.box.x1 > left)
    words = tuple(word for cell in cells for word in cell.words if word.box.x0 < right)
    return _join_currencies(row.with_words(words).cells(0.62)) if words else ()


_CURRENCY_ALONE = re.compile(r"[A-Z]{3}|[^\w\s]{1,2}|[A-Z]{0,3}\$|n|Rs\.?|RM|kr\.?|[-−–]", re.UNICODE)


def _join_currencies(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Join a currency sign that stands apart with the number right of it."""
    joined: list[Cell] = []
    for cell in cells:
        before = joined[-1] if joined else None
        if (
            before
            and before.words[0].cell is None
            and _CURRENCY_ALONE.fullmatch(before.text)
            and cell.text[:1].isdigit()
            and cell.box.x0 - before.box.x1 < 5 * cell.size
        ):
            joined[-1] = cell.with_words(before.words + cell.words)
        else:
            joined.append(cell)
    return tuple(joined)


def _is_anchor(cells: Sequence[Cell]) -> bool:
    if not cells or (total_kind(fold(cells[0].text)) and len(cells) <= 3):
        return False
    figures = [cell for cell in cells if cell.is_figure]
    last = cells[-2] if len(cells) > 2 and cells[-1].text in CODES_IN_TEXT else cells[-1]
    before_remark = any(map(str.isalpha, last.text)) and any(cell.figures[0].currency for cell in figures)
    ends = last.is_figure or before_remark
    return len(figures) >= 2 or (len(figures) == 1 and len(cells) >= 2 and ends)


def _main_figure(figures: Sequence[Figure]) -> Figure:
    money = [figure for figure in figures if not figure.percent] or figures
    named = [figure for figure in money if figure.currency]
    return named[0] if len(named) == 1 else money[0]


def holds_figure(cell: Cell) -> bool:
    """Whether a cell holds one or two numbers, the first at its beginning but for a sign."""
    return (
        1 <= len(cell.figures) <= 2 and len(cell.text) <= 40 and is_sign(cell.text[: cell.figures[0].start])
    )


def _place_cells(cells: Sequence[Cell], spans: Sequence[Span]) -> dict[int, Cell]:
    """The cells in their columns; a cell that bridges columns is cut between its words."""
    placed: dict[int, Cell] = {}
    for cell in cells:
        touching = [span for span in spans if span.overlap(cell.box.x0, cell.box.x1) > 0.8]
        cut = len(touching) > 1 and _holds_values(cell)
        pieces = _split_cell(cell, spans) if cut else [cell]
        for piece in pieces:
            index = find_nearest(piece.box.x0, piece.box.x1, spans)
            before = placed.get(index)
            placed[index] = piece.with_words(before.words + piece.words) if before else piece
    return placed


def _holds_values(cell: Cell) -> bool:
    """Whether figures make up at least a third of a cell; prose is not cut into columns."""
    return sum(any(letter.isdigit() for letter in word.text) for word in cell.words) * 3 >= len(cell.words)


def _split_cell(cell: Cell, spans: Sequence[Span]) -> list[Cell]:
    pieces: list[Cell] = []
    last = -1
    for word in cell.words:
        index = find_nearest(word.box.x0, word.box.x1, spans)
        if pieces and (index == last or _continues_number(pieces[-1].words[-1], word)):
            pieces[-1] = cell.with_words((*pieces[-1].words, word))
        else:
            pieces.append(cell.with_words((word,)))
        last = index
    return pieces


def _continues_number(left: Word, right: Word) -> bool:
    """Whether two words are one number whose thousands are grouped by a space: `33 798,00`."""
    near = right.box.x0 - left.box.x1 < 0.45 * left.size
    return bool(near and re.search(r"(?<!\d)\d{1,3}$", left.text) and re.match(r"\d{3}(?!\d)", right.text))
