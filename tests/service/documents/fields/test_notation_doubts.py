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
    ("above", "currency", "others"),
    [
        (("Example Ltd", "QUOTE Q-7"), "SEK", "NOK, DKK or ISK"),
        (("Example ApS", "CVR 12345678", "Deliver to: Malmo, Sverige", "QUOTE Q-7"), "DKK", "SEK"),
    ],
)
def test_kr_that_may_be_of_several_countries_is_doubtful_and_said(
    above: tuple[str, ...], currency: str, others: str
) -> None:
    read = read_document(_quote("kr 1,900.00", *above), "quote.pdf")
    assert read.currency == currency
    assert not read.provenance["currency"].verified
    assert f"The currency is read as {currency}, but kr may also be {others}." in read.warnings


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
