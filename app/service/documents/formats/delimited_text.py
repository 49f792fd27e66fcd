"""CSV, TSV and other text with a delimiter between its cells."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from app.contract.money import format_count
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, decode_text, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page
from app.service.tables.delimited import open_delimited
from app.service.tables.encodings import FoundEncoding, describe_alternatives
from app.service.tables.lines import MAX_LINE_CHARACTERS, TOO_LONG
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable

_DELIMITERS = ",;\t|"
_MOST_NAMED = 5
_SUFFIXES = ("csv", "tsv")
_ENDINGS = tuple(f".{suffix}" for suffix in _SUFFIXES)
_MARK_OF_PROSE = re.compile(r"[,;](?=\s)|(?<=\d),(?=\d\d\d?(?!\d))")
"""A comma that belongs to a sentence or to a number, as in `1,200.00` and `12,50`."""


def _is_delimited(content: bytes, filename: str) -> bool:
    if not is_text(content) or is_markup(content):
        return False
    if filename.lower().endswith(_ENDINGS):
        return True
    return not is_json(content) and is_table(decode_text(beginning(content)))


def is_table(text: str) -> bool:
    """Return whether the lines of a text are parted by one delimiter, each into as many cells. A comma or a
    semicolon of a sentence parts nothing, and no number is split at its own comma."""
    lines = [line for line in text.splitlines() if line.strip()]
    return any(_is_parted(lines, delimiter) for delimiter in _DELIMITERS)


def _is_parted(lines: Sequence[str], delimiter: str) -> bool:
    all_counts = {line.count(delimiter) for line in lines}
    counts = [_MARK_OF_PROSE.sub("", line).count(delimiter) for line in lines]
    if len(lines) > 1 and len(all_counts) == 1 and (counts[0] > 0 or max(all_counts) > 1):
        return True
    usual, how_often = Counter(counts).most_common(1)[0] if counts else (0, 0)
    return usual > 0 and how_often > 1


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    try:
        text = open_delimited(io.BytesIO(content), whole=True)
        rejected: list[RejectedRow] = []
        page = lay_out_cells(1, _list_rows(text.rows, rejected))
    except UnreadableTable as damage:
        raise UnreadableDocument(f"The CSV file cannot be read: {damage}.") from damage
    return (replace(page, remarks=(*describe_text(text.encoding, rejected), *page.remarks)),)


def describe_text(encoding: FoundEncoding, rejected: Sequence[RejectedRow]) -> Iterator[str]:
    """Sentences about the lines of a text that were not read, and about what its bytes leave open."""
    for row in rejected[:_MOST_NAMED]:
        yield f"Line {row.line} {row.reason}; it was not read."
    if len(rejected) > _MOST_NAMED:
        yield f"{format_count(len(rejected) - _MOST_NAMED, 'more line was', 'more lines were')} not read."
    if encoding.alternatives:
        asked = describe_alternatives(encoding.alternatives)
        yield f"{asked[0].upper()}{asked[1:]}; the first was read."


def _list_rows(rows: Iterable[TableRow | RejectedRow], rejected: list[RejectedRow]) -> Iterator[list[str]]:
    for row in rows:
        if not isinstance(row, RejectedRow):
            yield [str(cell) for cell in row[1]]
        elif row.reason == TOO_LONG:
            raise UnreadableDocument(
                f"The CSV file has a line of more than {MAX_LINE_CHARACTERS:,} letters; it may be no table."
            )
        else:
            rejected.append(row)


CSV = PagedFormat("CSV", "text/csv", _SUFFIXES, _is_delimited, _read_pages)
