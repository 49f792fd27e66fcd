"""Where a document comes from."""

import pytest

from app.service.documents.values.origin import Origin, find_languages


def test_the_commonest_words_tell_the_language() -> None:
    assert Origin("il totale della fattura").language == "it"
    assert Origin("o valor da fatura não inclui").language == "pt"
    assert Origin("12 345").language is None


def test_the_usual_mark_is_that_of_the_language_and_of_the_currency() -> None:
    assert Origin("der Preis und die Menge in EUR").usual_mark == ","
    assert Origin("the price of all the seats in AED").usual_mark == "."
    assert Origin("the price of all the parts: IDR 5").usual_mark is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ціна та кількість", "uk"), ("Цена и количество", "ru"), ("Τιμή και ποσότητα", "el"),
        ("単価と数量", "ja"), ("单价和数量", "zh"), ("단가와 수량", "ko"), ("السعر والكمية", "ar"),
        ("hinta ja määrä yhteensä", "fi"), ("cijena i količina za kupca", "hr"),
    ],
)  # fmt: skip
def test_letters_and_words_tell_the_language(text: str, language: str) -> None:
    assert Origin(text).language == language


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("cena i ilość oraz wartość", "PLN"), ("cena i ilosc oraz faktura", None),
        ("数量 单价 金额", "CNY"), ("單價 數量 總計 項次", "CNY"), ("de la total", None),
        ("preț și cantitate", "RON"),
    ],
)  # fmt: skip
def test_a_language_of_one_country_tells_the_currency(text: str, currency: str | None) -> None:
    assert Origin(text).currency.code == currency


@pytest.mark.parametrize(
    ("text", "currency", "named"),
    [
        ("단가와 수량", "KRW", True), ("cena i ilość oraz wartość", "PLN", True),
        ("cena i ilość oraz wartość\nČeská republika", "CZK", False),
        ("Unit HK$   Amount HK$\n5,200.00", "HKD", True), ("Unit NT$   Amount NT$\n5,200", "TWD", True),
        ("Day rate (£)\nLeeds LS1 4AP", "GBP", True), ("Celkem Kč", "CZK", True),
        ("Egységár (nettó Ft)", "HUF", True), ("In Rs.   In Rs.\nGSTIN 29AABCD1234E1Z5", "INR", True),
        ("Suma žodžiais: vienas tūkstantis eurai 65 ct\n1 000,65", "EUR", True),
        ("Example LLC\n$ 5.00   $ 7.00", "USD", True), ("Example Inc.\n$ 5.00   $ 7.00", "USD", False),
        ("a Delaware corporation\n$ 5.00   $ 7.00", "USD", True),
        ("Example LLC, Toronto, ON M5V 2T6\n$ 5.00   $ 7.00", "CAD", True),
        ("Bergen, Norge\nDenver, CO 80202\n$ 5.00   $ 7.00", "USD", True),
        ("Bergen, Norge\n$ 5.00   $ 7.00", "USD", True),
        ("Furnizor CIF: RO 25001122\n5,00 lei", "RON", True),
        ("Article RS10\n69003 Lyon, France", "EUR", True), ("Total RM 1204\nKuala Lumpur", "MYR", True),
    ],
)  # fmt: skip
def test_one_mention_is_enough_where_the_country_agrees_and_none_is_not(
    text: str, currency: str, named: bool
) -> None:
    read = Origin(text).currency
    assert (read.code, read.named) == (currency, named)


def test_one_word_in_each_row_of_a_table_tells_no_language() -> None:
    assert "pl" not in find_languages("PO Number,PO Date\n" + "PO-7,order,8/4/2025\n" * 9)
