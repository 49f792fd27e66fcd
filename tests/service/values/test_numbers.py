"""Numbers of cells in every notation: all readings, and nothing dropped."""

from decimal import Decimal

import pytest
from babel import Locale
from babel.numbers import format_currency, format_decimal
from hypothesis import given, settings
from hypothesis import strategies as st

from app.service.values.numbers import (
    NotANumber,
    NumberReadings,
    read_number,
)


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("12.50", "12.50", None),
        ("12,5", None, "12.5"),
        ("1,5", None, "1.5"),
        ("0,2855", None, "0.2855"),
        ("1,234", "1234", "1.234"),
        ("1.234", "1.234", "1234"),
        ("1.234.567", None, "1234567"),
        ("1,234.50", "1234.50", None),
        ("1.234,50", None, "1234.50"),
        ("1234,567", None, "1234.567"),
        # no group of thousands begins with 0
        ("0,285", None, "0.285"),
        ("0.500", "0.500", None),
        ("00,125", None, "0.125"),
        # groups of spaces, apostrophes and lakhs
        ("1 234,50", None, "1234.50"),
        ("1\u202f234\u00a0567", "1234567", "1234567"),
        ("1'234.50", "1234.50", None),
        ("1’234’567", "1234567", "1234567"),
        ("1,23,456.00", "123456.00", None),
        ("12,34,56,789", "123456789", None),
        # other digits and marks
        ("１，２３４．５", "1234.5", None),
        ("١٢٣٤", "1234", "1234"),
        ("١٬٢٣٤٫٥٦٧", "1234.567", "1234.567"),
        ("१२३४", "1234", "1234"),
        ("๑๒", "12", "12"),
        # no decimals
        ("12.-", "12", "12"),
        ("99,--", "99", "99"),
        ("1.250,-", None, "1250"),
        ("1,500/-", "1500", "1.500"),
        ("12.", "12", "12"),
        # other
        (".5", "0.5", None),
        ("1.5e3", "1500", None),
        ("1,5E+3", None, "1500"),
        ("007", "7", "7"),
    ],
)
def test_a_number_has_the_readings_of_both_notations(text: str, point: str | None, comma: str | None) -> None:
    found = read_number(text)
    assert (found.point, found.comma) == (point and Decimal(point), comma and Decimal(comma))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "-950,00",
            "950,00-",
            "950,00 -",
            "(950,00)",
            "−950,00",
            "‐950,00",
            "–950,00",
            "950,00–",
            "- 950,00",
        ),
        *("950,00-EUR", "EUR -950,00", "€-950,00", "(€ 950,00)", "€(950,00)", "(950,00) EUR", "950,00 EUR-"),
    ],
)
def test_a_minus_may_stand_anywhere(text: str) -> None:
    assert read_number(text).comma == Decimal(-950)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("€ 12,50", "12.50", "EUR"),
        ("12.50 EUR", "12.50", "EUR"),
        ("US$12.50", "12.50", "USD"),
        ("R$ 12,50", "12.50", "BRL"),
        ("500 руб.", "500", "RUB"),
        ("1 200 грн", "1200", "UAH"),
        ("12,50 zł", "12.50", "PLN"),
        ("990 Kč", "990", "CZK"),
        ("₱1,200.50", "1200.50", "PHP"),
        ("CHF 99.-", "99", "CHF"),
        ("Fr. 1'200.50", "1200.50", "CHF"),
        ("12 US dollars", "12", "USD"),
        ("120万円", "1200000", "JPY"),
        ("2.5 Mio. €", "2500000", "EUR"),
        ("2,5 millions d'euros", "2500000", "EUR"),
        ("€150k", "150000", "EUR"),
        ("$ 5", "5", "$"),
        ("5 kr", "5", "kr"),
        ("¥ 9900", "9900", "¥"),
        ("USD $5", "5", "USD"),
        ("kr 5 DKK", "5", "DKK"),
        ("1,2 MIO", "1200000", None),
        ("5 lakh", "500000", None),
    ],
)
def test_a_currency_and_a_scale_may_stand_on_either_side(text: str, value: str, currency: str | None) -> None:
    found = read_number(text)
    assert (found.value(None), found.currency) == (Decimal(value), currency)


def test_percent_and_unit_are_told() -> None:
    assert read_number("12 %").percent
    assert read_number("%12,5") == NumberReadings("%12,5", None, Decimal("12.5"), percent=True)
    assert read_number("10 PCS").unit == "C62"
    assert read_number("2,5 kg").unit == "KGM"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "abc",
            "--",
            "NaN",
            "inf",
            "1.2.3",
            "1,2,3",
            "12 50",
            "1 2 3",
            "12\n50",
            "1.23.456",
            "1.234,567.8",
        ),
        *(
            "12a",
            "1_000",
            "30²",
            "1e999",
            "--5",
            "-(5)",
            "<950>",
            "12 netto",
            "3 x 5",
            "10 USD/user",
            "150k",
            "9" * 90,
        ),
        *(
            "950,00 CR",
            "1.250 cr",
            "#N/A",
            "#REF!",
            "#WERT!",
            "#DIV/0!",
            "€5 USD",
            "5 all",
            "50 Rm",
            "12:30",
            "½",
        ),
    ],
)
def test_what_nothing_explains_is_refused(text: str) -> None:
    with pytest.raises(NotANumber):
        read_number(text)


_LOCALE_NAMES = (
    "en de fr it es pt pt_PT nl sv nb da fi is pl cs sk hu ro bg hr sl et lv lt el tr ru uk de_CH de_AT"
    " fr_CH en_IN hi"
    " ar_EG fa bn th vi id ja zh ko he es_MX en_ZA"
)
_LOCALES = _LOCALE_NAMES.split()
_AMOUNTS = st.decimals(Decimal(-9_999_999), Decimal(999_999_999), places=2)


@given(_AMOUNTS, st.sampled_from(_LOCALES))
@settings(max_examples=100)
def test_the_true_value_is_among_the_readings_in_every_locale(value: Decimal, locale: str) -> None:
    found = read_number(format_decimal(value, "#,##0.###", locale=locale))
    assert value in (found.point, found.comma)
    assert found.is_ambiguous or found.value(None) == value


@given(_AMOUNTS, st.sampled_from(_LOCALES), st.sampled_from(("EUR", "USD", "CHF", "INR")))
@settings(max_examples=100)
def test_an_amount_of_money_is_read_in_every_locale(value: Decimal, locale: str, currency: str) -> None:
    decimal_mark = Locale.parse(locale).number_symbols["latn"]["decimal"]
    found = read_number(format_currency(value, currency, locale=locale))
    assert found.value("," if decimal_mark == "," else ".") == value
    assert found.currency in (currency, "$", "Rs")
