"""Read the rows of a delimited text as a stream. Every line of the file is part of a row or of one that is
rejected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from app.service.tables.dialect import find_dialect, read_stated_delimiter
from app.service.tables.encodings import FoundEncoding, find_encoding, name_encoding
from app.service.tables.lines import UnreadableLine, read_lines
from app.service.tables.row_parting import Dialect, Line, RowReader
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable

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
    stated = read_stated_delimiter(head[0]) if isinstance(head[0], str) else None
    dialect = find_dialect(texts[1:] if stated else texts, stated)
    comments = [] if whole else _find_comments(head, dialect)
    skipped = {1, *comments} if stated else set(comments)
    numbered = enumerate(chain(head, lines), start=1)
    kept = ((number, line) for number, line in numbered if number not in skipped)
    rows = RowReader(kept, dialect).read(blank_rows=whole)
    return DelimitedText(found, rows, stated is not None, comments)


def _take_head(lines: Iterator[Line]) -> list[Line]:
    head: list[Line] = []
    size = 0
    for line in islice(lines, _HEAD_LINES):
        head.append(line)
        size += len(line) if isinstance(line, str) else 0
        if size > _HEAD_CHARACTERS:
            break
    return head


def _find_comments(head: Sequence[Line], dialect: Dialect) -> list[int]:
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
