"""CSV, TSV and other text with a delimiter between its cells."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, decode_text, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page

_DELIMITERS = ",;\t|"
_LONGEST_LINE = 1_000_000
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
        return (lay_out_cells(1, _read_rows(content)),)
    except csv.Error as damage:
        raise UnreadableDocument("The CSV file cannot be split into cells.") from damage


def _read_rows(content: bytes) -> Iterator[list[str]]:
    text = decode_text(content)
    sample = text[:4096]
    try:
        delimiter = csv.Sniffer().sniff(sample, _DELIMITERS).delimiter
    except csv.Error:
        delimiter = max(_DELIMITERS, key=sample.count)
    return csv.reader(_read_lines(text), delimiter=delimiter)


def _read_lines(text: str) -> Iterator[str]:
    """The lines with their ends. Raises UnreadableDocument for one that is no line of a table."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        if end - begin > _LONGEST_LINE:
            raise UnreadableDocument(
                f"The CSV file has a line of more than {_LONGEST_LINE:,} letters; it may be no table."
            )
        yield text[begin:end]
        begin = end


CSV = PagedFormat("CSV", "text/csv", _SUFFIXES, _is_delimited, _read_pages)
