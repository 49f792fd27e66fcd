"""Text without delimiters: a line is a row, and wide gaps part its cells."""

import re
from collections.abc import Iterable, Iterator

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import beginning, decode_text, is_json, is_markup, is_text
from app.service.documents.layout.pages import Page

_SUFFIXES = ("txt",)
_CELL_GAP = re.compile(r"\t+| {2,}")
_SENTENCE = re.compile(rb"[,;\t]")


def split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """Return the cells of each line."""
    return (_CELL_GAP.split(line.strip()) for line in lines)


def _is_plain_text(content: bytes, filename: str) -> bool:
    if not is_text(content) or is_markup(content) or is_json(content):
        return False
    return filename.lower().endswith(".txt") or _SENTENCE.search(beginning(content)) is not None


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    return (lay_out_cells(1, split_lines(decode_text(content).splitlines())),)


TEXT = PagedFormat("TXT", "text/plain", _SUFFIXES, _is_plain_text, _read_pages)
