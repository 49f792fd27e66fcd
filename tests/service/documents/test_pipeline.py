"""The steps from pages to an Extraction."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.pipeline import read_pages, sum_lines
from tests.service.documents.typewriter import type_page

QUOTE = """
    QUOTE Q-1001
    Example Software Ltd
    Date: 4 March 2025
    Valid until: 3 April 2025

    Description          Qty      Price      Amount
    Editor seats          10     150.00    1,500.00
    Viewer seats          20      10.00      200.00
    Total                              GBP 1,700.00

    Term: 12 months
"""


def test_a_quote_gives_its_lines_sums_dates_and_terms() -> None:
    read = read_pages([type_page(QUOTE)], "quote.pdf")
    assert (read.kind, read.document_number, read.currency) == ("quote", "Q-1001", "GBP")
    assert (read.document_date, read.valid_until) == (date(2025, 3, 4), date(2025, 4, 3))
    assert [(line.description, line.amount) for line in read.line_items] == [
        ("Editor seats", 1500),
        ("Viewer seats", 200),
    ]
    assert (read.total, read.term_months) == (1700, 12)
    assert read.provenance["term_months"].page == 1
    assert read.line_currencies == ()


def test_prices_without_quantities_are_a_price_list() -> None:
    text = "Product         Unit price\nEditor seats       150.00\nViewer seats        10.00"
    read = read_pages([type_page(text)], "prices.pdf")
    assert (read.kind, read.total) == ("price_list", None)
    assert [line.unit_price for line in read.line_items] == [150, 10]


def test_lines_in_two_currencies_are_warned_about() -> None:
    text = """
        Description          Qty       Price        Amount
        Editor seats          10    USD 5.00     USD 50.00
        Viewer seats           2    EUR 1.50      EUR 3.00
    """
    read = read_pages([type_page(text)], "quote.pdf")
    assert read.line_currencies == ("EUR", "USD")
    assert "The lines are in EUR and USD." in read.warnings


def test_boxes_go_back_to_where_the_words_stand_on_a_page_that_hangs() -> None:
    level = read_pages([type_page(QUOTE)], "quote.pdf").provenance["total"].box
    hanging = read_pages([replace(type_page(QUOTE), slope=0.1)], "quote.pdf").provenance["total"].box
    assert level is not None
    assert hanging is not None
    assert hanging.top == level.top + 0.1 * level.centre
    assert hanging.x0 == level.x0


def test_options_and_lines_without_amount_make_no_total() -> None:
    line = LineItem(amount=Decimal(5))
    assert sum_lines([line, line, replace(line, optional=True)]) == 10
    assert sum_lines([line, LineItem()]) is None
    assert sum_lines([]) is None
