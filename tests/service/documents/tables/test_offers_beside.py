"""Offers side by side, of which one is chosen."""

import pytest

from app.service.documents.pipeline import read_pages
from app.service.documents.tables.offers_beside import read_offers_beside
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
