"""Documents of the shared data, read as a careful buyer would; skipped where they are absent."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from app.service.documents.sandbox.reader_pool import ReaderPool
from tests.service.documents.reading_scores import Score, judge

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
DOCUMENTS = SHARED / "documents" / "files"


def content(name: str) -> bytes:
    path = DOCUMENTS / name
    if not path.exists():
        pytest.skip(f"{name} of the shared documents is not here")
    return path.read_bytes()


def test_a_cable_quotation_gives_its_lines_and_totals(readers: ReaderPool) -> None:
    read = readers.read_document(content("en-cable-quotation.pdf"), "cable.pdf", organisation_id="o")
    lines = [(line.description, line.quantity, line.unit_price, line.amount) for line in read.line_items]
    assert lines == [
        ("KEI-2XWY/2XFY-3.0C-25", 1000, 345, 345000),
        ("KEI-2XWY/2XFY-3.0C-35", 1000, 475, 475000),
        ("KEI-2XWY/2XFY-3.0C-50", 1000, 585, 585000),
    ]
    assert (read.net_total, read.tax_total, read.total) == (1590000, 286200, 1876200)
    assert read.kind == "quote"
    assert any("add up" in warning for warning in read.warnings), "test costs stand in the summary only"


def test_an_invoice_with_a_slanted_watermark_gives_its_values(readers: ReaderPool) -> None:
    read = readers.read_document(content("en-sliced-invoice.pdf"), "sliced.pdf", organisation_id="o")
    assert read.supplier == "DEMO - Sliced Invoices"
    assert read.buyer == "Test Business"
    assert (read.net_total, read.tax_total, read.total) == (85, Decimal("8.5"), Decimal("93.5"))
    assert read.currency == "USD"
    [line] = read.line_items
    assert (line.description, line.quantity, line.unit_price, line.amount) == ("Web Design", 1, 85, 85)


@pytest.mark.parametrize(
    "path",
    [
        "documents/einv-en16931-rabatte",
        "documents/einv-zugferd-1p0-comfort-rabatte",
        "documents/docx-order-21",
        "documents/ubl-invoice-20",
        "software-quotes/quote-en-ca-ff9b",
        "software-quotes/quote-de-ch-1169",
        "software-quotes/quote-fr-fr-dd71",
        "software-quotes/quote-nl-nl-fa11",
        "software-quotes/quote-es-es-1367",
        "software-quotes/order-en-au-05ca",
        "software-quotes/quote-en-gb-e3c9",
        "software-quotes/contract-en-gb-40a3",
    ],
)
def test_documents_of_many_layouts_give_every_line_and_total(path: str, readers: ReaderPool) -> None:
    folder, name = path.split("/")
    found = SHARED / folder / "truth" / f"{name}.json"
    if not found.exists():
        pytest.skip(f"{path} of the shared documents is not here")
    truth = json.loads(found.read_text())
    score = Score()
    content = (SHARED / folder / "files" / truth["file"]).read_bytes()
    judge(score, truth, readers.read_document(content, truth["file"], organisation_id="o").to_json())
    assert (score.lines_right, score.lines_read) == (score.lines, score.lines)
    assert score.right["total"] == score.stated["total"]
    assert score.right["document_date"] == score.stated["document_date"]
    assert score.right["currency"] == score.stated["currency"]
