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


PACES = """
    Service order

    Service              Qty      Unit MRC    Total MRC         NRC
    Internet access        1        685.00       685.00      500.00
    Voice seats           22         24.50       539.00        0.00
    Broadband              1        119.95       119.95       99.00
    {}
"""


@pytest.mark.parametrize(
    ("below", "total"),
    [
        ("Totals                                      1,343.95      599.00", None),
        ("Total due each month                        1,343.95\n    Total due once  599.00", None),
        ("Total                                                   1,942.95", Decimal("1942.95")),
    ],
)
def test_of_what_is_paid_again_and_once_neither_sum_is_the_total(below: str, total: Decimal | None) -> None:
    read = read_pages([type_page(PACES.format(below))], "quote.pdf")
    assert [(one.amount, one.period_months, one.recurring) for one in read.line_items] == [
        (685, 1, True),
        (500, None, False),
        (539, 1, True),
        (Decimal("119.95"), 1, True),
        (99, None, False),
    ]
    assert (read.net_total, read.total) == (total, total)
    assert not any("lines may be missing" in one or "add up" in one for one in read.warnings)
