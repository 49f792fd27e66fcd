"""Part lines into rows of cells. Every line is part of a row or of one that is rejected."""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.service.tables.lines import MAX_LINE_CHARACTERS, UnreadableLine
from app.service.tables.table import RejectedRow, TableRow

MAX_COLUMNS = 16_384
"""Of a row, as Excel has them."""
_OPEN_QUOTE = "has a quotation mark that is not closed"
_ODD_QUOTE = "has a quotation mark within a quoted cell"
_TOO_WIDE = f"has more than {MAX_COLUMNS:,} cells"

Line = str | UnreadableLine


@dataclass(frozen=True, slots=True)
class Dialect:
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


class RowReader:
    """Parts numbered lines into rows."""

    def __init__(self, lines: Iterable[tuple[int, Line]], dialect: Dialect) -> None:
        self._lines = iter(lines)
        self._dialect = dialect
        self._waiting = deque[tuple[int, Line]]()
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

    def _take(self) -> tuple[int, Line | None]:
        if self._waiting:
            return self._waiting.popleft()
        return next(self._lines, (0, None))

    def _read_quoted(self, number: int, line: str) -> list[str] | RejectedRow:
        """Return the row that begins in a line with a quote that the line does not close as it should."""
        if not self._is_open(line):
            cells = self._read_leniently(line)
            return cells if len(cells) == self._dialect.width else RejectedRow(number, _ODD_QUOTE)
        taken: list[tuple[int, Line]] = []
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
