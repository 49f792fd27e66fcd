"""DOCX: paragraphs and tables in the order of the text."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.hidden_text import remove_hidden_text
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_COLUMNS
from app.service.documents.layout.pages import Page

if TYPE_CHECKING:
    from docx.oxml.table import CT_Tc
    from docx.table import Table, _Row  # pyright: ignore[reportPrivateUsage] # there is no public way

_HIDDEN = "The document has text that its pages do not show, which was not read."
_MOST_SECTIONS = 50
"""Sections whose headers and footers are read; one without its own has those of the section before."""


def _is_docx(content: bytes, filename: str) -> bool:
    return any(member.name == "word/document.xml" for member in list_members(content))


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    refuse_bomb(content)
    rows, hidden = _read_rows(content)
    return (replace(lay_out_cells(1, rows), remarks=(_HIDDEN,) if hidden else ()),)


def _read_rows(content: bytes) -> tuple[list[list[str]], bool]:
    """Rows of cells, and whether there is hidden text besides them. A paragraph is a row of one cell. Headers
    come first, footers last."""
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError
    from docx.text.paragraph import Paragraph
    from lxml.etree import LxmlError

    try:
        document = Document(io.BytesIO(content))
        hidden = remove_hidden_text(document)
        rows: list[list[str]] = []
        sections = list(document.sections)[:_MOST_SECTIONS]
        for section in sections:
            rows.extend([paragraph.text] for paragraph in section.header.paragraphs if paragraph.text.strip())
        for block in document.iter_inner_content():
            rows.extend([[block.text]] if isinstance(block, Paragraph) else _table_rows(block))
        for section in sections:
            rows.extend([paragraph.text] for paragraph in section.footer.paragraphs if paragraph.text.strip())
    except (PackageNotFoundError, LxmlError, KeyError, ValueError, zipfile.BadZipFile, OSError) as damage:
        raise UnreadableDocument(
            "The Word file cannot be opened; it may be damaged or protected."
        ) from damage
    return rows, hidden


def _table_rows(table: "Table") -> Iterator[list[str]]:
    yield []
    above: dict[int, str] = {}
    for row in table.rows:
        above = _read_columns(row, above)
        merged = len(_own_cells(row)) < len(above)
        texts = list(above.values())
        # A merged cell has its text once, in its first column.
        yield [
            "" if merged and index and text and text == texts[index - 1] else text
            for index, text in enumerate(texts)
        ]
    yield []


def _read_columns(row: "_Row", above: Mapping[int, str]) -> dict[int, str]:
    """The text in each column of a row; `above` is that of the row before, whose cells may reach down."""
    from docx.table import _Cell  # pyright: ignore[reportPrivateUsage] # there is no public way

    texts: dict[int, str] = {}
    column = row.grid_cols_before
    for own in _own_cells(row)[: MOST_COLUMNS + 1]:
        text = above.get(column, "") if own.vMerge == "continue" else _Cell(own, row.table).text
        for _ in range(min(own.grid_span, MOST_COLUMNS + 1 - len(texts))):
            texts[column] = text
            column += 1
    return texts


def _own_cells(row: "_Row") -> Sequence["CT_Tc"]:
    """The cells as they are in the file: one that spans columns is there once."""
    return row._tr.tc_lst  # pyright: ignore[reportPrivateUsage] # there is no public way


DOCX = PagedFormat(
    "DOCX",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ("docx",),
    _is_docx,
    read_pages=_read_pages,
)
