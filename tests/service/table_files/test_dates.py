from datetime import date

import pytest

from app.service.table_files.dates import NotADate, find_slash_order, read_date


@pytest.mark.parametrize(
    "text",
    ["2024-03-05", "2024-03-05T10:00:00Z", "2024/03/05", "20240305", "05.03.2024", "5.3.2024", "05-Mar-2024"],
)
def test_an_unambiguous_date_is_read_in_any_order(text: str) -> None:
    assert read_date(text, "month first") == read_date(text, "day first") == date(2024, 3, 5)


def test_slashes_follow_the_order_of_the_file() -> None:
    assert read_date("03/05/2024", "month first") == date(2024, 3, 5)
    assert read_date("03/05/2024", "day first") == date(2024, 5, 3)


def test_the_order_is_found_in_days_after_the_twelfth() -> None:
    assert find_slash_order(["03/05/2024", "25/05/2024"]) == "day first"
    assert find_slash_order(["03/05/2024", "05/25/2024"]) == "month first"
    assert find_slash_order(["03/05/2024"]) is None
    assert find_slash_order(["25/05/2024", "05/25/2024"]) is None


def test_a_date_that_may_be_two_days_is_none() -> None:
    with pytest.raises(NotADate, match="is 3 May 2024 or 5 March 2024, and no date of the file shows which"):
        read_date("03/05/2024", None)
    assert read_date("05/05/2024", None) == date(2024, 5, 5)
    assert read_date("25/05/2024", None) == date(2024, 5, 25)
    assert read_date("05/25/2024", None) == date(2024, 5, 25)


@pytest.mark.parametrize("text", ["2023-02-29", "31.04.2024", "13/13/2024", "2024-00-10", "00.01.2024"])
def test_a_date_that_the_calendar_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(NotADate, match="calendar"):
        read_date(text, None)


@pytest.mark.parametrize("text", ["", "soon", "2024", "5 March", "0001-01-01", "99999-01-01"])
def test_a_text_that_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(NotADate):
        read_date(text, None)
