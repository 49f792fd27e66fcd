"""Words that name a shorter period than the term, beside amounts that are counted once."""

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document

SUM = "Total (USD),,,250.00\n"


def read(lines: str, sums: str = SUM, term: str = "Subscription term: 36 months\n") -> Extraction:
    text = f"Acme Software Ltd\nQuote Q-1\nDate: 2026-03-14\n\n{lines}{sums}{term}"
    return read_document(text.encode(), "quote.csv")


def lines(header: str, *, note: str = "", title: str = "") -> str:
    rows = f"Editor seats{note},10,20.00,200.00\nViewer seats{note},5,10.00,50.00\n"
    return f"{title}{header}\n{rows}"


PLAIN = "Item,Users,Price,Total"


@pytest.mark.parametrize(
    ("text", "sums", "named", "period"),
    [
        (lines(PLAIN), "Total per year (USD),,,250.00\n", "Total per year (USD)", "one year"),
        (lines(PLAIN, title="Annual fees\n"), SUM, "Annual fees", "one year"),
        (lines(PLAIN, note=" (per month)"), SUM, "Editor seats (per month)", "one month"),
        (lines(PLAIN, note=" (czynsz miesięczny)"), SUM, "Editor seats (czynsz miesięczny)", "one month"),
        (lines(PLAIN, note=" (yıllık)"), SUM, "Editor seats (yıllık)", "one year"),
        ("Item,Users,Price,Frequency,Total\nEditor seats,10,20.00,Annual,200.00\n"
         "Viewer seats,5,10.00,Annual,50.00\n", "Total (USD),,,,250.00\n", "Annual", "one year"),
    ],
)  # fmt: skip
def test_a_period_that_only_words_name_is_said(text: str, sums: str, named: str, period: str) -> None:
    extraction = read(text, sums)
    assert (extraction.net_total, extraction.term_months) == (250, 36)
    assert extraction.warnings == (
        f"“{named}” may mean that the amount is for {period}; it is counted once for the whole term of"
        " 36 months.",
    )
    assert not extraction.provenance["total"].verified


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (lines(PLAIN), "Subscription term: 36 months\n"),
        (lines("Item,Users,Price,Annual amount"), "Subscription term: 36 months\n"),
        (lines("Item,Users,Price per user per year,Total"), "Subscription term: 36 months\n"),
        (lines("Item,Users,Price per user per month,Total"), "Subscription term: 36 months\n"),
    ],
)
def test_nothing_is_said_where_the_lines_tell_or_nothing_names_one(text: str, term: str) -> None:
    assert read(text, term=term).warnings == ()


@pytest.mark.parametrize(("further", "sure"), [("Total contract value    $227,808.00\n", False), ("", True)])
def test_a_total_is_not_certain_where_that_of_the_term_is_printed(further: str, sure: bool) -> None:
    text = (
        "Order Form\n\nProduct    Quantity    Price    Amount\nCore    220    $20.40    $4,488.00\n"
        f"App    460    $4.00    $1,840.00\n\nTotal    $6,328.00\n{further}"
    )
    read = read_document(text.encode(), "order.txt")
    assert read.total in (6328, 227808)
    assert read.provenance["total"].verified == sure
