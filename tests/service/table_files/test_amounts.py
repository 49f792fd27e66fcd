from decimal import Decimal

import pytest

from app.service.table_files.amounts import NotANumber, guess_decimal_mark, read_amount


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("12.50", ".", "12.50"),
        ("1,234.50", ".", "1234.50"),
        ("1.234,50", ".", "1234.50"),
        ("1.234.567", ".", "1234567"),
        ("1,234", ".", "1234"),
        ("1,234", ",", "1.234"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("12,5", ".", "12.5"),
        ("12.5", ",", "12.5"),
        ("1 234,50 €", ",", "1234.50"),
        ("1\u202f234,50", ",", "1234.50"),
        ("CHF 1'234.50", ".", "1234.50"),
        ("$1,234", ".", "1234"),
        ("(12.50)", ".", "-12.50"),
        ("-3", ".", "-3"),
        ("1.5e3", ".", "1500"),
        (".5", ".", "0.5"),
    ],
)
def test_a_number_is_read_in_both_locales(text: str, mark: str, value: str) -> None:
    assert read_amount(text, mark) == Decimal(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "abc", "1.2.3", "1,2,3", "12a", "1e999", "--", "NaN", "inf", "1_000", "٣"]
)
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NotANumber):
        read_amount(text)


def test_the_decimal_mark_is_guessed_from_unambiguous_values() -> None:
    assert guess_decimal_mark(["1.234", "1.234,50", "12,5"]) == ","
    assert guess_decimal_mark(["1,234", "1,234.50"]) == "."
    assert guess_decimal_mark(["1,234", "7"]) == "."
    assert guess_decimal_mark([]) == "."
