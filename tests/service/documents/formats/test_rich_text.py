"""Parts of the text of a workbook's cell that are struck out or raised."""

import io
from collections.abc import Sequence

import pytest
import xlsxwriter

from app.service.documents.formats.workbooks import XLSX
from app.service.documents.layout.pages import Page
from app.service.documents.reading import read_document

STRUCK = "The document has text that is struck out, which was not read."
CENTS = "Two raised digits behind a whole number were read as its cents."
PLAIN, STRIKE, RAISED = {}, {"font_strikeout": True}, {"font_script": 1}


def save(rows: Sequence[Sequence[str | float | list[tuple[dict[str, object], str]]]]) -> bytes:
    """A workbook; a list is a cell of parts with formats."""
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet("Quote")
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if isinstance(cell, list):
                parts = [part for formats, text in cell for part in (book.add_format(formats), text)]
                sheet.write_rich_string(row, column, *parts)
            else:
                sheet.write(row, column, cell)
    book.close()
    return target.getvalue()


def read(*parts: tuple[dict[str, object], str]) -> Page:
    [page] = XLSX.read_pages(save([[list(parts)]]), 300)
    return page


def test_a_struck_out_price_beside_another_is_not_read() -> None:
    old, old_sum = [(STRIKE, "120.00"), (PLAIN, " 100.00")], [(STRIKE, "1,400.00"), (PLAIN, " 1,200.00")]
    content = save(
        [
            ["Description", "Qty", "Unit price", "Amount"],
            ["Editor licences", 12, old, old_sum],
            ["Total EUR", "", "", old_sum],
        ]
    )
    extraction = read_document(content, "quote.xlsx")
    [item] = extraction.line_items
    assert (item.unit_price, item.amount, extraction.total) == (100, 1200, 1200)
    assert STRUCK in extraction.warnings


@pytest.mark.parametrize(
    ("parts", "text", "remarks"),
    [
        ([(PLAIN, "850"), (RAISED, "1")], "850¹", ()),
        ([(PLAIN, "€1,855"), (RAISED, "99")], "€1,855.99", (CENTS,)),
        ([(PLAIN, "Net 30"), (RAISED, "th")], "Net 30th", ()),
        ([(STRIKE, "Net 60"), (STRIKE, " days"), (PLAIN, " Net 30")], "Net 30", (STRUCK,)),
        ([({"bold": True}, "Net "), (PLAIN, "30")], "Net 30", ()),
    ],
)
def test_what_is_left_of_a_text(
    parts: list[tuple[dict[str, object], str]], text: str, remarks: tuple[str, ...]
) -> None:
    page = read(*parts)
    assert (" ".join(word.text for word in page.words), page.remarks) == (text, remarks)
