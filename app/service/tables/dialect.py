"""Find out how the rows of a text are parted into cells: judged over all lines of its beginning, by how
consistent the rows then are."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, islice

DELIMITERS = ",;\t|"
_NO_DELIMITER = "\x1f"
"""Parts the rows of a single column."""
_STATED = re.compile(r"""(["']?)sep=(.|\t)\1[;,\t| ]*""", re.IGNORECASE)
_MARK_OF_PROSE = re.compile(r",(?=\s)|(?<=\d),(?=\d)")
_QUOTE_AT_DELIMITER = re.compile(r"[\"'][,;\t|]|[,;\t|][\"']")
_MOST_JUDGED = 400


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


def _is_comment(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def read_stated_delimiter(line: str) -> str | None:
    """Return the delimiter of a line such as `sep=;`, with which a file may begin; None for another line."""
    match = _STATED.fullmatch(line.strip(" \ufeff"))
    return match[2] if match else None


def find_dialect(lines: Sequence[str], stated: str | None = None) -> Dialect:
    """Return the dialect of a file that begins with these lines; `stated` is the delimiter that it names."""
    judged = list(islice(dropwhile(_is_comment, lines), _MOST_JUDGED))
    candidates = [stated] if stated else list(DELIMITERS)
    text = "\n".join(judged)
    found = [_judge(judged, _find_quotes(text, delimiter)) for delimiter in candidates]
    best = max(range(len(found)), key=lambda one: (found[one][0], -one))
    score, dialect = found[best]
    if score == 0 and not stated:
        return Dialect(_NO_DELIMITER, width=1)
    return dialect


def _find_quotes(text: str, delimiter: str) -> Dialect:
    """Return the dialect with the quote that stands at the ends of cells, and how it is escaped."""
    part = re.escape(delimiter)
    doubles, singles = (
        len(re.findall(rf"(?:^|{part}){quote}[^{quote}\n]*{quote}(?=$|{part})", text, re.MULTILINE))
        for quote in ('"', "'")
    )
    if singles > 2 * doubles and singles >= 2:
        return Dialect(delimiter, "'")
    escaped = text.count('\\"') if '\\"' in text else 0
    closing = len(re.findall(rf'\\"(?=$|{part})', text, re.MULTILINE))
    return Dialect(delimiter, '"', "\\" if escaped and escaped > closing else "")


def _judge(lines: Sequence[str], dialect: Dialect) -> tuple[float, Dialect]:
    """Return how well a dialect fits, from 0 to 1, and it with its usual width."""
    rows = [row for row in split_rows(lines, dialect) if any(cell.strip() for cell in row)]
    wide = Counter(len(row) for row in rows if len(row) > 1)
    if not wide:
        return 0.0, dialect
    width = max(wide, key=lambda one: (wide[one], one))
    # Titles may stand above; what is of one cell below is not parted at this delimiter.
    rows = rows[next(at for at, row in enumerate(rows) if len(row) == width) :]
    widths = Counter(len(row) for row in rows)
    consistent = wide[width] / (sum(wide.values()) + 0.5 * widths[1])
    usual = [row for row in rows if len(row) == width]
    clean = sum(_is_clean(cell) for row in usual for cell in row) / (width * len(usual))
    prose = sum(cell[:1].isspace() and dialect.delimiter in ",;" for row in usual for cell in row[1:])
    share = 1 - 0.5 * prose / ((width - 1) * len(usual))
    # Where nearly all quotes stand at the ends of cells, the delimiter is the one that they stand beside.
    quoted = 0.5 + 0.5 * _measure_quotes(lines, dialect)
    score = consistent * clean * share * quoted * (1 - 1 / width)
    alone = widths[1] / len(rows)
    if alone > 0.5 and score < 0.5 * alone:
        return 0.0, dialect
    return score, Dialect(dialect.delimiter, dialect.quote, dialect.escape, width)


def _measure_quotes(lines: Sequence[str], dialect: Dialect) -> float:
    """Return the share of the quotes beside any delimiter that stand beside this one; 1 where none does."""
    text = "\n".join(lines).replace(dialect.quote * 2, "")
    counts = {
        delimiter: text.count(dialect.quote + delimiter) + text.count(delimiter + dialect.quote)
        for delimiter in {*DELIMITERS, dialect.delimiter}
    }
    total = sum(counts.values())
    return counts[dialect.delimiter] / total if total else 1.0


def split_rows(lines: Sequence[str], dialect: Dialect) -> list[list[str]]:
    """Return the rows of some lines; a quote that is open at the end of a line reaches over the next ones."""
    rows: list[list[str]] = []
    at = 0
    while at < len(lines):
        row = dialect.read_row(lines[at])
        end = at + 1
        if row is None:
            for end in range(at + 2, min(at + 40, len(lines)) + 1):
                row = dialect.read_row("\n".join(lines[at:end]))
                if row is not None:
                    break
            else:
                row, end = lines[at].split(dialect.delimiter), at + 1
        rows.append(row)
        at = end
    return rows


def _is_clean(cell: str) -> bool:
    """Whether a cell has no delimiter left that would part it."""
    if not any(other in cell for other in DELIMITERS):
        return True
    if _QUOTE_AT_DELIMITER.search(cell):
        return False
    return not any(other in cell for other in ";\t|") and "," not in _MARK_OF_PROSE.sub("", cell)
