"""DOCX: paragraphs and tables in the order of the text."""

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.pages import Page

if TYPE_CHECKING:
    from docx.table import Table


def _is_docx(content: bytes, filename: str) -> bool:
    return any(member.name == "word/document.xml" for member in list_members(content))


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    refuse_bomb(content)
    return (lay_out_cells(1, _read_rows(content)),)


def _read_rows(content: bytes) -> list[list[str]]:
    """Rows of cells; a paragraph is a row of one cell. Headers come first, footers last."""
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError
    from docx.text.paragraph import Paragraph
    from lxml.etree import LxmlError

    try:
        document = Document(io.BytesIO(content))
        rows: list[list[str]] = []
        for section in document.sections:
            rows.extend([paragraph.text] for paragraph in section.header.paragraphs if paragraph.text.strip())
        for block in document.iter_inner_content():
            rows.extend([[block.text]] if isinstance(block, Paragraph) else _table_rows(block))
        for section in document.sections:
            rows.extend([paragraph.text] for paragraph in section.footer.paragraphs if paragraph.text.strip())
    except (PackageNotFoundError, LxmlError, KeyError, ValueError, zipfile.BadZipFile, OSError) as damage:
        raise UnreadableDocument(
            "The Word file cannot be opened; it may be damaged or protected."
        ) from damage
    return rows


def _table_rows(table: "Table") -> Iterator[list[str]]:
    yield []
    for row in table.rows:
        # A merged cell is handed out once for every column it spans.
        cells = list(row.cells)
        yield [
            ""
            if index
            and str(cell.text)
            and cell.text == cells[index - 1].text
            and _has_merged_cells(row, len(cells))
            else cell.text
            for index, cell in enumerate(cells)
        ]
    yield []


def _has_merged_cells(row: object, columns: int) -> bool:
    """Whether a row has fewer cells of its own than columns."""
    element = getattr(row, "_tr", None)
    return element is not None and len(element.tc_lst) < columns


DOCX = PagedFormat(
    "DOCX",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ("docx",),
    _is_docx,
    read_pages=_read_pages,
)
