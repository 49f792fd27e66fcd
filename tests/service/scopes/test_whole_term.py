"""Amounts of a document for its whole term."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from app.service.scopes.whole_term import WholeTerm, compute_whole_term
from tests.service.scopes.conftest import build_line


def compute(
    months: int | None,
    spans: list[tuple[int | None, int | None, int | None]],
    recurring: bool | None = True,
) -> tuple[WholeTerm, list[Decimal | None]]:
    """The whole term of lines of 100 each, which have these first months, months and periods, and what one
    hundredth of each of them costs for it."""
    lines = tuple(
        build_line("Analytics", first_month=first, span_months=span, period_months=period)
        for first, span, period in spans
    )
    document = Extraction(file="q", term_months=months, line_items=lines, net_total=Decimal(100 * len(lines)))
    whole = compute_whole_term(document, [recurring] * len(lines))
    costs = [whole.amount(at, Decimal(1)) for at in range(len(lines))]
    assert whole.net_total(document) == sum(100 * (one or 0) for one in costs)
    return whole, costs


@pytest.mark.parametrize(
    ("months", "periods", "term", "costs"),
    [
        (36, [12], 36, [3]),
        (12, [1], 12, [12]),
        (36, [12, 12], 36, [3, 3]),  # twice the same thing makes no year of three
        (12, [7], 12, [1]),  # the rest of a term
        (None, [1], 1, [1]),
        (None, [None], 12, [1]),
        (37, [12], 37, [Decimal(37) / 12]),
        (1, [12], 1, [1]),
        (1200, [1], 1200, [1200]),
    ],
)
def test_amounts_are_those_of_the_whole_term(
    months: int | None, periods: list[int | None], term: int, costs: list[Decimal]
) -> None:
    whole, found = compute(months, [(None, None, period) for period in periods])
    assert (whole.months, found, whole.unproved) == (term, costs, frozenset())


@pytest.mark.parametrize(
    ("months", "spans", "term", "costs"),
    [
        (36, [(0, 12, 12), (12, 12, 12), (24, 12, 12)], 36, [1, 1, 1]),
        (None, [(0, 12, 12), (12, 12, 12)], 24, [1, 1]),
        (12, [(0, 12, 12), (12, 12, 12)], 24, [1, 1]),  # the lines run longer than the document states
        (24, [(0, 12, 1), (12, 12, 1)], 24, [12, 12]),  # by the month, in each year
        (24, [(0, 12, 12), (12, 12, 12), (None, None, 12)], 24, [1, 1, 2]),  # beside a line for every year
        (18, [(0, 6, None), (6, 12, 12)], 18, [1, 1]),  # a first part, and a year
        (18, [(0, 6, 12), (6, 12, 12)], 18, [1, 1]),  # its amount is for no longer than it runs
    ],
)
def test_a_line_for_a_part_of_the_term_counts_for_that_part(
    months: int | None,
    spans: list[tuple[int | None, int | None, int | None]],
    term: int,
    costs: list[Decimal],
) -> None:
    whole, found = compute(months, spans)
    assert (whole.months, found, whole.unproved) == (term, costs, frozenset())
    assert [whole.find_part(at) for at in range(len(spans))] == [(first, span) for first, span, _ in spans]


def test_lines_that_may_follow_each_other_are_read_so_and_asked() -> None:
    whole, costs = compute(36, [(None, None, 12)] * 3)
    assert costs == [1, 1, 1]
    assert [whole.find_part(at) for at in range(3)] == [(0, 12), (12, 12), (24, 12)]
    assert whole.unproved == {0, 1, 2}
    once_a_year, _ = compute(36, [(None, None, None)] * 3, recurring=None)
    assert once_a_year.unproved == {0, 1, 2}
    paid_once, _ = compute(36, [(None, None, None)] * 2, recurring=None)
    assert not paid_once.unproved


def test_a_total_of_the_whole_term_does_not_grow() -> None:
    line = build_line("Analytics", first_month=0, span_months=12, period_months=1)
    more = build_line("Analytics", first_month=12, span_months=12, period_months=1)
    document = Extraction(file="q", term_months=24, line_items=(line, more), net_total=Decimal(2400))
    assert compute_whole_term(document, [True, True]).net_total(document) == 2400


def test_a_monthly_price_of_a_table_is_counted_for_each_month_of_the_term() -> None:
    text = (
        "Acme Software Ltd\nQuote Q-1\nDate: 2026-03-14\n\nItem,Users,Price per user per month,Total\n"
        "Editor seats,10,20.00,200.00\nViewer seats,5,10.00,50.00\nTotal (USD),,,250.00\n"
        "Subscription term: 36 months\n"
    )
    document = read_document(text.encode(), "quote.csv")
    whole = compute_whole_term(document, [True, True])
    assert [line.period_months for line in document.line_items] == [1, 1]
    assert whole.net_total(document) == 9000
    assert whole.warnings == ["Lines priced for one month are counted for the whole term of 36 months."]


@pytest.mark.parametrize(
    ("months", "least", "period", "total"),
    [
        (12, 90, None, 100),
        (12, 140, 12, 140),
        (24, 70, 12, 140),
        (24, 130, None, 130),
        (24, 10, 1, 240),
        (18, 80, 12, 120),  # half of it in the last half year
    ],
)
def test_at_least_the_minimum_is_paid(months: int, least: int, period: int | None, total: int) -> None:
    lines = (build_line("Analytics", first_month=0, span_months=months),)
    document = Extraction(
        file="q",
        term_months=months,
        line_items=lines,
        net_total=Decimal(100),
        minimum_total=Decimal(least),
        minimum_months=period,
    )
    assert compute_whole_term(document, [True]).net_total(document) == total


@pytest.mark.parametrize(
    ("recurring", "is_matched", "is_said"),
    [(True, False, True), (None, True, True), (None, False, False), (False, True, False)],
)
def test_a_term_that_prices_nothing_is_not_spoken_of(
    recurring: bool | None, *, is_matched: bool, is_said: bool
) -> None:
    document = Extraction(file="q", line_items=(build_line("Desk"),))
    whole = compute_whole_term(document, [recurring], [is_matched])
    assert any("12 months" in one for one in whole.warnings) == is_said
    assert whole.is_assumed
