"""Where a document comes from."""

import pytest

from app.service.documents.values.locale import find_home_currency, writes_month_first


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("1 Main Street, Austin, TX 78701", "USD"),
        ("London EC1A 1BB, United Kingdom", "GBP"),
        ("Beispiel GmbH, 10115 Berlin, Deutschland", "EUR"),
        ("Level 3, Sydney NSW 2000, Australia", "AUD"),
        ("CHE-123.456.789 MWST, Schweiz", "CHF"),
        ("Contoh Sdn Bhd", "MYR"),
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
