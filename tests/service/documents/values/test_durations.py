"""Spans of time in words and figures."""

from datetime import date

import pytest

from app.service.documents.values.durations import SPAN, count_days, count_months, count_months_between


@pytest.mark.parametrize(
    ("text", "months", "days"),
    [
        ("thirty (30) days", None, 30),
        ("36 monate", 36, 1080),
        ("2 years", 24, 730),
        ("two weeks", None, 14),
        ("12 mois", 12, 360),
        ("3 maanden", 3, 90),
        ("90 (ninety) days", None, 90),
        ("half a year", 6, 182),
        ("12 mesicu", 12, 360),
        ("24 месяца", 24, 720),
        ("90 paivaa", None, 90),
        ("12-miesieczny", 12, 360),
    ],
)
def test_a_span_has_months_or_days(text: str, months: int | None, days: int) -> None:
    found = SPAN.search(text)
    assert found is not None
    assert (count_months(found), count_days(found)) == (months, days)


@pytest.mark.parametrize("text", ["het contract vangt aan op 1 mei", "clause 5 let us", "12 man", "3 wiki"])
def test_letters_of_a_word_are_no_span(text: str) -> None:
    assert SPAN.search(f"{text} days") is None


def test_digits_of_a_larger_number_are_no_span() -> None:
    assert SPAN.search("release 2025.1.12 months") is None


@pytest.mark.parametrize(
    ("start", "end", "months"),
    [
        (date(2025, 1, 1), date(2025, 12, 31), 12),
        (date(2025, 1, 15), date(2026, 1, 14), 12),
        (date(2025, 3, 1), date(2025, 3, 31), 1),
        (date(2024, 3, 1), date(2025, 2, 28), 12),
        (date(2025, 1, 1), date(2025, 1, 15), None),
        (date(2025, 1, 1), date(2024, 1, 1), None),
    ],
)
def test_the_term_between_two_days_is_whole_months(start: date, end: date, months: int | None) -> None:
    assert count_months_between(start, end) == months
