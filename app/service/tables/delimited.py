"""Read the rows of a delimited text as a stream. Every line of the file is part of a row or of one that is
rejected."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, islice
from typing import BinaryIO

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
    stated = _read_stated_delimiter(head[0]) if isinstance(head[0], str) else None
    dialect = _find_dialect(texts[1:] if stated else texts, stated)
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


def _is_comment(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def _read_stated_delimiter(line: str) -> str | None:
    """Return the delimiter of a line such as `sep=;`, with which a file may begin; None for another line."""
    match = _STATED.fullmatch(line.strip(" \ufeff"))
    return match[2] if match else None


def _find_dialect(lines: Sequence[str], stated: str | None = None) -> Dialect:
    """Return the dialect of a file that begins with these lines; `stated` is the delimiter that it names."""
    judged = list(islice(dropwhile(_is_comment, lines), _MOST_JUDGED))
    candidates = [stated] if stated else list(_DELIMITERS)
    text = "\n".join(judged)
    found = [_judge(judged, _find_quotes(text, delimiter)) for delimiter in candidates]
    best = max(range(len(found)), key=lambda one: (found[one][0], -one))
    score, dialect = found[best]
    if score == 0 and not stated:
        return Dialect(_NO_DELIMITER, width=1)
    return dialect


def _find_quotes(text: str, delimiter: str) -> Dialect:
    """Return the dialect with the quote that stands at the ends of cells, and how it is escaped."""
    cells = [cell for line in text.split("\n") for cell in line.split(delimiter) if cell]
    singles = sum(len(cell) > 1 and cell[0] == cell[-1] == "'" for cell in cells)
    if singles * _QUOTED_SHARE > len(cells) and '"' not in text:
        return Dialect(delimiter, "'")
    part = re.escape(delimiter)
    escaped = text.count('\\"') if '\\"' in text else 0
    closing = len(re.findall(rf'\\"(?=$|{part})', text, re.MULTILINE))
    return Dialect(delimiter, '"', "\\" if escaped and escaped > closing else "")


def _judge(lines: Sequence[str], dialect: Dialect) -> tuple[float, Dialect]:
    """Return how well a dialect fits, 0 where not at all, and it with its usual width."""
    rows = _split_rows(lines, dialect)
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
    score = below * consistent * clean * share * quoted * (1 - 1 / width)
    if not above and len(widths) == 1:
        score *= _ALL_ALIKE
    alone = widths[1] / len(rows)
    if alone > 0.5 and score < 0.5 * alone:
        return 0.0, dialect
    return score, Dialect(dialect.delimiter, dialect.quote, dialect.escape, width)


def _measure_quotes(lines: Sequence[str], dialect: Dialect) -> float:
    """Return the share of the quotes beside any delimiter that stand beside this one; 1 where none does."""
    text = "\n".join(lines).replace(dialect.quote * 2, "")
    counts = {
        delimiter: text.count(dialect.quote + delimiter) + text.count(delimiter + dialect.quote)
        for delimiter in {*_DELIMITERS, dialect.delimiter}
    }
    total = sum(counts.values())
    return counts[dialect.delimiter] / total if total else 1.0


def _split_rows(lines: Sequence[str], dialect: Dialect) -> list[Sequence[object]]:
    read = RowReader(enumerate(lines, start=1), dialect).read()
    return [
        lines[row.line - 1].split(dialect.delimiter) if isinstance(row, RejectedRow) else row[1]
        for row in read
    ]


def _is_clean(cell: str) -> bool:
    """Whether a cell has no delimiter left that would part it."""
    if not any(other in cell for other in _DELIMITERS):
        return True
    if _QUOTE_AT_DELIMITER.search(cell):
        return False
    return not any(other in cell for other in ";\t|") and "," not in _MARK_OF_PROSE.sub("", cell)
