"""Spans of time in words and figures."""

import pytest

from app.service.documents.values.durations import SPAN, count_days, count_months


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
        ("1,200 months", 1200, 36000),
        ("1.200 monate", 1200, 36000),
        ("1.5 years", 18, 547),
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
