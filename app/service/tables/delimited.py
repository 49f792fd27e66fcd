"""Read the rows of a delimited text as a stream. Every line of the file is part of a row or of one that is
rejected."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from app.service.tables.dialect import Dialect, find_dialect, read_stated_delimiter
from app.service.tables.encodings import FoundEncoding, find_encoding, name_encoding
from app.service.tables.lines import MAX_LINE_CHARACTERS, TOO_LONG, UnreadableLine, read_lines
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable

MAX_COLUMNS = 16_384
"""Of a row, as Excel has them."""
_HEAD_LINES, _HEAD_CHARACTERS = 1_000, 1 << 18
_OPEN_QUOTE = "has a quotation mark that is not closed"
_ODD_QUOTE = "has a quotation mark within a quoted cell"
_TOO_WIDE = f"has more than {MAX_COLUMNS:,} cells"

_Line = str | UnreadableLine


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
    if not texts:
        raise UnreadableTable(f"line 1 {_say(head[0])}")
    stated = read_stated_delimiter(head[0]) if isinstance(head[0], str) else None
    dialect = find_dialect(texts[1:] if stated else texts, stated)
    comments = [] if whole else _find_comments(head, dialect)
    skipped = {1, *comments} if stated else set(comments)
    numbered = enumerate(chain(head, lines), start=1)
    kept = ((number, line) for number, line in numbered if number not in skipped)
    rows = _RowReader(kept, dialect).read(blank_rows=whole)
    return DelimitedText(found, rows, stated is not None, comments)


def _say(line: _Line) -> str:
    reason = line.reason if isinstance(line, UnreadableLine) else ""
    return f"is {reason}" if reason == TOO_LONG else reason


def _take_head(lines: Iterator[_Line]) -> list[_Line]:
    head: list[_Line] = []
    size = 0
    for line in islice(lines, _HEAD_LINES):
        head.append(line)
        size += len(line) if isinstance(line, str) else 0
        if size > _HEAD_CHARACTERS:
            break
    return head


def _find_comments(head: Sequence[_Line], dialect: Dialect) -> list[int]:
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
        elif text.strip(dialect.delimiter) and read_stated_delimiter(line) is None:
            break
    return comments


class _RowReader:
    """Parts numbered lines into rows."""

    def __init__(self, lines: Iterable[tuple[int, _Line]], dialect: Dialect) -> None:
        self._lines = iter(lines)
        self._dialect = dialect
        self._waiting = deque[tuple[int, _Line]]()
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
            if len(cells) > MAX_COLUMNS:
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
                if cells is not None and not between and self._fits(cells):
                    return cells
                break
            if state == "odd":
                break
            between = between or self._looks_like_row(text)
        # The quote is no opening one: the lines after it are rows of their own.
        self._waiting.extendleft(reversed(taken))
        return RejectedRow(number, _OPEN_QUOTE)

    def _fits(self, cells: Sequence[str]) -> bool:
        return self._dialect.width < 2 or len(cells) == self._dialect.width

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

    def _looks_like_row(self, line: str) -> bool:
        """Whether a line within quotes, which has none itself, is a whole row."""
        width = self._dialect.width
        return width > 2 and self._dialect.quote not in line and len(self._parting.findall(line)) + 1 == width

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
