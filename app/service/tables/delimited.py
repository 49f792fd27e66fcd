"""Read the rows of a delimited text as a stream. Every line of the file is part of a row or of one that is
rejected."""

import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, islice, pairwise
from typing import BinaryIO

from app.service.tables.encodings import FoundEncoding, find_encoding, name_encoding
from app.service.tables.lines import MAX_LINE_CHARACTERS, UnreadableLine, read_lines
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable

_MAX_COLUMNS = 16_384
"""Of a row, as Excel has them."""
_OPEN_QUOTE = "has a quotation mark that is not closed"
_ODD_QUOTE = "has a quotation mark within a quoted cell"
_TOO_WIDE = f"has more than {_MAX_COLUMNS:,} cells"

_Line = str | UnreadableLine


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How rows are written. `width` is the number of cells that most of them have, 0 where none is usual.
    `escape` is the character before a quote within quotes, empty where the quote is doubled."""

    delimiter: str = ","
    quote: str = '"'
    escape: str = ""
    width: int = 0

    def read_row(self, line: str) -> list[str] | None:
        """Return the cells of a row; None where a quote is open at the end, or stands where it cannot."""
        if self.quote not in line:
            return line.split(self.delimiter)
        rows = csv.reader(
            [line],
            delimiter=self.delimiter,
            quotechar=self.quote,
            escapechar=self.escape or None,
            strict=True,
        )
        try:
            return next(rows, list[str]())
        except csv.Error:
            return None


class _RowReader:
    """Parts numbered lines into rows, of which `odd` have a quote that stands where it cannot."""

    def __init__(self, lines: Iterable[tuple[int, _Line]], dialect: _Dialect) -> None:
        self._lines = iter(lines)
        self._dialect = dialect
        self._waiting = deque[tuple[int, _Line]]()
        self.odd = 0
        quote, part = re.escape(dialect.quote), re.escape(dialect.delimiter)
        escaped = rf"{re.escape(dialect.escape)}." if dialect.escape else f"{quote}{quote}"
        plain = rf"[^{quote}{re.escape(dialect.escape)}]"
        self._closing = re.compile(rf"(?:{plain}|{escaped})*+{quote}", re.DOTALL)
        self._after = re.compile(rf"\s*(?:{part}|$)")
        self._parting = re.compile(rf"{part}(?!\s)")

    def read(self, *, blank_rows: bool = False) -> Iterator[TableRow | RejectedRow]:
        """Yield each row with the line that it begins in."""
        delimiter, quote, read_row = self._dialect.delimiter, self._dialect.quote, self._dialect.read_row
        blank = f" \t\xa0{delimiter}"
        while True:
            number, line = self._take()
            if line is None:
                return
            if isinstance(line, UnreadableLine):
                yield RejectedRow(number, line.reason)
                continue
            if not line.strip(blank):
                if blank_rows:
                    yield number, []
                continue
            cells = line.split(delimiter) if quote not in line else read_row(line)
            if cells is None:
                row = self._read_quoted(number, line)
                if isinstance(row, RejectedRow):
                    yield row
                    continue
                cells = row
            if len(cells) > _MAX_COLUMNS:
                yield RejectedRow(number, _TOO_WIDE)
            elif any(cells):
                yield number, cells

    def _take(self) -> tuple[int, _Line | None]:
        if self._waiting:
            return self._waiting.popleft()
        return next(self._lines, (0, None))

    def _read_quoted(self, number: int, line: str) -> list[str] | RejectedRow:
        """Return the row that begins in a line with a quote that the line does not close as it should."""
        if not self._is_open(line):
            self.odd += 1
            cells = self._read_leniently(line)
            return cells if len(cells) == self._dialect.width else RejectedRow(number, _ODD_QUOTE)
        taken: list[tuple[int, _Line]] = []
        texts, size, between = [line], len(line), False
        while size <= MAX_LINE_CHARACTERS:
            following, text = self._take()
            if text is None:
                break
            taken.append((following, text))
            if isinstance(text, UnreadableLine):
                break
            texts.append(text)
            size += len(text)
            state = self._continue(text)
            if state == "closed":
                cells = self._dialect.read_row("\n".join(texts))
                if cells is not None and not between and self._dialect.width in (0, 1, len(cells)):
                    return cells
                break
            if state == "odd":
                break
            # A line within quotes that has none itself may be a whole row.
            width, cells = self._dialect.width, len(self._parting.findall(text)) + 1
            between = between or (self._dialect.quote not in text and cells == width > 2)
        # The quote is no opening one: the lines after it are rows of their own.
        self._waiting.extendleft(reversed(taken))
        self.odd += 1
        return RejectedRow(number, _OPEN_QUOTE)

    def _is_open(self, line: str) -> bool:
        """Whether a quote that opens a cell is not closed in the line."""
        at = 0
        while True:
            if line.startswith(self._dialect.quote, at):
                closing = self._closing.match(line, at + 1)
                if closing is None:
                    return True
                at = closing.end()
                if self._after.match(line, at) is None:
                    return False
            found = line.find(self._dialect.delimiter, at)
            if found < 0:
                return False
            at = found + 1

    def _continue(self, line: str) -> str:
        """Say what a line does to the cell that is open at its beginning."""
        closing = self._closing.match(line)
        if closing is None:
            return "open"
        if self._after.match(line, closing.end()) is None:
            return "odd"
        delimiter = line.find(self._dialect.delimiter, closing.end())
        if delimiter >= 0 and self._is_open(line[delimiter + 1 :]):
            return "open"
        return "closed"

    def _read_leniently(self, line: str) -> list[str]:
        """Return the cells where only a quote before a delimiter closes one: `"15" monitor",5`."""
        quote, delimiter = self._dialect.quote, self._dialect.delimiter
        cells: list[str] = []
        at = 0
        while at <= len(line):
            if line.startswith(quote, at):
                end = line.find(f"{quote}{delimiter}", at + 1)
                if end < 0 and line.endswith(quote) and len(line) > at + 1:
                    end = len(line) - 1
                if end >= 0:
                    cells.append(line[at + 1 : end].replace(quote * 2, quote))
                    at = end + 2
                    continue
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            cells.append(line[at:end])
            at = end + 1
        return cells


_HEAD_LINES, _HEAD_CHARACTERS = 1_000, 1 << 18


@dataclass(frozen=True)
class DelimitedText:
    """A delimited text: its encoding and the rows, blank ones and those of comments left out. `stated` says
    that the first line is none of the table's, since it names the delimiter; `comments` are the lines that
    begin with `#` above the first row."""

    encoding: FoundEncoding
    rows: Iterator[TableRow | RejectedRow]
    stated: bool = False
    comments: Sequence[int] = ()


def open_delimited(stream: BinaryIO, encoding: str | None = None, *, whole: bool = False) -> DelimitedText:
    """Open a text, in the encoding that somebody states or that its bytes show. With `whole`, blank rows and
    comments are not left out. Raises `UnreadableTable`."""
    found = find_encoding(stream) if encoding is None else FoundEncoding(name_encoding(encoding))
    lines = read_lines(stream, found)
    head = _take_head(lines)
    if not head:
        raise UnreadableTable("the file is empty")
    texts = [line for line in head if isinstance(line, str)]
    if isinstance(head[0], UnreadableLine) and not texts:
        raise UnreadableTable(f"line 1 {head[0].reason}")
    stated = _read_stated_delimiter(head[0]) if isinstance(head[0], str) else None
    dialect = _find_dialect(texts[1:] if stated else texts, stated)
    ruler = next(filter(_RULER.fullmatch, texts), None)
    if ruler is not None and (dialect.delimiter == _NO_DELIMITER or "\t" not in ruler):
        head = _join_headings(head, ruler)
        lines = (_part_columns(one, ruler) for one in lines)
        dialect = _find_dialect([line for line in head if isinstance(line, str)], _NO_DELIMITER)
    comments = [] if whole else _find_comments(head, dialect)
    skipped = {1, *comments} if stated else set(comments)
    numbered = enumerate(chain(head, lines), start=1)
    kept = ((number, line) for number, line in numbered if number not in skipped)
    rows = _RowReader(kept, dialect).read(blank_rows=whole)
    return DelimitedText(found, rows, stated is not None, comments)


_RULER = re.compile(r"(?=.*[-=_]{2}.*)\s*[-=_]+(?:\s+[-=_]+)+\s*")
"""The line of dashes below the headings of columns of a fixed width."""


def _part_columns(line: _Line, ruler: str) -> _Line:
    """Return a line with its columns parted as a ruler shows them, which itself is blank then."""
    if isinstance(line, UnreadableLine):
        return line
    starts = list[int]() if line == ruler else [found.start() for found in re.finditer(r"\S+", ruler)]
    return _NO_DELIMITER.join(line[at:end].strip() for at, end in pairwise([*starts, None]))


def _join_headings(head: Sequence[_Line], ruler: str) -> list[_Line]:
    """Return the lines parted, with the words of the two above the ruler in the second of them, where no word
    of the first stands between two columns: it begins the headings, and is no title."""
    parted, at = [_part_columns(line, ruler) for line in head], head.index(ruler)
    first, above, below = (head[at - 2], parted[at - 2], parted[at - 1]) if at > 1 else ("", "", "")
    if not isinstance(first, str) or not isinstance(above, str) or not isinstance(below, str):
        return parted
    between = (sign for sign, of_ruler in zip(first, ruler, strict=False) if of_ruler == " ")
    if not above.strip(_NO_DELIMITER) or any(not sign.isspace() for sign in between):
        return parted
    words = zip(above.split(_NO_DELIMITER), below.split(_NO_DELIMITER), strict=True)
    joined = _NO_DELIMITER.join(" ".join(filter(None, of_column)) for of_column in words)
    return [*parted[: at - 2], "", joined, *parted[at:]]


def _take_head(lines: Iterator[_Line]) -> list[_Line]:
    head: list[_Line] = []
    size = 0
    for line in islice(lines, _HEAD_LINES):
        head.append(line)
        size += len(line) if isinstance(line, str) else 0
        if size > _HEAD_CHARACTERS:
            break
    return head


def _find_comments(head: Sequence[_Line], dialect: _Dialect) -> list[int]:
    """Return the lines above the first row that are comments: a row that begins with `#` is one only where
    it is not as wide as the others."""
    comments: list[int] = []
    for number, line in enumerate(head, start=1):
        if not isinstance(line, str):
            break
        text = line.strip()
        if text.startswith("#"):
            if dialect.width > 1 and len(line.split(dialect.delimiter)) == dialect.width:
                break
            if dialect.width < 2 and not text[1:2].isspace():
                break
            comments.append(number)
        elif text.strip(dialect.delimiter) and _read_stated_delimiter(line) is None:
            break
    return comments


_DELIMITERS = ",;\t|"
_NO_DELIMITER = "\x1f"
"""Parts the rows of a single column."""
_STATED = re.compile(r"""(["']?)sep=(.|\t)\1[;,\t| ]*""", re.IGNORECASE)
_MARK_OF_PROSE = re.compile(r",(?=\s)|(?<=\d),(?=\d)")
_QUOTE_AT_DELIMITER = re.compile(r"[\"'][,;\t|]|[,;\t|][\"']")
_MOST_JUDGED = 400
_QUOTED_SHARE = 3
_ALL_ALIKE = 1.2
"""How much more a dialect counts in which every line, the first too, has as many cells."""


def _read_stated_delimiter(line: str) -> str | None:
    """Return the delimiter of a line such as `sep=;`, with which a file may begin; None for another line."""
    match = _STATED.fullmatch(line.strip(" \ufeff"))
    return match[2] if match else None


def _find_dialect(lines: Sequence[str], stated: str | None = None) -> _Dialect:
    """Return the dialect of a file that begins with these lines; `stated` is the delimiter that it names."""
    begin = dropwhile(lambda line: not line.strip() or line.startswith("#"), lines)
    judged = list(islice(begin, _MOST_JUDGED))
    candidates = [stated] if stated else list(_DELIMITERS)
    text = "\n".join(judged)
    found = [_judge(judged, one) for delimiter in candidates for one in _list_dialects(text, delimiter)]
    best = max(range(len(found)), key=lambda one: (found[one][0], -one))
    score, dialect = found[best]
    if score == 0 and not stated:
        return _Dialect(_NO_DELIMITER, width=1)
    return dialect


def _list_dialects(text: str, delimiter: str) -> list[_Dialect]:
    """Return the dialects with the quote that stands at the ends of cells, and the ways to escape it."""
    cells = [cell for line in text.split("\n") for cell in line.split(delimiter) if cell]
    singles = sum(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in cells)
    if singles * _QUOTED_SHARE > len(cells) and '"' not in text:
        return [_Dialect(delimiter, "'")]
    return [_Dialect(delimiter, '"', escape) for escape in ("", "\\") if f'{escape}"' in text or not escape]


def _judge(lines: Sequence[str], dialect: _Dialect) -> tuple[float, _Dialect]:
    """Return how well a dialect fits, 0 where not at all, and it with its usual width."""
    reader = _RowReader(enumerate(lines, start=1), dialect)
    rows = [
        lines[row.line - 1].split(dialect.delimiter) if isinstance(row, RejectedRow) else row[1]
        for row in reader.read()
    ]
    wide = Counter(len(row) for row in rows if len(row) > 1)
    if not wide:
        return 0.0, dialect
    width = max(wide, key=lambda one: (wide[one], one))
    # A few titles may stand above; what is of one cell below is not parted at this delimiter.
    above = next(at for at, row in enumerate(rows) if len(row) == width)
    below = 1 - 0.5 * above / len(rows)
    rows = rows[above:]
    widths = Counter(len(row) for row in rows)
    consistent = wide[width] / (sum(wide.values()) + 0.5 * widths[1])
    usual = [row for row in rows if len(row) == width]
    clean = sum(_is_clean(str(cell)) for row in usual for cell in row) / (width * len(usual))
    prose = sum(str(cell)[:1].isspace() and dialect.delimiter in ",;" for row in usual for cell in row[1:])
    share = 1 - 0.5 * prose / ((width - 1) * len(usual))
    # Where nearly all quotes stand at the ends of cells, the delimiter is the one that they stand beside.
    quoted = 0.5 + 0.5 * _measure_quotes(lines, dialect)
    score = below * consistent * clean * share * quoted * (1 - 1 / width) / (1 + reader.odd / len(rows))
    if not above and len(widths) == 1:
        score *= _ALL_ALIKE
    alone = widths[1] / len(rows)
    if alone > 0.5 and score < 0.5 * alone:
        return 0.0, dialect
    return score, _Dialect(dialect.delimiter, dialect.quote, dialect.escape, width)


def _measure_quotes(lines: Sequence[str], dialect: _Dialect) -> float:
    """Return the share of the quotes beside any delimiter that stand beside this one; 1 where none does."""
    text = "\n".join(lines).replace(dialect.quote * 2, "")
    counts = {
        delimiter: text.count(dialect.quote + delimiter) + text.count(delimiter + dialect.quote)
        for delimiter in {*_DELIMITERS, dialect.delimiter}
    }
    total = sum(counts.values())
    return counts[dialect.delimiter] / total if total else 1.0


def _is_clean(cell: str) -> bool:
    """Whether a cell has no delimiter left that would part it."""
    if not any(other in cell for other in _DELIMITERS):
        return True
    if _QUOTE_AT_DELIMITER.search(cell):
        return False
    return not any(other in cell for other in ";\t|") and "," not in _MARK_OF_PROSE.sub("", cell)
