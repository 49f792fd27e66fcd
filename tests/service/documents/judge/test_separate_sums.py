"""Sums of parts that nothing adds up are no total."""

from decimal import Decimal

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

FIRST = """
    Item               Qty    Price     Amount

    Seats               10    80.00     800.00
    Support              2   150.00     300.00
    Subtotal                          1,100.00
"""
SECOND = """
    Item               Qty    Price     Amount

    Seats               20    70.00   1,400.00
    Subtotal                          1,400.00
"""


def test_of_alternatives_none_is_the_total() -> None:
    read = read_pages([type_page("Quotation 7\n" + FIRST + SECOND)], "quote.pdf")
    assert len(read.line_items) == 3
    assert (read.net_total, read.total) == (None, None)
    assert read.warnings == (
        "The document states separate sums (1,100, 1,400) and none of all lines: choose what is bought.",
    )


@pytest.mark.parametrize(
    ("below", "total"),
    [
        ("    Total                2,500.00\n", 2500),
        ("    VALOR GLOBAL DA ATA: R$ 2,500.00 (dois mil e quinhentos reais).\n", 2500),
        ("    Discount              -100.00\n    Total                2,400.00\n", 2400),
        ("    VAT 20 %              500.00\n    Total                3,000.00\n", 3000),
    ],
)
def test_the_sums_of_sections_leave_the_total(below: str, total: int) -> None:
    read = read_pages([type_page("Quotation 7\n" + FIRST + SECOND + below)], "quote.pdf")
    assert read.total == Decimal(total)
