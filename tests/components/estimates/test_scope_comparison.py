"""Quotes side by side: per unit and month only where somebody has said for how many months."""

from decimal import Decimal

import pytest

from components.estimates.scope_comparison import ComparedScope
from tests.components.estimates.fixtures import make_percentiles


@pytest.mark.parametrize(
    ("months", "is_assumed", "term", "comparable"),
    [(12, False, "12 months", True), (12, True, "—", False), (None, True, "once", True)],
)
def test_a_quote_for_a_time_that_nobody_has_said_has_no_price_of_a_month(
    months: int | None, is_assumed: bool, term: str, comparable: bool
) -> None:
    one = ComparedScope(
        *("1", "Ledger Cloud", make_percentiles(), "USD"),
        months=None if months is None else Decimal(months),
        quote=Decimal(1200),
        is_term_assumed=is_assumed,
    )
    assert (one.term, one.comparable_quote is not None) == (term, comparable)
