"""CSV, TSV and other text with a delimiter between its cells."""

import csv
import re
from collections.abc import Iterator

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page

_DELIMITERS = ",;\t|"
_LONGEST_LINE = 1_000_000
_SUFFIXES = ("csv", "tsv", "txt")
_ENDINGS = tuple(f".{suffix}" for suffix in _SUFFIXES)


def _is_delimited(content: bytes, filename: str) -> bool:
    if not is_text(content) or is_markup(content):
        return False
    if filename.lower().endswith(_ENDINGS):
        return True
    return not is_json(content) and re.search(rb"[,;\t]", beginning(content)) is not None


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    try:
        return (lay_out_cells(1, _read_rows(content)),)
    except csv.Error as damage:
        raise UnreadableDocument("The CSV file cannot be split into cells.") from damage


def _read_rows(content: bytes) -> Iterator[list[str]]:
    text = _decode(content)
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


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


CSV = PagedFormat("CSV", "text/csv", _SUFFIXES, _is_delimited, _read_pages)
