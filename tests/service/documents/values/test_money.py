"""Figures in text, and the currency of a document."""

from decimal import Decimal

import pytest

from app.service.documents.values.money import (
    DocumentCurrency,
    Figure,
    find_document_currency,
    find_figures,
    is_figure,
    is_sign,
)


@pytest.mark.parametrize(
    "text", ["Q-916612-3", "SW1A 2AA", "24x7 support", "INV/2023/0008", "KR3M", "R134", "AR12.50", "R2.10.1"]
)
def test_digits_inside_of_codes_are_no_figures(text: str) -> None:
    assert [figure.value for figure in find_figures(text, ".") if figure.value not in (2, 1)] == []


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("Total $1,500.00", "1500.00", "$"),
        ("1.500,00 EUR", "1500.00", "EUR"),
        ("R38 000.00", "38000.00", None),
        ("R1,250", "1250", None),
        ("R0.50", "0.50", None),
        ("150 lei/visit", "150", "RON"),
        ("150 lei", "150", None),
        ("1200 ft/min", "1200", None),
        ("(250.00)", "-250.00", None),
        ("250.00-", "-250.00", None),
        ("2.009,00- EUR", "-2009.00", "EUR"),
        ("¥642,400-", "642400", "JPY"),
        ("2.009,00-€ / user", "-2009.00", "EUR"),
        ("2.009,00 EUR-", "-2009.00", "EUR"),
        ("12- ft", "12", None),
        ("945, - €", "945", "EUR"),
        ("1,250.-€", "1250", "EUR"),
        ("CHF 99.--", "99", "CHF"),
        ("-£250", "-250", "GBP"),
        ("△50,000", "-50000", None),
        ("▲¥50,000", "-50000", "JPY"),
        ("▲ 50,000 EUR", "50000", "EUR"),
        ("250.00 CR", "-250.00", None),
        ("Support - 250", "250", None),
        ("kr 250", "250", "kr"),
        ("EUR 2.5 million", "2500000", "EUR"),
        ("€2.5m", "2500000", "EUR"),
        ("2.5 Mio. €", "2500000", "EUR"),
        ("2.5 millones de EUR", "2500000", "EUR"),
        ("2.5 millions d'euros", "2500000", "EUR"),
        ("€150k", "150000", "EUR"),
        ("150 tsd. EUR", "150000", "EUR"),
        ("150kEUR", "150000", "EUR"),
        ("-€1.5k", "-1500", "EUR"),
        ("Rs 3 crore", "30000000", "INR"),
        ("€12 m²", "12", "EUR"),
        ("€12 monthly", "12", "EUR"),
        ("€12k/year", "12000", "EUR"),
        ("5kr", "5", "kr"),
        ("Cable 10m", "10", None),
        ("2.5 million calls", "2.5", None),
    ],
)
def test_a_figure_has_its_sign_and_currency(text: str, value: str, currency: str | None) -> None:
    [figure] = find_figures(text, ".")
    assert (figure.value, figure.currency) == (Decimal(value), currency)


@pytest.mark.parametrize("text", ["EUR 5- EUR 10", "5 EUR- 10 EUR", "5.00 EUR - 10.00 EUR", "5- 10 EUR"])
def test_the_ends_of_a_range_are_no_credits(text: str) -> None:
    assert [figure.value for figure in find_figures(text, ".")] == [5, 10]


def test_a_hyphen_before_a_currency_is_no_minus() -> None:
    assert find_figures("two 100-EUR vouchers", ".") == ()


def test_a_figure_knows_its_place_decimals_and_percent() -> None:
    [share, amount] = find_figures("VAT 20 %: 300.00", ".")
    assert share == Figure(Decimal(20), 3, 8, None, percent=True)
    assert (amount.decimals, amount.percent) == (2, False)


def test_a_text_is_a_figure_with_a_currency_or_a_short_unit_at_most() -> None:
    texts = ("EUR 5.00", "5.00 per user", "Room 5", "5 of 6", "")
    assert [is_figure(text, find_figures(text, ".")) for text in texts] == [True, True, False, False, False]
    assert is_sign("$")
    assert not is_sign("Room")


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("TZS 1,200", "TZS"), ("inr 500", "INR"), ("5 rupees", "INR"), ("100 baht", "THB"), ("12 nis", "ILS"),
        ("2,40zł 7,20zł", "PLN"), ("5€ 7€", "EUR"),
        ("AMD 7950", None), ("PTE 500", None), ("GEL 500 ml", None), ("R 500", None), ("Total:- 500", None),
    ],
)  # fmt: skip
def test_a_code_or_a_sign_beside_a_figure_is_its_currency(text: str, currency: str | None) -> None:
    assert {figure.currency for figure in find_figures(text, ".")} <= {currency}


@pytest.mark.parametrize(
    ("texts", "home", "currency"),
    [
        (["Total EUR 100.00"], None, "EUR"),
        (["Total £100.00"], None, "GBP"),
        (["Total $100.00", "All amounts in Australian dollars (AUD)"], None, "AUD"),
        (["Total $100.00"], None, "USD"),
        (["Room charge Rm 614", "Balance 0.00 USD"], None, "USD"),
        (["123 Madison Drive", "Total $5.00"], None, "USD"),
        (["Example CAD Network Seat", "Total (USD) $5.00"], None, "USD"),
        (["Seria VLT nr. 0093 din 02.06.2025", "Total din 12 iunie 46.529,00 lei"], "RON", "RON"),
        (["Ukupno 1.200,00 din."], None, "RSD"),
        (["Kaina, Eur", "420,00"], None, "EUR"),
        (["Цена, руб.", "420,00"], None, "RUB"),
        (["Цена, руб.", "420,00"], "BYN", "BYN"),
        (["Цена, руб.", "в российских рублях"], "BYN", "RUB"),
        (["2X4 SYP #2 KD 9,557 485.00"], "USD", "USD"),
        (["Montant en francs CFA"], None, "XOF"),
        (["Montant en francs CFA"], "XAF", "XAF"),
        (["AMOUNT DUE R 48 258.85"], None, "ZAR"),
        (["Total GH¢ 40.00"], None, "GHS"),
        (["Twenty Million Naira only"], None, "NGN"),
        (["Chambers 129.90 R&R axle 240.00"], "USD", "USD"),
    ],
)
def test_the_currency_comes_from_codes_words_and_signs(
    texts: list[str], home: str | None, currency: str
) -> None:
    assert find_document_currency(texts, home_currency=home).code == currency


@pytest.mark.parametrize(
    ("texts", "home", "crowns", "found"),
    [
        (["Total $5.00", "in US dollars"], None, [], DocumentCurrency("USD", True)),
        (["Total $5.00"], None, [], DocumentCurrency("USD", False, sign="$")),
        (["Total $5.00"], "EUR", [], DocumentCurrency("USD", False, sign="$")),
        (["Total kr 5"], None, ["NOK"], DocumentCurrency("NOK", True)),
        (["Total kr 5"], None, ["DKK", "SEK"], DocumentCurrency("DKK", False, sign="kr")),
        (["Total kr 5"], None, [], DocumentCurrency("SEK", False, sign="kr")),
        (["I alt kr 5", "Beløb i DKK"], "SEK", [], DocumentCurrency("DKK", True)),
        (["Total EUR 5", "or GBP 4"], "SEK", [], DocumentCurrency("EUR", False, other="GBP")),
        (["Total 5.00"], "GBP", [], DocumentCurrency("GBP", False)),
        (["Total 5.00"], None, ["NOK"], DocumentCurrency("NOK", False)),
        # Letters that are a currency only beside money.
        (["RM 1204, PORT TOWER", "940 USD/MT"], None, [], DocumentCurrency("USD", True)),
        (["RM 12.50"], None, [], DocumentCurrency("MYR", True)),
        (["Total S/ 12.50"], None, [], DocumentCurrency("PEN", True)),
        (["Total C$ 12.50"], "NIO", [], DocumentCurrency("NIO", True)),
        (["Total C$ 12.50"], None, [], DocumentCurrency("CAD", True)),
        (["6,5% s/ 3.970,00"], "AOA", [], DocumentCurrency("AOA", False)),
        (["4ft Folding Table 310"], "SGD", [], DocumentCurrency("SGD", False)),
        (["Összesen 12 500 Ft"], None, [], DocumentCurrency("HUF", True)),
        (["SAN. 4. CAD. NO:12", "82,63 TL", "413,15 TL"], None, [], DocumentCurrency("TRY", True)),
        (["VX-ARS 시스템", "Web기반 ARS운용, 통계", "6,500,000"], None, [], DocumentCurrency(None, False)),
        (["CAD drawings", "Total 500"], None, [], DocumentCurrency("CAD", False)),
        (["1 EUR = 5,0750 RON", "Net 8 lei", "Total 10 lei"], "RON", [], DocumentCurrency("RON", False)),
        (["Currency: CAD", "Total 500"], None, [], DocumentCurrency("CAD", True)),
        (["Paid by transfer   Currency: ALL", "Total 500"], None, [], DocumentCurrency("ALL", True)),
        (["ALL prices", "GEL seats 500"], None, [], DocumentCurrency(None, False)),
        (["R615,00", "Total R3 250,00"], None, [], DocumentCurrency("ZAR", True)),
        (["R2 units", "R 4 rooms"], "EUR", [], DocumentCurrency("EUR", False)),
        (["2,40zł 7,20zł 8,86zł"], None, [], DocumentCurrency("PLN", True)),
        (["Caneta 1 350,00kz"], None, [], DocumentCurrency("AOA", True)),
        (["(Rate in Rs. Per Metre)"], None, [], DocumentCurrency("INR", False, sign="Rs")),
        (["Dhs. 3500.00"], None, [], DocumentCurrency("AED", False, sign="dh")),
        (["合计 ¥5,200.00"], None, [], DocumentCurrency("CNY", True)),
        (["お見積 ¥5,200"], None, [], DocumentCurrency("JPY", True)),
        (
            ["Rs. 1,999", "Rs. 19,999", "Rs. 3,999", "USD $0.05"],
            None,
            [],
            DocumentCurrency("INR", False, sign="Rs"),
        ),
    ],
)
def test_a_currency_is_beyond_doubt_where_the_page_names_it(
    texts: list[str], home: str | None, crowns: list[str], found: DocumentCurrency
) -> None:
    assert find_document_currency(texts, home_currency=home, crowns=crowns) == found


@pytest.mark.parametrize(
    ("total", "home"),
    [("Total 12,50 lei", "RON"), ("合计 500元", "CNY"), ("Rs. 1,999", "PKR"), ("Prix en DH", "MAD")],
)
def test_a_sign_of_several_countries_is_as_sure_as_the_country(total: str, home: str) -> None:
    for is_sure in (True, False):
        found = find_document_currency([total], home_currency=home, is_home_sure=is_sure)
        assert (found.code, found.named) == (home, is_sure)
    assert find_document_currency([total, f"Currency: {home}"], home_currency=home).named


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("Đơn giá (VNĐ)", "VND"),
        ("Сто гривень 00 копійок", "UAH"),
        ("合计人民币（大写）：叁万元整", "CNY"),
        ("słownie: sto złotych", "PLN"),
        ("日本円で申し受けます", "JPY"),
        ("Japanese yen", "JPY"),
        ("One Hundred Pesos Only", "PHP"),
    ],
)
def test_a_currency_is_named_by_the_word_of_its_language(text: str, currency: str) -> None:
    assert find_document_currency([text], home_currency=None) == DocumentCurrency(currency, named=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nine thousand dollars ($9,000.00)", 9000), ("neun Tausend Euro (EUR 9.000)", 9000),
        ("Discount ($9,000.00)", -9000), ("(9,000.00)", -9000),
    ],
)  # fmt: skip
def test_brackets_behind_an_amount_in_words_make_it_no_less(text: str, value: int) -> None:
    [figure] = find_figures(text, "," if "9.000" in text else ".")
    assert figure.value == value


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("SARL au capital de 40 000 €", 0), ("Capital social: 10.000,00 EUR", 0),
        ("Stammkapital EUR 25.000", 0), ("Working capital of 500 EUR", 1), ("Capital city tour 500 EUR", 1),
        ("Der Mieter leistet eine Kaution in Höhe von 14.676,00 €", 0), ("Kaucja wynosi 9 564,48 zł", 0),
        ("внася депозит в размер на 1 720,00 евро", 0), ("Kaution 500,00 €", 1),
    ],
)  # fmt: skip
def test_the_capital_of_a_company_and_the_deposit_of_a_contract_are_no_prices(text: str, count: int) -> None:
    assert len(find_figures(text, None)) == count


@pytest.mark.parametrize(
    ("header", "code"),
    [("Amount (₦)", "NGN"), ("@ KShs", "KES"), ("Cena [zł]", "PLN"), ("Amount ₩", "KRW"), ("Kshama", None)],
)
def test_a_sign_in_a_header_names_the_currency(header: str, code: str | None) -> None:
    assert find_document_currency([header, "Seats 5 10.00 50.00"], home_currency=None).code == code


@pytest.mark.parametrize(
    ("text", "measured"),
    [
        ("WLAN 802.11ax", True), ("63CBM", True), ("63 CBM", False), ("350,00kz", False), ("900Ft", False),
        ("12a", False), ("63", False),
    ],
)  # fmt: skip
def test_letters_of_no_currency_glued_to_a_figure_make_it_no_money(text: str, measured: bool) -> None:
    [figure] = find_figures(text, ".")
    assert figure.may_be_money is not measured


@pytest.mark.parametrize(
    ("said", "code"),
    [("المبالغ بالدرهم المغربي", "MAD"), ("بالدرهم الإماراتي", "AED"), ("480.000 ريال عماني", "OMR")],
)
def test_a_coin_is_that_of_the_country_it_names(said: str, code: str) -> None:
    assert find_document_currency([said, "850.00"], home_currency=None).code == code


def test_brackets_within_a_sentence_are_no_minus() -> None:
    said = "The price of the work is agreed plus 10 % tax (4.800,00 €), in total 52.800,00 €."
    assert [one.value for one in find_figures(said, ",") if one.currency] == [4800, 52800]
    assert [one.value for one in find_figures("Less deposit (500.00)", ".")] == [-500]


def test_an_amount_follows_a_word_without_a_space_where_a_script_sets_none() -> None:
    figures = find_figures("合计570,000元，预付30%，2025年5月20日", ".")
    assert [(one.value, one.currency) for one in figures if one.currency] == [(570000, "CNY")]
    assert all(one.value != 5 for one in figures)


def test_brackets_before_further_words_are_no_minus() -> None:
    assert [one.value for one in find_figures("(894,24 zł), in total 4 782,24 zł", ",")] == [
        Decimal("894.24"),
        Decimal("4782.24"),
    ]


def test_a_dash_behind_a_gap_is_no_minus() -> None:
    [count, price] = find_figures("Ceiling fan    - 45 Nos  @ Rs.2,850", ".")
    assert (count.value, price.value) == (45, 2850)


@pytest.mark.parametrize(
    ("text", "currency", "shown"),
    [
        ("5.890 lei", "RON", "5.890 lei"),
        ("85.000 Ft", "HUF", "85.000 Ft"),
        ("1,250 ft of pipe", None, "1,250"),
    ],
)
def test_a_word_behind_money_is_its_currency(text: str, currency: str | None, shown: str) -> None:
    [figure] = find_figures(text, None)
    assert (figure.currency, text[figure.start : figure.end]) == (currency, shown)
