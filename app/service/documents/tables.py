"""Tables by geometry: header rows, the columns that the body shows, the rows that belong to it.

Columns come from the body (what stands below each other) and get their names from the header above
them; headers alone mislead, for they are centred, broken over lines, or stand close together.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.service.documents.dates import plain
from app.service.documents.money import find_figures
from app.service.documents.numbers import DecimalMark
from app.service.documents.rows import Cell, Row
from app.service.documents.vocabulary import Column, column_scores, total_kind

_FIGURE_COLUMNS: frozenset[Column] = frozenset({"quantity", "unit_price", "list_price", "amount"})
_HEADER_GAP = 0.6


@dataclass(frozen=True)
class TableColumn:
    """A column: its horizontal extent, its printed header, and what the header speaks for."""

    x0: float
    x1: float
    header: str
    scores: dict[Column, float] = field(default_factory=dict[Column, float])


@dataclass(frozen=True)
class TableRow:
    """A row of a table: the cells by column index; `row` is the whole line.

    `anchor` rows show figures and so tell where the columns are; the others hold text.
    """

    row: Row
    cells: dict[int, Cell]
    anchor: bool = False

    def text(self, index: int) -> str:
        return self.cells[index].text if index in self.cells else ""


@dataclass(frozen=True)
class Table:
    """A table; `title` is the text that stands above its header."""

    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    title: str
    header_rows: tuple[Row, ...]


def find_tables(rows: Sequence[Row], mark: DecimalMark | None) -> list[Table]:
    """All tables of a document, in reading order."""
    headers = _header_groups(rows)
    tables: list[Table] = []
    for number, (first, last) in enumerate(headers):
        end = headers[number + 1][0] if number + 1 < len(headers) else len(rows)
        table = _table(rows, first, last, end, mark)
        if table:
            tables.append(table)
    return tables


def _header_groups(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Index ranges (both ends included) of the rows that make up each table header."""
    groups: list[tuple[int, int]] = []
    for index, row in enumerate(rows):
        if groups and index <= groups[-1][1]:
            continue
        if not _is_header(row):
            continue
        first = last = index
        while last + 1 < len(rows) and _belongs_to_header(rows[last + 1], rows[last], row, below=True):
            last += 1
        floor = groups[-1][1] if groups else -1
        while first - 1 > floor and _belongs_to_header(rows[first - 1], rows[first], row, below=False):
            first -= 1
        groups.append((first, last))
    return groups


def _is_header(row: Row) -> bool:
    cells = row.cells(_HEADER_GAP)
    if len(row.words) > 40:
        return False
    named: set[Column] = set()
    strong = 0
    for cell in cells:
        text = plain(cell.text)
        if re.search(r"\d[\d.,]*\d|[:;]\s*\S", text) and not re.search(r"20\d\d", text):
            return False
        scores = _phrase_scores(text)
        if scores:
            named.update(scores)
            strong += 1
    figures = named & _FIGURE_COLUMNS
    if strong < 2 or not figures:
        return False
    if total_kind(plain(row.text)) == "due":
        return False
    has_text = named & {"description", "item_id", "position", "quantity"}
    return (
        bool(has_text) and (strong >= 3 or len(cells) <= 3) and len(named) >= 2 and strong * 2 >= len(cells)
    )


def _phrase_scores(text: str) -> dict[Column, float]:
    return column_scores(text) if len(text) <= 60 else {}


def _belongs_to_header(row: Row, neighbour: Row, header: Row, *, below: bool) -> bool:
    if row.page != neighbour.page or len(row.words) > 14 or row.words[0].cell is not None:
        return False
    distance = abs(row.box.middle - neighbour.box.middle)
    if distance > 1.5 * max(row.size, neighbour.size) or abs(row.size - header.size) > 0.25 * header.size:
        return False
    if re.search(r"\d|:", row.text):
        return False
    cells = row.cells(_HEADER_GAP)
    if not all(_overlaps_some(cell, header) or _phrase_scores(plain(cell.text)) for cell in cells):
        return False
    if row.box.x0 < header.box.x0 - header.size or row.box.x1 > header.box.x1 + 2 * header.size:
        return False
    named = [cell for cell in cells if _phrase_scores(plain(cell.text))]
    if below and len(cells) == 1 and cells[0].box.x0 <= header.box.x0 + header.size:
        return False  # a heading of the first group of lines
    return bool(named) and (row.words[0].bold == header.words[0].bold)


def _overlaps_some(cell: Cell, header: Row) -> bool:
    return any(word.box.x0 < cell.box.x1 and cell.box.x0 < word.box.x1 for word in header.words)


def _table(rows: Sequence[Row], first: int, last: int, end: int, mark: DecimalMark | None) -> Table | None:
    header = rows[first : last + 1]
    body = list(rows[last + 1 : end])
    left, right = _extent(header)
    segments = [_segments(row, left, right) for row in body]
    anchors = [cells for cells in segments if _is_anchor(cells, mark)]
    if not anchors:
        return None
    clusters = _clusters(anchors, header)
    columns = _named(clusters, header)
    table_rows = tuple(
        TableRow(row, _placed(cells, columns), _is_anchor(cells, mark))
        for row, cells in zip(body, segments, strict=True)
        if cells
    )
    title = _title(rows, first)
    return Table(columns, table_rows, title, tuple(header))


def _title(rows: Sequence[Row], first: int) -> str:
    if first and rows[first - 1].page == rows[first].page:
        gap = rows[first].box.top - rows[first - 1].box.bottom
        if gap < 3 * rows[first].size and len(rows[first - 1].words) <= 12:
            return rows[first - 1].text
    return ""


def _extent(header: Sequence[Row]) -> tuple[float, float]:
    cells = sorted((cell for row in header for cell in row.cells(_HEADER_GAP)), key=lambda cell: cell.box.x0)
    size = header[0].size
    leftmost = column_scores(plain(cells[0].text))
    numeric = any(leftmost.get(column, 0) >= 2 for column in ("quantity", "position"))
    # A column of text may begin left of its centred header; one of figures does not.
    left = cells[0].box.x0 - (3 * size if numeric else 1e6)
    right = max(cell.box.x1 for cell in cells) + 6 * size
    return left, right


def _segments(row: Row, left: float, right: float) -> tuple[Cell, ...]:
    words = tuple(word for word in row.words if word.box.x1 > left and word.box.x0 < right)
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
    return figures >= 2 or (figures == 1 and len(cells) >= 2 and is_figure(cells[-1].text, mark))


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


@dataclass
class _Cluster:
    x0: float
    x1: float
    cells: int = 1


def _clusters(anchors: Sequence[Sequence[Cell]], header: Sequence[Row]) -> list[_Cluster]:
    """The horizontal extents in which the cells of the anchor rows stand."""
    spans = sorted((cell.box.x0, cell.box.x1) for cells in anchors for cell in cells)
    phrases = [cell.box for row in header for cell in row.cells(_HEADER_GAP)]
    clusters: list[_Cluster] = []
    for x0, x1 in spans:
        touching = [cluster for cluster in clusters if min(cluster.x1, x1) - max(cluster.x0, x0) > 0.8]
        if not touching:
            clusters.append(_Cluster(x0, x1))
            continue
        best = max(touching, key=lambda cluster: min(cluster.x1, x1) - max(cluster.x0, x0))
        best.x0, best.x1, best.cells = min(best.x0, x0), max(best.x1, x1), best.cells + 1
    for box in phrases:
        # A header over no figure: its column is empty or holds text in other rows.
        if not any(_covers(box.x0, box.x1, cluster) for cluster in clusters):
            clusters.append(_Cluster(box.x0, box.x1))
    clusters.sort(key=lambda cluster: cluster.x0)
    merged: list[_Cluster] = []
    for cluster in clusters:
        last = merged[-1] if merged else None
        overlapping = last and last.x1 - cluster.x0 > 0.8
        same_phrase = last and any(
            _covers(box.x0, box.x1, last) and _covers(box.x0, box.x1, cluster) for box in phrases
        )
        if last and (
            overlapping or (same_phrase and cluster.x0 - last.x1 < 8 and min(last.cells, cluster.cells) < 2)
        ):
            last.x0, last.x1, last.cells = (
                min(last.x0, cluster.x0),
                max(last.x1, cluster.x1),
                last.cells + cluster.cells,
            )
        else:
            merged.append(cluster)
    return merged


def _covers(x0: float, x1: float, cluster: _Cluster) -> bool:
    return min(x1, cluster.x1) - max(x0, cluster.x0) > 0.5


def _named(clusters: Sequence[_Cluster], header: Sequence[Row]) -> tuple[TableColumn, ...]:
    words: list[list[str]] = [[] for _ in clusters]
    for row in header:
        for cell in row.cells(_HEADER_GAP):
            hit = [
                index for index, cluster in enumerate(clusters) if _covers(cell.box.x0, cell.box.x1, cluster)
            ]
            if len(hit) <= 1 or not _torn(cell, hit, clusters):
                index = _best(cell.box.x0, cell.box.x1, clusters)
                words[index].append(cell.text)
                continue
            for word in cell.words:
                words[_best(word.box.x0, word.box.x1, clusters)].append(word.text)
    return tuple(
        TableColumn(cluster.x0, cluster.x1, " ".join(text), column_scores(plain(" ".join(text))))
        for cluster, text in zip(clusters, words, strict=True)
    )


def _torn(cell: Cell, hit: Sequence[int], clusters: Sequence[_Cluster]) -> bool:
    """Whether a header phrase really belongs to several columns: words of it stand over each."""
    return all(
        any(_covers(word.box.x0, word.box.x1, clusters[index]) for word in cell.words) for index in hit
    ) and not _phrase_is_one(cell.text)


def _phrase_is_one(text: str) -> bool:
    return len(text.split()) <= 1


def _best(x0: float, x1: float, clusters: Sequence[_Cluster]) -> int:
    """The column nearest to a span: by overlap, else by the smallest distance of edges or centres."""

    def cost(index: int) -> float:
        cluster = clusters[index]
        overlap = min(x1, cluster.x1) - max(x0, cluster.x0)
        aligned = min(
            abs(x0 - cluster.x0), abs(x1 - cluster.x1), abs((x0 + x1) / 2 - (cluster.x0 + cluster.x1) / 2)
        )
        return -overlap if overlap > 0 else 1000 + aligned

    return min(range(len(clusters)), key=cost)


def _placed(cells: Sequence[Cell], columns: Sequence[TableColumn]) -> dict[int, Cell]:
    spans = [_Cluster(column.x0, column.x1) for column in columns]
    placed: dict[int, Cell] = {}
    for cell in cells:
        index = _best(cell.box.x0, cell.box.x1, spans)
        before = placed.get(index)
        placed[index] = Cell(before.words + cell.words, cell.page) if before else cell
    return placed
