"""Lines that are priced by year say which year of the term they are for; other lines say nothing of it."""

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page

BANDS = """
Quote Q-7

Item               Qty    Price per year     Amount

Year 1
Seats               10          100.00     1,000.00
Support              1          300.00       300.00
Year 2
Seats               20          100.00     2,000.00
Support              1          300.00       300.00

Total                                      3,600.00
"""
COLUMNS = """
Quote Q-7

Item                     2026          2027          2028

Platform fee           1,000.00      1,100.00      1,210.00
Support fee              500.00        550.00        605.00

Total                                              4,965.00
"""
NAMES = """
Quote Q-7

Item                  Qty      Price       Amount

Platform, year 1       10     100.00     1,000.00
Platform, year 2       12     100.00     1,200.00
Set-up                  1     250.00       250.00

Total                                    2,450.00
"""


def _read_years(text: str) -> list[tuple[int | None, int | None]]:
    """The first month and the period of each line, in the order of the page."""
    items = read_pages([type_page(text)], "quote.pdf").line_items
    return [(item.first_month, item.period_months) for item in items]


def test_headings_say_the_year_of_the_lines_below() -> None:
    assert _read_years(BANDS) == [(0, 12), (0, 12), (12, 12), (12, 12)]


@pytest.mark.parametrize("word", ["Jahr {}", "Vertragsjahr {}", "{}. Jahr", "Ano {}", "År {}"])
def test_headings_are_read_in_other_languages(word: str) -> None:
    text = BANDS.replace("Year 1", word.format(1)).replace("Year 2", word.format(2))
    assert [first for first, _ in _read_years(text)] == [0, 0, 12, 12]


def test_columns_of_years_say_the_year_of_their_amounts() -> None:
    assert sorted(_read_years(COLUMNS)) == [(0, 12), (0, 12), (12, 12), (12, 12), (24, 12), (24, 12)]


def test_the_words_of_a_line_say_its_year() -> None:
    assert _read_years(NAMES) == [(0, 12), (12, 12), (None, None)]


@pytest.mark.parametrize("heading", ["Site {}", "Option {}", "Phase {}"])
def test_what_else_is_counted_is_no_year(heading: str) -> None:
    text = BANDS.replace("Year 1", heading.format(1)).replace("Year 2", heading.format(2))
    assert {first for first, _ in _read_years(text)} == {None}


def test_the_term_says_that_counted_headings_are_years() -> None:
    text = BANDS.replace("Year 1", "Exercice 1").replace("Year 2", "Exercice 2")
    stated = f"{text}\nThe term of this agreement is 24 months.\n"
    assert [first for first, _ in _read_years(stated)] == [0, 0, 12, 12]


def test_lengths_to_choose_from_are_no_years() -> None:
    text = NAMES.replace("Platform, year 1", "Platform, 1 year ").replace(
        "Platform, year 2", "Platform, 2 years"
    )
    assert {first for first, _ in _read_years(text)} == {None}


def test_years_that_cost_the_same_keep_their_words() -> None:
    text = """
    Quote Q-7

    Item                  Qty      Price       Amount

    Platform, year 1       10      10.00     1,200.00
    Platform, year 2       10      10.00     1,200.00

    Total                                    2,400.00
    """
    items = read_pages([type_page(text)], "quote.pdf").line_items
    assert [item.description for item in items] == ["Platform, year 1", "Platform, year 2"]
