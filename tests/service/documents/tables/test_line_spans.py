"""Lines say in many ways for which part of the term they are; where none says it, the sums may prove it."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.reading import read_document
from app.service.documents.tables.line_parts import remove_part

YEARS = ((150, "182,700.00"), (200, "243,600.00"), (250, "304,500.00"))
PARTS = [(0, 12), (12, 12), (24, 12)]


def read(
    lines: list[str], *, heading: str = "Item", total: str = "730,800.00", months: int = 36
) -> Sequence[LineItem]:
    text = (
        f"Acme Software Ltd\nOrder Form O-1\nDate: 2026-12-14\n\n"
        f"{heading}\tUsers\tPrice per user per year\tTotal\n"
        + "\n".join(lines)
        + f"\nTotal (USD)\t\t\t{total}\n\nSubscription term: {months} months\n"
    )
    return read_document(text.encode(), "quote.tsv").line_items


def read_parts(name: str, **others: Any) -> list[tuple[int | None, int | None]]:
    """The parts of the term of three lines with these names for each year, the number of which is `{y}`."""
    lines = [
        f"{name.format(y=at + 1, c=2027 + at, a=12 * at + 1, z=12 * at + 12)}\t{users}\t1,218.00\t{amount}"
        for at, (users, amount) in enumerate(YEARS)
    ]
    return [(one.first_month, one.span_months) for one in read(lines, **others)]


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("Analytics - Year {y}", "Item"),
        ("Analytics\tYear {y}", "Item\tPeriod"),
        ("Year {y}\tAnalytics", "Period\tItem"),
        ("Jahr {y}\tAnalytics", "Zeitraum\tItem"),
        ("{c}\tAnalytics", "Period\tItem"),
        ("Analytics 01/01/{c}-12/31/{c}", "Item"),
        ("Analytics, 1 January {c} to 31 December {c}", "Item"),
        ("Analytics\t{c}-01-01\t{c}-12-31", "Item\tStart\tEnd"),
        ("Analytics, months {a}-{z}", "Item"),
        ("Analytics, Monat {a} bis {z}", "Item"),
        ("Analytics\tMonths {a} – {z}", "Item\tPeriod"),
    ],
)
def test_the_words_beside_a_line_say_its_part_of_the_term(name: str, heading: str) -> None:
    assert read_parts(name, heading=heading) == PARTS


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("Analytics", "Item"),
        ("Analytics\tSite {y}", "Item\tPlace"),
        ("{y}\tAnalytics", "Pos\tItem"),
        ("Analytics M{a}-{z}", "Item"),
        ("Analytics\t2027-01-1{y}\t2027-02-2{y}", "Item\tOrdered\tDelivery"),
        ("Analytics, 1 January 2027 to 31 December 2029", "Item"),  # all of the term
    ],
)
def test_what_else_stands_beside_a_line_is_no_part_of_the_term(name: str, heading: str) -> None:
    assert set(read_parts(name, heading=heading)) == {(None, None)}


def test_a_first_part_and_the_year_after_it_are_read() -> None:
    lines = [
        "Analytics 1 July 2027 - 31 December 2027\t100\t1,200.00\t60,000.00",
        "Analytics 1 January 2028 - 31 December 2028\t100\t1,200.00\t120,000.00",
    ]
    read_lines = read(lines, total="180,000.00", months=18)
    assert [(one.first_month, one.span_months) for one in read_lines] == [(0, 6), (6, 12)]


def test_lines_may_run_for_longer_than_the_document_says() -> None:
    lines = [
        "Analytics 1 January 2027 - 31 December 2027\t100\t1,200.00\t120,000.00",
        "Analytics 1 January 2028 - 31 December 2028\t100\t1,200.00\t120,000.00",
    ]
    read_lines = read(lines, total="240,000.00", months=12)
    assert [(one.first_month, one.span_months) for one in read_lines] == [(0, 12), (12, 12)]


@pytest.mark.parametrize(
    "words",
    [
        "Analytics Pro, year 2",
        "Analytics Pro, months 13-24",
        "Analytics Pro (1 January 2028 - 31 December 2028)",
        "Analytics Pro 01/01/2028-12/31/2028",
    ],
)
def test_the_words_of_the_part_name_no_product(words: str) -> None:
    assert remove_part(words).strip(" ,)") == "Analytics Pro"
