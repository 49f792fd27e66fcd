"""Numbers as people print them."""

from decimal import Decimal

import pytest

from app.service.documents.values.numbers import DecimalMark, find_decimal_mark, parse_number


@pytest.mark.parametrize(
    ("printed", "mark", "value"),
    [
        ("1,234.56", ".", "1234.56"),
        ("1.234,56", ",", "1234.56"),
        ("1 234,56", ",", "1234.56"),
        ("1'234.56", ".", "1234.56"),
        ("1,234", ".", "1234"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("12,5", ",", "12.5"),
        ("1,23,456.00", ".", "123456"),
        ("0.125", None, "0.125"),
    ],
)
def test_numbers_are_read_as_their_country_prints_them(
    printed: str, mark: DecimalMark | None, value: str
) -> None:
    assert parse_number(printed, mark) == Decimal(value)


def test_the_numbers_of_a_document_agree_on_their_decimal_mark() -> None:
    assert find_decimal_mark(["1.045 users", "12,50", "1.000,00"]) == ","
    assert find_decimal_mark(["1,045 users", "12.50"]) == "."
    assert find_decimal_mark(["7 of 9"]) is None


@pytest.mark.parametrize("printed", ["1.2.2024", "12,34,5", "9" * 40])
def test_digits_that_no_country_prints_so_are_no_number(printed: str) -> None:
    assert parse_number(printed, None) is None
