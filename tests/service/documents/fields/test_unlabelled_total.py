"""A total is found by what it is worth where its label is not known."""

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

LINES = """
    Item          Qty    Price     Amount

    Seats          10    80.00     800.00
    Support         2   150.00     300.00

"""


@pytest.mark.parametrize(
    ("below", "total"),
    [
        ("    Guztira               1,100.00\n", 1100),
        ("    Guztira               1,200.00\n", None),
        ("                          1,100.00\n", 1100),
    ],
)
def test_the_sum_of_the_lines_below_them_is_the_total(below: str, total: int | None) -> None:
    read = read_pages([type_page(LINES + below)], "quote.pdf")
    assert (read.net_total, read.total) == (total, total)
