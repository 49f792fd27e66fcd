"""Currency and tax in texts, headings and number formats."""

import pytest

from app.service.values.currencies import agree, read_currency
from app.service.values.money import find_format_currency, find_heading_currency


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        *(("EUR", "EUR"), ("eur", "EUR"), ("€", "EUR"), ("euros", "EUR"), ("Schweizer Franken", "CHF")),
        *(
            ("US$", "USD"),
            ("$", "$"),
            ("kr", "kr"),
            ("Rs.", "Rs"),
            ("zł", "PLN"),
            ("грн.", "UAH"),
            ("VED", "VED"),
        ),
        *(("all", None), ("km", None), ("PCS", None), ("Rm", None), ("", None)),
    ],
)
def test_a_currency_is_read_by_code_sign_and_name(text: str, currency: str | None) -> None:
    assert read_currency(text) == currency


@pytest.mark.parametrize(
    ("one", "other", "closer"),
    [
        ("$", "CAD", "CAD"),
        ("EUR", "USD", None),
        ("kr", "DKK", "DKK"),
        ("kr", "EUR", None),
        ("USD", "USD", "USD"),
    ],
)
def test_two_mentions_agree_on_the_closer_one(one: str, other: str, closer: str | None) -> None:
    assert agree(one, other) == closer


@pytest.mark.parametrize(
    ("heading", "currency"),
    [
        *(
            ("Preço (€)", "EUR"),
            ("Unit price EUR", "EUR"),
            ("Net value in DC (GBP)", "GBP"),
            ("Amount USD", "USD"),
        ),
        *(
            ("price_eur", "EUR"),
            ("Cena Kč", "CZK"),
            ("金额(元)", "CNY"),
            ("Price ($)", "$"),
            ("Pris (kr)", "kr"),
        ),
        *(("Unit price", None), ("Price (USD/EUR)", None), ("ALL ITEMS", None), ("Price per ft", None)),
        *(("Qty (pcs)", None), ("Price (excl. VAT)", None)),
    ],
)
def test_a_heading_names_a_currency(heading: str, currency: str | None) -> None:
    assert find_heading_currency(heading) == currency


@pytest.mark.parametrize(
    ("number_format", "currency"),
    [
        *(
            ("[$€-407] #,##0.00", "EUR"),
            ('#,##0.00 "kr"', "kr"),
            ("[$kr-41D]# ##0", "SEK"),
            ("[$USD] 0", "USD"),
        ),
        *(
            ("_-[$£-809]* #,##0.00_-;-[$£-809]* #,##0.00_-", "GBP"),
            ("[$$-1009]#,##0.00", "CAD"),
            ("$#,##0", "$"),
        ),
        *(
            ("#,##0.00\\ €", "EUR"),
            ("[$EUR-x-euro2] 0", "EUR"),
            ("[$-409]d-mmm-yy", None),
            ("[Red]0.00", None),
        ),
        *(("General", None), ("0%", None)),
    ],
)
def test_a_number_format_shows_a_currency(number_format: str, currency: str | None) -> None:
    assert find_format_currency(number_format) == currency
