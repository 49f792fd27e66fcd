"""Dates of cells in every form: all readings, and nothing guessed."""

from datetime import date, timedelta

import pytest
from babel.dates import format_date
from hypothesis import given, settings
from hypothesis import strategies as st

from app.service.values.cldr import cut_weekday
from app.service.values.dates import NotADate, from_serial, read_date

DAY = date(2024, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2024-03-05",
            "2024-3-5",
            "2024/03/05",
            "2024.03.05",
            "2024. 3. 5.",
            "20240305",
            "79759694",
            "2024-W10-2",
            "45356",
        ),
        *(
            "05.03.2024",
            "5.3.2024",
            "05.03.24",
            "5. 3. 2024",
            "2024年3月5日",
            "2024년 3월 5일",
            "5 tháng 3 năm 2024",
        ),
        *(
            "5 Mar 2024",
            "5-Mar-24",
            "05-MAR-2024",
            "5Mar2024",
            "Mar 5, 2024",
            "March 5th, 2024",
            "5th of March 2024",
        ),
        *(
            "5. März 2024",
            "5 Maerz 2024",
            "5 mars 2024",
            "le 5 mars 2024",
            "5 de marzo de 2024",
            "5 maart 2024",
        ),
        *(
            "5. maaliskuuta 2024",
            "5 maaliskuu 2024",
            "2024. március 5.",
            "5 марта 2024 г.",
            "5 березня 2024 р.",
        ),
        *(
            "5 Mart 2024",
            "5 มีนาคม 2567",
            "5 มี.ค. 2567",
            "٥ مارس ٢٠٢٤",
            "5 במרץ 2024",
            "令和6年3月5日",
            "R6.3.5",
            "民國113年3月5日",
            "2567-03-05",
            "2567/3/5",
            "113年3月5日",
            "113/03/05",
            "113.3.5",
        ),
        *(
            "2024-03-05T10:00:00Z",
            "2024-03-05 10:00:00.123+01:00",
            "05.03.2024 14:30",
            "5/Mar/2024 10:11:12 CET",
        ),
        *(
            "Tue, 5 Mar 2024",
            "Dienstag, 5. März 2024",
            "2024-03-05 (Tue)",
            "Tue 05/03/2024",
            "5 Mar 2024, 2:30 PM",
        ),
    ],
)
def test_a_date_that_says_its_parts_has_one_reading(text: str) -> None:
    assert read_date(text).value(None) == DAY


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("5 marraskuu 2024", (2024, 11, 5)),
        ("5 Dez 2024", (2024, 12, 5)),
        ("5 Out 2024", (2024, 10, 5)),
        ("5 Sept. 2024", (2024, 9, 5)),
        ("5 listopadu 2024", (2024, 11, 5)),
        ("99-12-31", (1999, 12, 31)),
        ("31/12/99", (1999, 12, 31)),
    ],
)
def test_months_are_read_by_their_names_in_fifty_languages(text: str, day: tuple[int, int, int]) -> None:
    assert read_date(text).value(None) == date(*day)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "5 Marketing 2024", "5 listopad 2024", "5 6 Mar 2024", "5 March", "2024-03-05 foo"),
        *("2024", "2024-03", "03/2024", "March 2024", "Mar-24", "Q1 2024", "FY24", "2024-W10"),
        *(
            "31.02.2024",
            "29.02.2023",
            "13/13/2024",
            "2024-00-10",
            "099/03/05",
            "05/03/67",
            "Wed 05/03/2024",
            "99999",
        ),
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(NotADate):
        read_date(text)


def test_all_readings_of_a_date_are_kept() -> None:
    slashes = read_date("03/05/2024")
    assert (slashes.value("day first"), slashes.value("month first")) == (date(2024, 5, 3), DAY)
    assert slashes.value(None) is None
    assert read_date("01-02-03").all == [date(2003, 2, 1), date(2003, 1, 2), date(2001, 2, 3)]
    assert read_date("25-03-24").value(None) is None
    assert not read_date("05/05/2024").is_ambiguous


def test_serial_numbers_count_from_1900_or_1904() -> None:
    assert from_serial(45356) == from_serial(45356.75) == DAY
    assert from_serial(45356 - 1462, date1904=True) == DAY
    with pytest.raises(NotADate):
        from_serial(12)


_LOCALE_NAMES = (
    "en en_GB en_CA de de_AT fr it es pt nl sv nb da fi is cs sk hu ro bg sl et lt el tr ru he ar_EG hi"
    " bn vi id ja zh"
    " ca af sr sr_Latn sq th"
)
_LOCALES = _LOCALE_NAMES.split()


@pytest.mark.campaign
@given(
    st.dates(date(2000, 1, 1), date(2049, 12, 31)),
    st.sampled_from(_LOCALES),
    st.sampled_from(("short", "medium", "long", "full")),
)
@settings(max_examples=150)
def test_a_date_as_a_locale_writes_it_is_among_the_readings(day: date, locale: str, width: str) -> None:
    assert day in read_date(format_date(day, width, locale=locale)).all  # type: ignore[arg-type]


@given(st.dates(date(1971, 1, 1), date(2099, 12, 31)))
@settings(max_examples=50)
def test_a_serial_number_comes_back(day: date) -> None:
    assert from_serial((day - date(1899, 12, 30)) / timedelta(days=1)) == day


@pytest.mark.parametrize(
    ("text", "rest"),
    [("due on friday, ", "due on "), ("valid until mon", "valid until "), ("am donnerstag", "am "),
     ("termin do sroda", "termin do "), ("segunda-feira, ", ""), ("due on", "due on"), ("per", "per")],
)  # fmt: skip
def test_a_weekday_at_the_end_of_words_is_cut(text: str, rest: str) -> None:
    assert cut_weekday(text) == rest


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Надходження товарів 00000341 від 05.02.2025", date(2025, 2, 5)),
        ("PO 4512 of 2025-02-05 10:00", date(2025, 2, 5)),
        ("as of 2025-02-05", None),
        ("4512 until 2025-02-05", None),
        ("PO 4512 of 2025", None),
    ],
)
def test_the_number_of_a_document_may_stand_before_its_day(text: str, day: date | None) -> None:
    if day is not None:
        assert read_date(text).all == [day]
    else:
        with pytest.raises(NotADate):
            read_date(text)
