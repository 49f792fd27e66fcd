"""DOCX: paragraphs and tables in the order of the text."""

import io
import zipfile
from collections.abc import Iterator

from docx import Document
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml.etree import LxmlError

from app.service.documents.faults import UnreadableDocument


def docx_blocks(content: bytes) -> list[list[str]]:
    """Rows of cells; a paragraph is a row of one cell. Headers come first, footers last."""
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


def _table_rows(table: Table) -> Iterator[list[str]]:
    yield []
    for row in table.rows:
        # A merged cell is handed out once for every column it spans.
        cells = list(row.cells)
        yield [
            ""
            if index and str(cell.text) and cell.text == cells[index - 1].text and _merged(row, len(cells))
            else cell.text
            for index, cell in enumerate(cells)
        ]
    yield []


def _merged(row: object, columns: int) -> bool:
    """Whether a row has fewer cells of its own than columns."""
    element = getattr(row, "_tr", None)
    return element is not None and len(element.tc_lst) < columns
