"""Months between days."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.service.charges.months import add_months, count_exact_months, count_months, count_months_between


def test_months_of_a_term_are_whole_where_the_calendar_says_so() -> None:
    assert count_exact_months(date(2024, 2, 29), date(2025, 2, 28)) == 12
    assert count_exact_months(date(2026, 1, 31), date(2026, 2, 28)) == 1
    assert count_exact_months(date(2026, 1, 1), date(2026, 1, 11)) == Fraction(10, 31)
    assert count_months(date(2026, 1, 1), date(2026, 1, 11)) == 1


@given(st.dates(date(2000, 1, 1), date(2050, 1, 1)), st.integers(0, 120), st.integers(0, 27))
def test_days_are_counted_in_months_of_the_calendar(start: date, months: int, days: int) -> None:
    after = add_months(start, months)
    assert count_exact_months(start, after) == months
    exact = count_exact_months(start, date.fromordinal(after.toordinal() + days))
    assert months + Fraction(days, 31) <= exact < months + 1
    assert count_exact_months(after, start) == -months


@pytest.mark.parametrize(
    ("start", "end", "months"),
    [
        (date(2025, 1, 1), date(2025, 12, 31), 12),
        (date(2025, 1, 15), date(2026, 1, 14), 12),
        (date(2025, 3, 1), date(2025, 3, 31), 1),
        (date(2024, 3, 1), date(2025, 2, 28), 12),
        (date(2025, 1, 1), date(2026, 1, 1), 12),
        (date(2025, 1, 31), date(2025, 2, 28), 1),
        (date(2025, 3, 5), date(2025, 3, 30), None),
        (date(2025, 1, 1), date(2025, 1, 15), None),
        (date(2025, 1, 1), date(2024, 1, 1), None),
    ],
)
def test_the_term_between_two_days_is_whole_months(start: date, end: date, months: int | None) -> None:
    assert count_months_between(start, end) == months
