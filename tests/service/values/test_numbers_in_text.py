"""Numbers as people print them."""

from decimal import Decimal

import pytest

from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import (
    decide_number_format,
    find_doubtful_numbers,
    find_usual_mark,
    parse_number,
)


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
    assert decide_number_format(["1.045 users", "12,50", "1.000,00"]) == ","
    assert decide_number_format(["1,045 users", "12.50"]) == "."
    assert decide_number_format(["7 of 9"]) is None


@pytest.mark.parametrize(
    ("texts", "usual", "mark"),
    [
        (["am 31.12. fällig", "Preis 1.250 €"], ",", ","),
        (["Termin 10.30 Uhr", "Preis 1.250 €", "Summe 2.500 €"], ",", ","),
        (["WLAN 802.11ax, 4.6 GHz", "Gesamtpreis € 3.290"], ",", ","),
        (["Agreement total: $93,000", "section 2,1"], ".", "."),
        (["Rp 400.000", "0.00% tax"], ",", ","),
        (["TOTAL 8,000 AED", "20% (AED 1,600)"], None, "."),
        (["Subtotal 1.165.000", "650.000 0.00%"], None, ","),
        (["Total 3.400 zł", "1.5 h"], ",", ","),
        (["2.450,- €", "Version 2.15"], ",", ","),
        (["1.250.- Fr.", "1,250.- Fr."], None, "."),
        # Prices of a thousandth are told by the amounts beside them.
        (["EUR 1.250 / kWh EUR 12.50", "EUR 2.125 / kWh EUR 21.25"], ",", "."),
        (["KWD 1.250", "KWD 12.500", "KWD 0.750"], ".", "."),
        # One number that no money is beside decides nothing against what is usual.
        (["Kapitel 12.50", "Preis 1.250"], ",", None),
        (["12.50", "9.75", "Preis 1.250"], ",", "."),
        (["2 Tage", "1.250", "3.250"], ",", None),
        (["Price (USD) 8,000", "5 days", "8,005"], ".", "."),
    ],
    ids=str,
)
def test_amounts_of_money_decide_before_other_numbers_and_the_usual_mark_before_chance(
    texts: list[str], usual: DecimalMark | None, mark: DecimalMark | None
) -> None:
    assert decide_number_format(texts, lambda: usual) == mark


@pytest.mark.parametrize("printed", ["1.2.2024", "12,34,5", "9" * 40])
def test_digits_that_no_country_prints_so_are_no_number(printed: str) -> None:
    assert parse_number(printed, None) is None


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["Total 214.956"], None),
        (["Version 2.5", "2.1 Scope", "Total 214.956"], None),
        (["Total 214.956", "Tax 12.50"], "."),
        (["4 users 250 1.000"], ","),
        (["4 users 250 1,000"], "."),
        (["Setup 500", "Licences 1.234", "Total 1.734"], ","),
        (["8 h 1.125 9"], "."),
        (["2 x 1.500 3.000"], None),
    ],
    ids=str,
)
def test_other_numbers_or_arithmetic_tell_what_a_mark_parts(
    texts: list[str], mark: DecimalMark | None
) -> None:
    assert decide_number_format(texts) == mark


@pytest.mark.parametrize(
    ("printed", "language", "currency", "doubtful"),
    [
        ("214.956", "en", "EUR", True),
        ("214.956", "de", "EUR", False),
        ("214.956", None, None, True),
        ("1,234", "en", "USD", False),
        ("1,234", None, "USD", False),
        ("1,234", "fr", "EUR", True),
        ("1.234", "de", "CHF", True),
        ("1.234.567", "en", "USD", False),
        ("214.956 and 214956", "en", "EUR", False),
    ],
)
def test_a_mark_that_is_usual_for_decimals_before_three_digits_is_doubtful(
    printed: str, language: str | None, currency: str | None, doubtful: bool
) -> None:
    found = find_doubtful_numbers([f"Total {printed}"], find_usual_mark(language, currency))
    assert found == ({Decimal(printed.replace(".", "").replace(",", "")): printed} if doubtful else {})


def test_one_decimal_tells_the_mark_in_the_cells_of_a_table_file() -> None:
    assert decide_number_format(["10.5", "214.956"], in_cells=True) == "."
    assert decide_number_format(["10.5", "214.956"]) is None


def test_money_of_a_thousand_parts_has_three_decimals() -> None:
    texts = ["الإيجار 480.000 ريال عماني", "رسوم 35.000 ريال عماني"]
    assert decide_number_format(texts, lambda: find_usual_mark("ar", "OMR"), count_decimals=lambda: 3) == "."
    assert decide_number_format(texts, lambda: find_usual_mark("ar", "SAR")) is None
    assert find_doubtful_numbers(texts, find_usual_mark("ar", "SAR")).keys() == {480_000, 35_000}


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["￥950,400-", "300 1.800 540.000", "1.200 270 324.000"], None),
        (["12.5 kg", "単価 1.800"], None),
        (["12.5 kg", "1.250 kg x 400 = 500"], "."),
        (["12.5 kg", "￥950,400"], "."),
        (["Rp 1.250,50", "Rp 400.000"], ","),
    ],
)
def test_money_without_cents_has_no_three_decimals(texts: list[str], mark: DecimalMark | None) -> None:
    assert decide_number_format(texts, lambda: ".", count_decimals=lambda: 0) == mark


def test_thousandths_behind_four_digits_are_decimals() -> None:
    assert decide_number_format(["6 245.000 1470.000"]) == "."
    assert decide_number_format(["1 275.000"], lambda: ",") is None
