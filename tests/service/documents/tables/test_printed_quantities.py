"""A quantity is found by arithmetic where its header does not name it."""

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

LINES = """
    No.      Deliverable       Price         Amount

    6.00     Monitor           36.99         221.94
    3.00     Projector      1,164.00       3,492.00
    2.00     Desk               1.00           2.00

    Total                                  3,715.94
"""


def test_a_figure_that_makes_each_price_its_amount_is_the_quantity() -> None:
    read = read_pages([type_page(LINES)], "quote.pdf")
    assert [(item.description, item.quantity) for item in read.line_items] == [
        ("Monitor", 6), ("Projector", 3), ("Desk", 2)
    ]  # fmt: skip


def test_the_number_of_a_line_is_no_quantity() -> None:
    numbered = (
        LINES.replace("6.00", "1   ")
        .replace("3.00", "2   ", 1)
        .replace("    2.00     Desk", "    3        Desk")
    )
    assert not any(item.quantity for item in read_pages([type_page(numbered)], "quote.pdf").line_items)
