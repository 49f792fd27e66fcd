"""A term that no deal has, or that dates, lines or another sentence contradict, is doubted; the same without
the contradiction is not."""

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document

WHOLE = "Desk Team\t80\t216.00\t17,280.00"


def read(*lines: str, below: str, title: str = "Quotation") -> Extraction:
    head = f"{title} 7 from Brunel Systems\nDate: 2025-12-10\n\nDescription\tQuantity\tUnit price\tAmount"
    total = f"Net total\t\t\t{17280 * len(lines):,}.00"
    return read_document("\n".join([head, *lines, total, "", below]).encode(), "quote.tsv")


def for_year(year: int) -> str:
    return f"Desk Team {year}-01-01 to {year}-12-31\t80\t216.00\t17,280.00"


def for_months(first: int, last: int) -> str:
    return f"Desk Team months {first} to {last}\t80\t216.00\t17,280.00"


@pytest.mark.parametrize(
    ("lines", "below", "months", "is_doubted"),
    [
        ([WHOLE], "Term: 12 months", 12, False),
        ([WHOLE], "Term: 1,200 months", 1200, False),
        ([WHOLE], "Term: 0 months", None, True),
        ([WHOLE], "Term (months): 0", None, True),
        ([WHOLE], "Term (years): 150", None, True),
        ([WHOLE], "Term: 12 months\nContract term: 36 months", 12, True),
        ([WHOLE], "Term: 12 months\nStart date: 2026-01-01\nEnd date: 2026-12-31", 12, False),
        ([WHOLE], "Term: 12 months\nStart date: 2026-01-01\nEnd date: 2027-01-01", 12, False),
        ([WHOLE], "Term: 12 months\nStart date: 2026-01-01\nEnd date: 2027-12-31", 12, True),
        ([WHOLE], "Term: 12 months\nStart date: 2026-01-01\nEnd date: 2025-01-01", 12, True),
        ([WHOLE], "Start date: 2026-01-01\nEnd date: 2027-12-31", 24, False),
        ([for_year(2026), for_year(2027)], "Term: 24 months\nStart date: 2026-01-01", 24, False),
        ([for_year(2025), for_year(2026)], "Term: 24 months\nStart date: 2026-01-01", 24, True),
        ([for_year(2025)], "Term: 12 months\nStart date: 2026-01-01", 12, True),
        ([for_year(2025), for_year(2026)], "Term: 24 months", 24, False),
    ],
)
def test_a_term_is_doubted_where_something_contradicts_it(
    lines: list[str], below: str, months: int | None, is_doubted: bool
) -> None:
    found = read(*lines, below=below)
    assert (found.term_months, bool(found.term_doubts)) == (months, is_doubted), found.term_doubts
    assert set(found.term_doubts) <= set(found.to_json()["warnings"])  # type: ignore[arg-type]


def test_the_dates_of_a_bill_are_those_of_what_is_billed() -> None:
    below = "Term: 36 months\nService period start: 2026-01-01\nService period end: 2026-12-31"
    assert not read(WHOLE, below=below, title="Invoice").term_doubts


@pytest.mark.parametrize(
    ("lines", "below", "parts"),
    [
        ([for_year(2027), for_year(2028)], "Start date: 2026-01-01", [(12, 12), (24, 12)]),
        ([for_year(2026), for_year(2027)], "Start date: 2026-01-01", [(0, 12), (12, 12)]),
        ([for_months(1, 6), for_months(7, 18)], "Term: 12 months", [(0, 6), (6, 12)]),
    ],
)
def test_lines_stand_where_their_own_words_place_them(
    lines: list[str], below: str, parts: list[tuple[int, int]]
) -> None:
    assert [(one.first_month, one.span_months) for one in read(*lines, below=below).line_items] == parts
