"""Where a document comes from."""

import pytest

from app.service.documents.values.locale import (
    find_crowns,
    find_dollar,
    find_home_currency,
    is_home_beyond_doubt,
    writes_month_first,
)


@pytest.mark.parametrize("text", ["Reno, NV\n775-555-0100", "PENSACOLA FL 32508", "Bend OR 97701"])
def test_a_town_with_its_state_is_in_the_united_states(text: str) -> None:
    assert find_home_currency(text) == "USD"
    assert find_home_currency("Köln, DE\nPune, IN\nHamilton, CA") is None


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("1 Main Street, Austin, TX 78701", "USD"),
        ("London EC1A 1BB, United Kingdom", "GBP"),
        ("Beispiel GmbH, 10115 Berlin, Deutschland", "EUR"),
        ("Level 3, Sydney NSW 2000, Australia", "AUD"),
        ("CHE-123.456.789 MWST, Schweiz", "CHF"),
        ("Contoh Sdn Bhd", "MYR"),
        ("Eksempel ApS, CVR 12345678", "DKK"),
        ("Exempel AB, Org.nr 556677-8899, Plusgiro 12 34 56-7", "SEK"),
        ("Eksempel AS, NO 123 456 789 MVA", "NOK"),
        ("Dæmi ehf., Reykjavík, Ísland", "ISK"),
        ("Stoke-on-Trent ST1 5NH", "GBP"),
        ("RUT 76.123.456-7", "CLP"),
        ("NIT 900.123.456-7", "COP"),
        ("統一編號：12345678", "TWD"),
        ("合计人民币（大写）", "CNY"),
        ("RUC 20512345678", "PEN"),
        ("RUC: J0310000221188", "NIO"),
        ("RUC 155612873-2-2016 DV 44", "PAB"),
        ("RUC: 80012345-6", "PYG"),
        ("RUC: 1790012345001", "USD"),
        ("RUC 12", None),
        ("SOTRADIS SARL", None),
        ("Gimli, MB\nPST 7%", "CAD"),
        ("CUI 4485391, Cluj-Napoca", "RON"),
        ("mun. Chișinău, IDNO 1014600023817", "MDL"),
        ("Tarifas en moneda nacional", "MXN"),
        ("TIN: 118-820-441-000", "PHP"),
        ("Shuwaikh Industrial, Kuwait", "KWD"),
        ("Seria EAB, налоговая накладная", "MDL"),
        ("Burnaby, V6P 1A1", "CAD"),
        ("Hove BN3 1AA", "GBP"),
        ("Total 1'250.00", "CHF"),
        ("Warwick, Rhode Island", None),
        ("Bushveld (Pty) Ltd", "ZAR"),
        ("Himal Pvt. Ltd., Sagarmatha Pvt. Ltd., one lakh, Kathmandu", "NPR"),
        ("Example Pvt. Ltd.", "INR"),
        ("ΑΦΜ 998118820", "EUR"),
        ("Thank you", None),
    ],
)
def test_addresses_tax_numbers_and_legal_forms_tell_the_currency(text: str, currency: str | None) -> None:
    assert find_home_currency(text) == currency


def test_only_the_united_states_write_the_month_first() -> None:
    assert writes_month_first("USD", "USD", "en")
    assert writes_month_first(None, "USD", None)
    assert not writes_month_first("CAD", "USD", "en")
    assert not writes_month_first("USD", "USD", "fr")
    assert not writes_month_first(None, "EUR", "en")


@pytest.mark.parametrize(
    ("text", "language", "crowns"),
    [
        ("25 % moms", "da", ("DKK",)),
        ("25 % moms", "sv", ("SEK",)),
        ("25 % mva", "nb", ("NOK",)),
        ("DK-12 34 56 78", "en", ("DKK",)),
        ("IBAN SE45 5000 0000 0583 9825 7466", "en", ("SEK",)),
        ("IBAN NO93 8601 1117 947", None, ("NOK",)),
        ("Phone +354 555 1234", "en", ("ISK",)),
        ("CVR 12345678, deliver to: Malmö, Sverige", "da", ("DKK", "SEK")),
        ("Total", "en", ()),
    ],
)
def test_what_kr_stands_for_is_told_by_language_numbers_and_places(
    text: str, language: str | None, crowns: tuple[str, ...]
) -> None:
    assert find_crowns(text, [language] if language else []) == crowns


@pytest.mark.parametrize(
    ("text", "currency", "language", "sure"),
    [
        ("Alma, NE 68920\nBeatrice, NE 68310", "USD", "en", True),
        ("Alma, NE 68920\nAlma, NE 68920\nBurnaby, BC V6P 1A1", "USD", "en", False),  # one town and another
        ("Alma, NE 68920\nToronto, ON M5V 2T6", "USD", "en", False),
        ("서울 강남구", "KRW", "ko", True),
        ("견적서", "KRW", "ko", True),  # the language alone
        ("報價單", "CNY", "zh", False),  # which is that of several countries
        ("Beispiel GmbH\n10115 Berlin", "EUR", "de", True),
        ("Beispiel GmbH\n8001 Zürich", "EUR", "de", False),
        ("GSTIN 27AAAAA0000A1Z5\nExample Pvt Ltd", "INR", "en", True),
        ("GST 123456789 RT0001", "CAD", "en", True),
        ("RT0001,Resin,9.40", "CAD", "en", False),  # the code of an article
        ("Beispiel GmbH\nUSt. 19 %", "EUR", "de", True),
        ("", None, None, False),
    ],
)
def test_what_weighs_more_than_all_that_tells_of_another_country_puts_it_beyond_doubt(
    text: str, currency: str | None, language: str | None, sure: bool
) -> None:
    assert is_home_beyond_doubt(text, currency, language) is sure


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("March 12, 2025, plus sales tax", "en", ("USD", True)),
        ("March 12, 2025", "en", ("USD", False)),
        ("Example Inc., 03/18/2025, plus VAT", "en", ("USD", False)),
        ("12 March 2025, plus sales tax", "en", ("USD", False)),
        ("sales@example.co.nz", "en", ("NZD", True)),
        ("Rivera 2210, Montevideo - Tel. 2403 1188", "es", ("UYU", True)),
        ("Akron, OH 44306\nThunder Bay, ON P7E 5R5", "en", ("USD", False)),
        ("CUIT 30-71188204-4", "es", ("ARS", True)),
        ("CUIT 30-71188204-4", "en", ("ARS", False)),  # or that of the United States
        ("Phone +90 212 555 0199", "en", ("USD", True)),  # whose own sign is another
        ("Example Sdn Bhd\nGST 6 %", "en", ("USD", False)),  # or that of who charges this tax
    ],
)
def test_a_plain_dollar_is_that_of_the_country_that_alone_is_told(
    text: str, language: str, found: tuple[str, bool]
) -> None:
    assert find_dollar(text, language) == found
