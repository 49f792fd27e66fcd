"""Signs and numbers of a page that can be read in two ways stay doubtful, and a warning says so."""

from decimal import Decimal

import pytest

from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

_COLUMNS = ["Description", "Qty", "Unit price", "Amount"]


def _quote(total: str, *above: str) -> bytes:
    return pdf_builder.quote(_COLUMNS, [["Platform", "1", total, total]], [("Total", total)], above=above)


def test_kr_is_the_crown_of_the_country_that_the_page_points_to() -> None:
    read = read_document(_quote("kr 1.900,00", "Eksempel ApS", "CVR 12345678", "Tilbud 7"), "quote.pdf")
    assert read.currency == "DKK"
    assert read.provenance["currency"].verified
    assert not any("kr" in warning for warning in read.warnings)


@pytest.mark.parametrize(
    ("above", "currency"),
    [
        (("Example Ltd", "QUOTE Q-7"), "SEK"),
        (("Example ApS", "CVR 12345678", "Deliver to: Malmo, Sverige", "QUOTE Q-7"), "DKK"),
    ],
)
def test_kr_that_may_be_of_several_countries_is_doubtful_and_said(
    above: tuple[str, ...], currency: str
) -> None:
    read = read_document(_quote("kr 1,900.00", *above), "quote.pdf")
    assert read.currency == currency
    assert not read.provenance["currency"].verified
    assert any("which country's kr it means" in warning for warning in read.warnings)


@pytest.mark.parametrize(
    ("total", "above", "said"),
    [
        (
            "$990.00",
            ("Maple Data Corp", "Burnaby, British Columbia"),
            "The currency is read as USD, but the document does not say which country's $ it means.",
        ),
        (
            "990.00",
            ("Example Ltd", "London EC1A 1BB", "To: Example Ltd, Cork, Ireland"),
            "The document names no currency; GBP is assumed from the country it points to.",
        ),
        (
            "EUR 990.00",
            ("Example BV", "Price list 2026", "GBP 840.00 for the UK", "GBP 12.00 for post"),
            "The currency is read as EUR, but GBP is named too.",
        ),
        ("$990.00", ("Example Inc.", "Austin, TX 78701"), None),
        ("USD 990.00", ("Example Inc.", "QUOTE Q-7"), None),
    ],
)
def test_a_currency_that_the_page_does_not_name_is_said(
    total: str, above: tuple[str, ...], said: str | None
) -> None:
    read = read_document(_quote(total, *above), "quote.pdf")
    assert [one for one in read.warnings if "currency" in one] == ([said] if said else [])
    assert read.provenance["currency"].verified == (said is None)


def test_a_number_that_can_be_read_in_two_ways_is_doubtful_and_said() -> None:
    read = read_document(_quote("EUR 214.956", "Example Ltd", "QUOTE Q-7", "This is the price"), "quote.pdf")
    assert read.total == Decimal(214956)
    assert not read.provenance["total"].verified
    assert not read.line_items[0].provenance["amount"].verified
    [warning] = [one for one in read.warnings if "three decimals" in one]
    assert warning.startswith('"214.956" is read as 214,956, but it may also be 214.956')


def test_a_number_that_other_numbers_decide_is_not_doubtful() -> None:
    read = read_document(
        pdf_builder.quote(
            _COLUMNS,
            [["Platform", "1", "EUR 214.956", "EUR 214.956"], ["Support", "1", "EUR 44", "EUR 44"]],
            [("Total", "EUR 215.000")],
            above=("Example Ltd", "QUOTE Q-7", "This is the price"),
        ),
        "quote.pdf",
    )
    assert read.total == Decimal(215000)
    assert not any("three decimals" in one for one in read.warnings)
