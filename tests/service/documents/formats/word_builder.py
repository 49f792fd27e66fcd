"""Word files from the markup of their body, for what python-docx cannot write."""

import io
from collections.abc import Sequence

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from app.service.documents.formats.word import DOCX
from app.service.documents.layout.pages import Page


def save_body(*blocks: str) -> bytes:
    """A Word file with these blocks (`w:p`, `w:tbl`, `w:sdt`)."""
    document = docx.Document()
    [body] = document.element
    for block in blocks:
        added = parse_xml(f"<w:body {nsdecls('w', 'w14')}>{block}</w:body>")
        for element in list(added):
            body.insert(len(body) - 1, element)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def read_body(*blocks: str) -> Page:
    """The page of a Word file with these blocks."""
    [page] = DOCX.read_pages(save_body(*blocks), 300)
    return page


def run(text: str, formats: str = "") -> str:
    return f'<w:r><w:rPr>{formats}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def inserted(text: str) -> str:
    return f'<w:ins w:id="1" w:author="A">{run(text)}</w:ins>'


def deleted(text: str) -> str:
    gone = f'<w:r><w:delText xml:space="preserve">{text}</w:delText></w:r>'
    return f'<w:del w:id="2" w:author="A">{gone}</w:del>'


def control(content: str) -> str:
    """A content control around runs, blocks, rows or cells."""
    return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def paragraph(*content: str, formats: str = "") -> str:
    return f"<w:p><w:pPr>{formats}</w:pPr>{''.join(content)}</w:p>"


def cell(*content: str, formats: str = "") -> str:
    return f"<w:tc><w:tcPr>{formats}</w:tcPr>{paragraph(*content)}</w:tc>"


def row(*cells: str, formats: str = "") -> str:
    return f"<w:tr><w:trPr>{formats}</w:trPr>{''.join(cells)}</w:tr>"


def table(rows: Sequence[str], columns: int) -> str:
    grid = "<w:gridCol/>" * columns
    return f"<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"


def read_texts(page: Page) -> str:
    return " ".join(word.text for word in page.words)
