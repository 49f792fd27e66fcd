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


@pytest.mark.parametrize(
    ("header", "sums", "months"),
    [
        ("Annual amount", SUM, 12),
        ("Total MRC", SUM, 1),
        ("Monatsbetrag", SUM, 1),
        ("Betrag mtl.", SUM, 1),
        ("Jahrespreis", SUM, 12),
        ("Maandbedrag", SUM, 1),
        ("Montant mensuel", SUM, 1),
        ("Årskostnad", SUM, 12),
        ("Beløb pr. måned", SUM, 1),
        ("Částka za měsíc", SUM, 1),
        ("Сумма в месяц", SUM, 1),
        ("月费", SUM, 1),
        ("Total", "Total per year (USD),,,250.00\n", 12),
        ("Total", "Monthly total (USD),,,250.00\n", 1),
        ("Total", SUM, None),
    ],
)
def test_the_header_of_the_amounts_or_the_label_of_their_sum_tells_the_period(
    header: str, sums: str, months: int | None
) -> None:
    extraction = read(lines(f"Item,Users,Price,{header}"), sums)
    assert [(one.amount, one.period_months) for one in extraction.line_items] == [(200, months), (50, months)]
    assert (extraction.total, extraction.warnings) == (250, ())


@pytest.mark.parametrize("once", ["Onboarding", "Setup (one-time)"])
def test_what_is_paid_once_is_so_below_a_header_of_months_too(once: str) -> None:
    extraction = read(lines("Item,Users,Price,Monthly amount") + f"{once},1,90.00,90.00\n", "")
    assert [one.period_months for one in extraction.line_items] == [1, 1, None]


@pytest.mark.parametrize(("further", "sure"), [("Total contract value    $227,808.00\n", False), ("", True)])
def test_a_total_is_not_certain_where_that_of_the_term_is_printed(further: str, sure: bool) -> None:
    text = (
        "Order Form\n\nProduct    Quantity    Price    Amount\nCore    220    $20.40    $4,488.00\n"
        f"App    460    $4.00    $1,840.00\n\nTotal    $6,328.00\n{further}"
    )
    read = read_document(text.encode(), "order.txt")
    assert read.total in (6328, 227808)
    assert read.provenance["total"].verified == sure
