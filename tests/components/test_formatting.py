"""Amounts, moments and foreign text."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from app.contract.money import format_exact_money, format_money, format_signed_money
from components.formatting import (
    escape_markdown,
    format_deadline,
    format_duration,
    format_local_time,
    format_months,
    format_relative_time,
    format_units,
)


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (Decimal("12.5"), "USD 12.50"),
        (Decimal(9999), "USD 9,999"),
        (Decimal("9999.994"), "USD 9,999.99"),
        (Decimal("48250.49"), "USD 48,250"),
        (Decimal("48250.5"), "USD 48,251"),
        (Decimal("1.125"), "USD 1.13"),
        (Decimal("1e9"), "USD 1,000,000,000"),
        (0, "USD 0"),
        (Decimal("0.5"), "USD 0.50"),
        (Decimal("0.0000125"), "USD 0.0000125"),
        (Decimal("0.123456"), "USD 0.123"),
        (Decimal("0.9996"), "USD 1"),
        (Decimal("-300"), "−USD 300"),
    ],
)
def test_money_has_its_currency_and_thousands(amount: Decimal, said: str) -> None:
    assert format_money(amount, "USD") == said


def test_an_amount_of_a_letter_keeps_all_its_digits() -> None:
    amounts = (Decimal("118260.45"), Decimal("118260.00"), Decimal("0.125"), Decimal("-1e3"))
    assert [format_exact_money(amount, "EUR") for amount in amounts] == [
        "EUR 118,260.45",
        "EUR 118,260",
        "EUR 0.125",
        "−EUR 1,000",
    ]


def test_a_difference_has_its_sign() -> None:
    assert [format_signed_money(Decimal(amount), "EUR") for amount in (5, -5, 0)] == [
        "+EUR 5",
        "−EUR 5",
        "EUR 0",
    ]


def test_a_term_reads_as_people_say_it() -> None:
    assert [format_months(Decimal(term)) for term in (1, 12, 18, 36)] == [
        "1 month",
        "12 months",
        "18 months",
        "3 years (36 months)",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (59, "59 s"), (252, "4 min 12 s"), (3600, "1 h"), (187_200, "2 d 4 h")]
)
def test_a_span_names_its_two_largest_units(seconds: int, said: str) -> None:
    assert format_duration(timedelta(seconds=seconds)) == said


def test_what_is_to_come_is_not_ago() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert format_relative_time(now - timedelta(minutes=3), now) == "3 min ago"
    assert format_relative_time(now + timedelta(hours=2), now) == "in 2 h"
    assert format_local_time(None) == "—"


@pytest.mark.parametrize(
    ("deadline", "said"),
    [
        (datetime(2026, 6, 10, 2, tzinfo=UTC), "Due in 2 days"),
        (datetime(2026, 6, 9, 2, tzinfo=UTC), "Due in 1 d 2 h"),
        (datetime(2026, 6, 8, tzinfo=UTC), "Expired 7 June"),
        (datetime(2026, 1, 1, tzinfo=UTC), "Expired 31 December 2025"),
    ],
)
def test_a_deadline_in_the_past_is_a_date(deadline: datetime, said: str) -> None:
    assert format_deadline(deadline, datetime(2026, 6, 8, tzinfo=UTC)) == said


def test_foreign_text_formats_nothing() -> None:
    assert escape_markdown("[x](http://a) :red[b] $1$ *c*\n# d") == (
        r"\[x\]\(http\://a\) \:red\[b\] \$1\$ \*c\* \# d"
    )


@pytest.mark.parametrize(
    ("quantity", "unit", "said"),
    [
        (Decimal(120), "user", "120 users"),
        (Decimal(1), "user", "1 user"),
        (Decimal("1.5"), "day", "1.50 days"),
        (Decimal(12_500), "seats", "12,500 seats"),
        (Decimal(20), "TB", "20 TB"),
        (Decimal(20), "kg", "20 kg"),
        (Decimal(3), "each", "3 each"),
        (Decimal(3), "facility", "3 facility"),
        (Decimal(3), "Stück", "3 Stück"),
        (Decimal(3), "user per site", "3 user per site"),
        (Decimal(3), None, "3"),
    ],
)
def test_a_unit_has_a_plural_where_its_plural_is_sure(quantity: Decimal, unit: str | None, said: str) -> None:
    assert format_units(quantity, unit) == said
