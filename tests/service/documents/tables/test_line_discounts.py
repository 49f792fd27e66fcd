"""The discount of a line is read from its words and its prices where both say the same."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.tables.line_discounts import read_line_discounts


def line(description: str, price: str, amount: str, listed: str | None = None) -> LineItem:
    return LineItem(
        description=description,
        quantity=Decimal(2),
        unit_price=Decimal(price),
        amount=Decimal(amount),
        list_unit_price=Decimal(listed) if listed else None,
    )


@pytest.mark.parametrize(
    "item",
    [
        line("Server (10 % discount)", "90", "180"),
        line("Server (10 % discount)", "100", "170"),
        line("Server for 10 % of users", "100", "180"),
    ],
)
def test_words_that_explain_nothing_change_nothing(item: LineItem) -> None:
    assert read_line_discounts([item]) == [item]


def test_two_prices_have_a_share_between_them() -> None:
    shares = [("87.50", "12.5"), ("90", "10"), ("66.67", None)]
    for price, share in shares:
        [read] = read_line_discounts([line("Server", price, "1", listed="100")])
        assert read.discount_percent == (Decimal(share) if share else None)
