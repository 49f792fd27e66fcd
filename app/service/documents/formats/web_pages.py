"""Web pages that were saved, read as the text of a mail is: nothing of them is run or fetched."""

from dataclasses import replace

from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import decode_web_page, is_web_page
from app.service.documents.layout.pages import Page


def _is_web_page(content: bytes, filename: str) -> bool:
    return is_web_page(content)


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    from app.service.documents.formats.html_rows import read_html_rows

    rows, remarks = read_html_rows(decode_web_page(content))
    return (replace(lay_out_cells(1, rows), remarks=remarks),)


HTML = PagedFormat("HTML", "text/html", ("html", "htm"), _is_web_page, _read_pages)
