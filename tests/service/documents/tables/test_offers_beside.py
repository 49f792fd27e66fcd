"""Offers side by side, of which one is chosen."""

import pytest

from app.service.documents.pipeline import read_pages
from app.service.documents.tables.offers_beside import read_offers_beside, read_priced_offers
from tests.service.documents.typewriter import type_document, type_page

OFFERS = """
    Quotation
                           GOOD            BETTER          BEST
    Shingle                3-tab           Architectural   Designer
    Warranty               2 years         5 years         10 years
    {}
"""
TOTAL = "Total investment       $19,680.00      $23,520.00      $31,200.00"
PARTS = """Price                  $20,000.00      $24,000.00      $32,000.00
    Less rebate            -$320.00        -$480.00        -$800.00
    You pay                $19,680.00      $23,520.00      $31,200.00"""


@pytest.mark.parametrize("prices", [TOTAL, PARTS], ids=["a total", "what the rows above it make"])
def test_each_offer_is_a_line_at_its_total_and_none_is_counted(prices: str) -> None:
    extraction = read_pages([type_page(OFFERS.format(prices))], "quote.pdf")
    named = [(item.description, item.amount, item.optional) for item in extraction.line_items]
    assert named == [("GOOD", 19680, True), ("BETTER", 23520, True), ("BEST", 31200, True)]
    assert extraction.total is None


@pytest.mark.parametrize(
    "page",
    [
        OFFERS.format(PARTS.replace("$23,520.00", "$23,500.00")),
        OFFERS.format("Price                  $20,000.00      $24,000.00"),
        "North  South\nLamp  $4.00  $5.00\nCable  $2.00  $3.00\nTotal  $6.00  $8.00",
    ],
    ids=["parts that make something else", "a price too few", "a table of prices"],
)
def test_other_columns_are_no_offers(page: str) -> None:
    assert read_offers_beside(type_document(page).rows) == []


PRICED = """
    Quotation
                                    Full care               Parts only
    Equipment             Qty       Rate       Amount       Rate       Amount
    Outdoor unit          2         480.00     960.00       215.00     430.00
    Indoor unit           18        42.00      756.00       19.00      {}
    Total                           1,716.00                772.00
"""


def test_each_price_of_a_row_is_a_line_of_its_offer_and_none_is_counted() -> None:
    extraction = read_pages([type_page(PRICED.format("342.00"))], "quote.pdf")
    assert [(item.description, item.amount) for item in extraction.line_items] == [
        ("Outdoor unit (Full care)", 960),
        ("Indoor unit (Full care)", 756),
        ("Outdoor unit (Parts only)", 430),
        ("Indoor unit (Parts only)", 342),
    ]
    assert all(item.optional for item in extraction.line_items)
    assert extraction.total is None
    assert not extraction.warnings


@pytest.mark.parametrize(
    "page",
    [
        PRICED.format("340.00"),
        "Lamp    2  10.00  20.00  12.00  24.00\nCable   5  4.00   20.00  4.80   24.00",
        "Lamp    2  10.00  20.00  21  12.10  24.20\nCable   5  4.00   20.00  6   4.24   21.20",
        "            Year 1         Year 2\n"
        "Lamp    2   10.00  20.00   12.00  24.00\n"
        "Cable   5   4.00   20.00   4.10   20.50",
    ],
    ids=["a price that makes no amount", "with one tax", "with two rates of a tax", "years"],
)
def test_other_prices_beside_are_no_offers(page: str) -> None:
    assert read_priced_offers(type_document(page).rows) == []
