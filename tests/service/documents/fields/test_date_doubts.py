"""A date whose day and month could be exchanged is told with both readings, and with what decides."""

from datetime import date

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

CANADA = "Acme Software Inc., 1 King Street, Toronto, ON M5H 1A1, Canada"
BRITAIN = "Acme Software Ltd, 1 King Street, London SW1A 1AA, United Kingdom"
STATES = "Acme Software Inc., Springfield, IL 62704, USA"


def read(address: str, day: str, until: str, currency: str = "CAD") -> Extraction:
    rows = [
        [address],
        ["Quote Q-1"],
        [f"Quote date: {day}"],
        [f"Valid until: {until}"],
        [f"Currency: {currency}"],
        [],
        ["Description", "Quantity", "Unit price", "Amount"],
        ["Server licence", 2, 100, 200],
        ["Support", 1, 50, 50],
        ["Total", "", "", 250],
    ]
    return read_document(pdf_builder.xlsx(rows), "quote.xlsx")


def said(extraction: Extraction) -> list[str]:
    return [warning for warning in extraction.warnings if "is read as" in warning]


@pytest.mark.parametrize("address", [CANADA, "Acme Software"])
def test_where_nothing_tells_both_readings_are_said_and_the_day_is_doubtful(address: str) -> None:
    extraction = read(address, "04/03/2026", "2026-06-30")
    assert said(extraction) == [
        '"04/03/2026" is read as 4 March 2026, but it may also be 3 April 2026:'
        " nothing in the document says whether the day comes first."
    ]
    place = extraction.provenance["document_date"]
    assert (place.confidence <= 0.5, place.verified, place.second) == (True, False, "2026-04-03")


def test_two_such_days_are_told_in_one_sentence() -> None:
    [sentence] = said(read(CANADA, "04/03/2026", "05-04-2026"))
    assert "3 April 2026, and " in sentence
    assert '"05-04-2026" is read as 5 April 2026, but it may also be 4 May 2026' in sentence


@pytest.mark.parametrize(
    ("address", "until", "day"),
    [
        (CANADA, "25/04/2026", date(2026, 3, 4)),
        (CANADA, "04/25/2026", date(2026, 4, 3)),
        (BRITAIN, "2026-06-30", date(2026, 3, 4)),
        (STATES, "2026-06-30", date(2026, 4, 3)),
    ],
)
def test_another_date_or_the_country_decides_whatever_the_currency(
    address: str, until: str, day: date
) -> None:
    extraction = read(address, "04/03/2026", until)
    assert (extraction.document_date, said(extraction)) == (day, [])


@pytest.mark.parametrize(
    ("address", "day", "currency"),
    [
        (BRITAIN, "04/03/2026", "GBP"),
        ("Acme Software", "04/03/2026", "INR"),
        (STATES, "04/03/2026", "USD"),
        (CANADA, "04.03.2026", "CAD"),
        (CANADA, "04/04/2026", "CAD"),
        (CANADA, "March 4, 2026 (04/03/2026)", "CAD"),
    ],
)
def test_a_day_beyond_doubt_needs_no_sentence(address: str, day: str, currency: str) -> None:
    assert said(read(address, day, "2026-06-30", currency)) == []
