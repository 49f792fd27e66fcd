"""Tables: header rows by their words, and the rows below that belong to them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.service.documents.dates import plain
from app.service.documents.grid import HEADER_GAP, Span, column_spans, nearest
from app.service.documents.money import ISO_CODES, find_figures
from app.service.documents.numbers import DecimalMark
from app.service.documents.pages import Word
from app.service.documents.rows import Cell, Row
from app.service.documents.vocabulary import Column, column_scores, coverage, is_tax_clause, total_kind

_FIGURE_COLUMNS: frozenset[Column] = frozenset({"quantity", "unit_price", "list_price", "amount"})
_SIDE_BY_SIDE: frozenset[Column] = frozenset({"year", "tier"})
_LONGEST_HEADER = 80


@dataclass(frozen=True)
class TableColumn:
    """A column: its horizontal extent, its printed header, and what the header speaks for."""

    x0: float
    x1: float
    header: str
    scores: dict[Column, float] = field(default_factory=dict[Column, float])

    @property
    def leading(self) -> Column | None:
        """What the header speaks for most."""
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


@dataclass(frozen=True)
class Table:
    """A table; `title` is the text that stands above its header."""

    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    title: str
    header_rows: tuple[Row, ...]


def find_tables(rows: Sequence[Row], mark: DecimalMark | None) -> list[Table]:
    """All tables of a document, in reading order."""
    headers = _headers(rows)
    tables: list[Table] = []
    for number, header in enumerate(headers):
        end = headers[number + 1].first if number + 1 < len(headers) else len(rows)
        table = _table(rows, header, end, mark)
        if table:
            tables.append(table)
    return tables


def outside(rows: Sequence[Row], tables: Sequence[Table]) -> list[Row]:
    """The rows without what stands in tables: a unit `supplier` labels no supplier.

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
        Row(tuple(word for word in row.words if word.cell is not None or word not in inside), row.page)
        for row in rows
    )
    return [row for row in beside if row.words]


@dataclass(frozen=True)
class _Header:
    """The rows of a header by index, first to last, without what stands beside the table."""

    first: int
    last: int
    rows: tuple[Row, ...]


def _headers(rows: Sequence[Row]) -> list[_Header]:
    headers: list[_Header] = []
    for index, row in enumerate(rows):
        if headers and index <= headers[-1].last:
            continue
        header = _header_of(row)
        if header is None:
            continue
        below = list(_adjoining(rows, index, header, range(index + 1, len(rows)), below=True))
        floor = headers[-1].last if headers else -1
        above = list(_adjoining(rows, index, header, range(index - 1, floor, -1), below=False))
        headers.append(_Header(index - len(above), index + len(below), (*above[::-1], header, *below)))
    return headers


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


def _header_of(row: Row) -> Row | None:
    """The part of a row that names columns; None when it names too few."""
    in_cells = row.words[0].cell is not None
    row = Row(tuple(part for word in row.words for part in _unrun(word)), row.page)
    cells = list(row.cells(HEADER_GAP))
    if sum(_is_one_of_several(plain(cell.text)) for cell in cells) == 1:
        return None  # a range in a row of values
    if in_cells:
        cells = [cell for cell in cells if not re.fullmatch(r"[\W\d]+", cell.text)]
    while cells and not _may_head(cells[0], in_cells):
        cells.pop(0)
    while cells and not _may_head(cells[-1], in_cells):
        cells.pop()
    words = tuple(word for cell in cells for word in cell.words)
    if len(cells) < 2 or (len(words) > 40 and not in_cells):
        return None
    if not all(_may_head(cell, in_cells) or not _holds_value(cell) for cell in cells):
        return None
    if not _names_columns([plain(cell.text) for cell in cells]):
        return None
    return Row(words, row.page)


def _unrun(word: Word) -> tuple[Word, ...]:
    """The words of headers that touch, `QtyUnit`, each with its share of the box."""
    touch = re.search(r"(?<=[a-zß-ÿ.)%])(?=[A-ZÄÖÜÉ])", word.text) if word.cell is None else None
    parts = (word.text[: touch.start()], word.text[touch.start() :]) if touch else ()
    if not parts or not all(column_scores(plain(part)) for part in parts):
        return (word,)
    edge = word.box.x0 + word.box.width * len(parts[0]) / len(word.text)
    boxes = replace(word.box, x1=edge), replace(word.box, x0=edge)
    return tuple(replace(word, text=part, box=box) for part, box in zip(parts, boxes, strict=True))


def _names_columns(texts: Sequence[str]) -> bool:
    named: set[Column] = set()
    strong = 0
    for text in texts:
        scores = _phrase_scores(text)
        named.update(scores)
        strong += bool(scores)
    figures = named & _FIGURE_COLUMNS
    has_text = named & {"description", "item_id", "position", "quantity"}
    if strong < 2 or not figures or not has_text or len(named) < 2 or strong * 2 < len(texts):
        return False
    if strong < 3 or len(texts) <= 3:
        # Few words prove little: "Basic Plan | Price estimate" is a headline.
        return len(texts) <= 3 and all(coverage(text) >= 0.6 for text in texts)
    return True


def _may_head(cell: Cell, in_cells: bool) -> bool:
    text = plain(cell.text)
    if text.strip("()").upper() in ISO_CODES or _is_one_of_several(text) or is_tax_clause(text):
        return True
    return bool(_phrase_scores(text)) and (in_cells or not _holds_value(cell))


def _is_one_of_several(text: str) -> bool:
    return bool(_SIDE_BY_SIDE & _phrase_scores(text).keys())


def _holds_value(cell: Cell) -> bool:
    text = re.sub(r"\d+[- ](?:month|year|mois|monats?|jahres?)", "", cell.text, flags=re.IGNORECASE)
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
    if re.search(r"\d|:", row.text):
        return False
    if distance < 0.85 * header.size:
        return True  # lines of cells of different height, set in the middle, stand between each other
    if [word.bold for word in first] != [word.bold for word in head]:
        return False
    if row.box.x0 < header.box.x0 - header.size or row.box.x1 > header.box.x1 + 6 * header.size:
        return False
    cells = row.cells(HEADER_GAP)
    if not all(_over_some(cell, header) or _phrase_scores(plain(cell.text)) for cell in cells):
        return False
    at_left = len(cells) == 1 and cells[0].box.x0 <= header.box.x0 + header.size
    if below and at_left:
        return False  # a heading of the first group of lines
    tight = distance < 1.45 * header.size
    return tight or any(_phrase_scores(plain(cell.text)) for cell in cells)


def _over_some(cell: Cell, header: Row) -> bool:
    return any(word.box.x0 < cell.box.x1 + 2 and cell.box.x0 - 2 < word.box.x1 for word in header.words)


def _table(rows: Sequence[Row], found: _Header, end: int, mark: DecimalMark | None) -> Table | None:
    header = found.rows
    body = rows[found.last + 1 : end]
    left, right = _extent(header)
    segments = [_segments(row, left, right) for row in body]
    anchors = list(_guiding_rows(segments, mark))
    if not anchors:
        return None
    spans, names = column_spans(anchors, header)
    columns = tuple(
        TableColumn(span.x0, span.x1, name, column_scores(plain(name)))
        for span, name in zip(spans, names, strict=True)
    )
    table_rows = tuple(
        TableRow(row, _placed(cells, spans), _is_anchor(cells, mark))
        for row, cells in zip(body, segments, strict=True)
        if cells
    )
    return Table(columns, table_rows, _title(rows, found.first), header)


def _guiding_rows(segments: Sequence[Sequence[Cell]], mark: DecimalMark | None) -> Iterator[Sequence[Cell]]:
    """The rows of figures down to the final total; what follows is no longer part of the table."""
    seen = False
    for cells in segments:
        if _is_anchor(cells, mark):
            seen = True
            yield cells
        elif seen and cells and total_kind(plain(cells[0].text)) in ("gross", "due", "contract"):
            return


def _title(rows: Sequence[Row], first: int) -> str:
    if first and rows[first - 1].page == rows[first].page:
        gap = rows[first].box.top - rows[first - 1].box.bottom
        if gap < 3 * rows[first].size and len(rows[first - 1].words) <= 12:
            return rows[first - 1].text
    return ""


def _extent(header: Sequence[Row]) -> tuple[float, float]:
    cells = sorted((cell for row in header for cell in row.cells(HEADER_GAP)), key=lambda cell: cell.box.x0)
    size = header[0].size
    leftmost = column_scores(plain(cells[0].text))
    numeric = any(leftmost.get(column, 0) >= 2 for column in ("quantity", "position"))
    # A column of text may begin left of its centred header; one of figures does not.
    left = cells[0].box.x0 - (3 * size if numeric else 1e6)
    right = max(cell.box.x1 for cell in cells) + 6 * size
    return left, right


def _segments(row: Row, left: float, right: float) -> tuple[Cell, ...]:
    cells = (cell for cell in row.cells(0.62) if cell.box.x1 > left)
    words = tuple(word for cell in cells for word in cell.words if word.box.x0 < right)
    return _with_currency(Row(words, row.page).cells(0.62)) if words else ()


_CURRENCY_ALONE = re.compile(r"[A-Z]{3}|[^\w\s]{1,2}|[A-Z]{0,3}\$|n|Rs\.?|RM|kr\.?|[-−–]", re.UNICODE)


def _with_currency(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Joins a currency sign that stands apart with the number right of it."""
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
            joined[-1] = Cell(before.words + cell.words, cell.page)
        else:
            joined.append(cell)
    return tuple(joined)


def _is_anchor(cells: Sequence[Cell], mark: DecimalMark | None) -> bool:
    if not cells or (total_kind(plain(cells[0].text)) and len(cells) <= 3):
        return False
    figures = sum(is_figure(cell.text, mark) for cell in cells)
    last = cells[-2] if len(cells) > 2 and cells[-1].text in ISO_CODES else cells[-1]
    return figures >= 2 or (figures == 1 and len(cells) >= 2 and is_figure(last.text, mark))


def is_figure(text: str, mark: DecimalMark | None) -> bool:
    """Whether a cell holds one number, at most with a currency or a short unit."""
    if len(text) > 32 or not any(letter.isdigit() for letter in text):
        return False
    figures = find_figures(text, mark)
    if len(figures) != 1:
        return False
    rest = (text[: figures[0].start] + " " + text[figures[0].end :]).split()
    return len(rest) <= 3 and is_sign(text[: figures[0].start])


def is_sign(text: str) -> bool:
    """Whether what stands before a number is nothing but a sign; fonts without a currency's glyph print
    a box or a stray letter."""
    return re.fullmatch(r"[^\w]{0,3}[A-Za-z]?[^\w]{0,2}", text.strip()) is not None


def _placed(cells: Sequence[Cell], spans: Sequence[Span]) -> dict[int, Cell]:
    """The cells in their columns; a cell that bridges columns is cut between its words."""
    placed: dict[int, Cell] = {}
    for cell in cells:
        touching = [span for span in spans if span.overlap(cell.box.x0, cell.box.x1) > 0.8]
        cut = len(touching) > 1 and (_is_row_of_values(cell) or _opens_with_number(cell, touching))
        pieces = _pieces(cell, spans) if cut else [cell]
        for piece in pieces:
            index = nearest(piece.box.x0, piece.box.x1, spans)
            before = placed.get(index)
            placed[index] = Cell(before.words + piece.words, piece.page) if before else piece
    return placed


def _is_row_of_values(cell: Cell) -> bool:
    """A bridging cell is cut only where figures stand in it; prose stays whole."""
    return sum(any(letter.isdigit() for letter in word.text) for word in cell.words) * 3 >= len(cell.words)


def _opens_with_number(cell: Cell, touching: Sequence[Span]) -> bool:
    """Whether a cell is a number in its own narrow column and the text of the next: `25  Seats, basic`."""
    first, second = cell.words[0], cell.words[min(1, len(cell.words) - 1)]
    return (
        first is not second
        and first.text.isdigit()
        and first.box.x1 <= touching[0].x1 + 1
        and second.box.x0 >= touching[1].x0 - 1
        and touching[0].x1 - touching[0].x0 < 6 * cell.size
    )


def _pieces(cell: Cell, spans: Sequence[Span]) -> list[Cell]:
    pieces: list[Cell] = []
    last = -1
    for word in cell.words:
        index = nearest(word.box.x0, word.box.x1, spans)
        if pieces and (index == last or _goes_on(pieces[-1].words[-1], word)):
            pieces[-1] = Cell((*pieces[-1].words, word), cell.page)
        else:
            pieces.append(Cell((word,), cell.page))
        last = index
    return pieces


def _goes_on(left: Word, right: Word) -> bool:
    """Whether two words are one number whose thousands are grouped by a space: `33 798,00`."""
    near = right.box.x0 - left.box.x1 < 0.45 * left.size
    return bool(near and re.search(r"(?<!\d)\d{1,3}$", left.text) and re.match(r"\d{3}(?!\d)", right.text))
