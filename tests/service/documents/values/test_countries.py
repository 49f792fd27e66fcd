"""What tells of a country in any language."""

import pytest

from app.service.documents.values.countries import find_countries


@pytest.mark.parametrize(
    ("text", "currencies"),
    [
        ("Tel. +263 242 480 112", ["USD"]), ("+64 9 555 0177", ["NZD"]), ("+5 mm, +49 5", []),
        ("orders@example.com.au", ["AUD"]), ("www.example.co.uk", ["GBP"]), ("www.example.io", []),
        ("IBAN PL61 1090 1014 0000 0712 1981 2874", ["PLN"]),
        ("Rivera 2210, Montevideo", ["UYU"]), ("Kingston 5, Jamaica", ["JMD"]), ("Αθήνα, Ελλάδα", []),
        ("Atlanta, Georgia", []), ("we ship to Fiji and Samoa on request", []),
    ],
)  # fmt: skip
def test_calling_codes_domains_accounts_and_addresses_tell_of_countries(
    text: str, currencies: list[str]
) -> None:
    assert find_countries(text) == set(currencies)
