"""The two quotes that the main job is walked with, read from the shared documents."""

from decimal import Decimal
from pathlib import Path

import pytest

from app.service.documents.isolation import read_isolated

DOCUMENTS = Path(__file__).parents[3].parent / "shared" / "data" / "documents" / "files"


def content(name: str) -> bytes:
    path = DOCUMENTS / name
    if not path.exists():
        pytest.skip(f"{name} of the shared documents is not here")
    return path.read_bytes()


def test_a_cable_quotation_gives_its_lines_and_totals() -> None:
    read = read_isolated(content("en-cable-quotation.pdf"), "cable.pdf")
    lines = [(line.description, line.quantity, line.unit_price, line.amount) for line in read.line_items]
    assert lines == [
        ("KEI-2XWY/2XFY-3.0C-25", 1000, 345, 345000),
        ("KEI-2XWY/2XFY-3.0C-35", 1000, 475, 475000),
        ("KEI-2XWY/2XFY-3.0C-50", 1000, 585, 585000),
    ]
    assert (read.net_total, read.tax_total, read.total) == (1590000, 286200, 1876200)
    assert read.kind == "quote"
    assert any("add up" in warning for warning in read.warnings), "test costs stand in the summary only"


def test_an_invoice_with_a_slanted_watermark_gives_its_values() -> None:
    read = read_isolated(content("en-sliced-invoice.pdf"), "sliced.pdf")
    assert read.supplier == "DEMO - Sliced Invoices"
    assert read.buyer == "Test Business"
    assert (read.net_total, read.tax_total, read.total) == (85, Decimal("8.5"), Decimal("93.5"))
    assert read.currency == "USD"
    [line] = read.line_items
    assert (line.description, line.quantity, line.unit_price, line.amount) == ("Web Design", 1, 85, 85)
