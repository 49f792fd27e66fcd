"""The question that a purchase answers, and its price for one month."""

from math import exp, nan

import pytest

from app.service.charges.charge import count_months_of_price
from app.service.purchase_records.records import PriceQuery, log_rate
from tests.service.pricing.made_up_purchases import purchase


@pytest.mark.parametrize(
    ("period", "term", "months"),
    [("once", 36, 1), ("month", 36, 1), ("year", 36, 12), ("term", 36, 36), ("term", None, None)],
)
def test_a_price_covers_the_months_of_its_period(period: str, term: int | None, months: int | None) -> None:
    bought = purchase(price_period=period, term_months=term)
    assert count_months_of_price(bought.price_period, term) == months
    assert exp(log_rate(bought)) == pytest.approx(2 / months if months else nan, nan_ok=True)


def test_a_query_states_the_terms_of_the_purchase_and_none_of_what_was_paid() -> None:
    query = PriceQuery.from_purchase(purchase(price_period="year", unit="seat", attributes={"size": "L"}))
    assert (query.product, query.quantity, query.unit, query.recurring) == (
        "Blue ballpoint pen",
        10,
        "seat",
        True,
    )
    assert query.attributes == {"size": "L"}
    dearer = purchase(
        price_period="year", unit="seat", attributes={"size": "L"}, unit_price=9, total_price=90
    )
    assert PriceQuery.from_purchase(dearer) == query
