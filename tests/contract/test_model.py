"""A record is built from what has its fields."""

from types import SimpleNamespace

import pytest

from app.contract.agreement_market import MarketSum


def test_a_record_takes_its_fields_from_attributes_and_is_told_the_others() -> None:
    row = SimpleNamespace(currency="EUR", agreements=2, amount=10, unknown="left out")
    assert MarketSum.build_from(row, saving=3).wire() == {
        "currency": "EUR",
        "agreements": 2,
        "amount": 10,
        "saving": 3,
    }
    assert MarketSum.build_from(row, saving=3, amount=11).amount == 11
    with pytest.raises(AttributeError, match="saving"):
        MarketSum.build_from(row)
