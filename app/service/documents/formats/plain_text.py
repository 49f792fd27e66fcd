"""Text without delimiters: a line is a row, and wide gaps part its cells."""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.delimited_text import describe_text
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page
from app.service.tables.encodings import find_encoding
from app.service.tables.lines import read_lines
from app.service.tables.table import RejectedRow

_SUFFIXES = ("txt",)
_CELL_GAP = re.compile(r"\t+| {2,}")
_MARKED_ROW = re.compile(r"\|(.+)\|")
_RULE = re.compile(r"\|[\s|:-]+\|")
"""The line below the headings of a table in Markdown."""
_SENTENCE = re.compile(rb"[,;\t]")


def split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """Return the cells of each line; those of a table in Markdown stand between bars."""
    return (_split_line(line.strip()) for line in lines if not _RULE.fullmatch(line.strip()))


def _split_line(line: str) -> list[str]:
    marked = _MARKED_ROW.fullmatch(line)
    return [cell.strip() for cell in marked[1].split("|")] if marked else _CELL_GAP.split(line)


def _is_plain_text(content: bytes, filename: str) -> bool:
    if not is_text(content) or is_markup(content) or is_json(content):
        return False
    return filename.lower().endswith(".txt") or _SENTENCE.search(beginning(content)) is not None


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    stream = io.BytesIO(content)
    encoding = find_encoding(stream)
    lines: list[str] = []
    rejected: list[RejectedRow] = []
    for number, line in enumerate(read_lines(stream, encoding), 1):
        if isinstance(line, str):
            lines.append(line)
        else:
            rejected.append(RejectedRow(number, line.reason))
    page = lay_out_cells(1, split_lines(lines))
    return (replace(page, remarks=tuple(describe_text(encoding, rejected))),)


TEXT = PagedFormat("TXT", "text/plain", _SUFFIXES, _is_plain_text, _read_pages)
