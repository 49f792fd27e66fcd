"""Amounts of a document for its whole term."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.reading import read_document
from app.service.scopes.whole_term import compute_whole_term
from tests.service.scopes.conftest import build_line


@pytest.mark.parametrize(
    ("months", "periods", "term", "factors"),
    [
        (36, [12], 36, [3]),
        (12, [1], 12, [12]),
        (36, [12, 12], 36, [1, 1]),  # the same product for each year of a ramp
        (12, [7], 12, [1]),  # the rest of a term
        (None, [1], 1, [1]),
        (None, [None], 12, [1]),
    ],
)
def test_amounts_are_those_of_the_whole_term(
    months: int | None, periods: list[int | None], term: int, factors: list[int]
) -> None:
    lines = tuple(build_line("Analytics", period_months=period) for period in periods)
    document = Extraction(file="q", term_months=months, line_items=lines, net_total=Decimal(100 * len(lines)))
    whole = compute_whole_term(document, [True] * len(lines))
    assert (whole.months, list(whole.factors)) == (term, factors)
    assert whole.net_total(document) == sum(100 * factor for factor in factors)


@pytest.mark.parametrize(
    ("months", "periods", "term", "factors"),
    [
        (36, [(0, 12), (12, 12), (24, 12)], 36, [1, 1, 1]),
        (None, [(0, 12), (12, 12)], 24, [1, 1]),
        (24, [(0, 1), (12, 1)], 24, [12, 12]),  # by the month, in each year
        (24, [(0, 12), (12, 12), (None, 12)], 24, [1, 1, 2]),  # beside a line for every year
        (24, [(0, None), (12, 12)], 24, [1, 1]),
    ],
)
def test_a_line_for_one_year_counts_for_that_year(
    months: int | None, periods: list[tuple[int | None, int | None]], term: int, factors: list[int]
) -> None:
    lines = tuple(
        build_line("Analytics", first_month=first, period_months=period) for first, period in periods
    )
    document = Extraction(file="q", term_months=months, line_items=lines)
    whole = compute_whole_term(document, [period is not None for _, period in periods])
    assert (whole.months, list(whole.factors)) == (term, factors)


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
