"""The price that a term states."""

from decimal import Decimal

import pytest

from app.contract.scope import find_stated_price
from app.service.scopes.terms import StoredScopeTerm


@pytest.mark.parametrize(
    ("listed", "discount", "stated"),
    [("0.25", "50", "0.13"), ("80.1", "2.5", "78.10"), ("1.13", "50", "0.57")],
)
def test_a_discount_is_taken_to_the_cent_half_up(listed: str, discount: str, stated: str) -> None:
    term = StoredScopeTerm(12, "renewal", list_price=Decimal(listed), discount=Decimal(discount))
    assert find_stated_price(term) == Decimal(stated)
