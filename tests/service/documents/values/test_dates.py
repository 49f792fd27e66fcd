"""Dates as people print them."""

from datetime import date

import pytest

from app.service.documents.values.dates import find_dates, find_day_order


@pytest.mark.parametrize(
    ("text", "order", "value"),
    [
        ("4 March 2025", "day first", date(2025, 3, 4)),
        ("March 4, 2025", "day first", date(2025, 3, 4)),
        ("March 4 , 2025", "day first", date(2025, 3, 4)),
        ("MAR. 4,2025", "day first", date(2025, 3, 4)),
        ("03/04/2025", "day first", date(2025, 4, 3)),
        ("03/04/2025, net 30", "month first", date(2025, 3, 4)),
        ("2025-03-04", "day first", date(2025, 3, 4)),
        ("4. März 2025", "day first", date(2025, 3, 4)),
        ("2025. 3. 4.", "day first", date(2025, 3, 4)),
        ("4 มีนาคม 2568", "day first", date(2025, 3, 4)),
        ("5 जून 2025", "day first", date(2025, 6, 5)),
        ("4 de marzo de 2025", "day first", date(2025, 3, 4)),
        ("4 août 2025", "day first", date(2025, 8, 4)),
        ("2025 m. birželio 16 d.", "day first", date(2025, 6, 16)),
        ("2025. gada 12. maijs", "day first", date(2025, 5, 12)),
        ("8/7/2568", "day first", date(2025, 7, 8)),
        ("04-Mar-25", "day first", date(2025, 3, 4)),
        ("4. března 2025", "day first", date(2025, 3, 4)),
        ("3 Ağustos 2026", "month first", date(2026, 8, 3)),
        ("3 марта 2026 г.", "day first", date(2026, 3, 3)),
        ("12 listopada 2025", "day first", date(2025, 11, 12)),
        ("発行日 令和8年3月4日", "day first", date(2026, 3, 4)),
        ("this 4th day of March, 2025", "day first", date(2025, 3, 4)),
        ("Aos 4 dias do mês de março de 2025", "day first", date(2025, 3, 4)),
        ("a los 4 días del mes de marzo de 2025", "day first", date(2025, 3, 4)),
        ("03.25.2025", "day first", date(2025, 3, 25)),
    ],
)
def test_dates_are_read_as_their_country_prints_them(text: str, order: str, value: date) -> None:
    chosen = "month first" if order == "month first" else "day first"
    assert [one.value for one in find_dates(text, chosen)] == [value]


@pytest.mark.parametrize("text", ["MacBook 14 Pro 2024", "10 LED 24", "2 Mac 2019", "31.02.2025", "04.03.55"])
def test_a_word_beside_numbers_is_no_month(text: str) -> None:
    assert find_dates(text) == []


def test_dots_part_dates_that_have_the_day_first() -> None:
    [dotted], [slashed] = find_dates("03.04.2025", "month first"), find_dates("03/04/2025", "month first")
    assert (dotted.value, dotted.alternative) == (date(2025, 4, 3), None)
    assert (slashed.value, slashed.alternative) == (date(2025, 3, 4), date(2025, 4, 3))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1 March - 31 March 2025", [(3, 1), (3, 31)]),
        ("Service period: Mar 1 - Mar 31, 2025", [(3, 1), (3, 31)]),
        ("1. März bis 31. August 2025", [(3, 1), (8, 31)]),
        ("01.03.-31.03.2025", [(3, 1), (3, 31)]),
        ("1.-31. März 2025", [(3, 1), (3, 31)]),
        ("du 1er mars au 31 août 2025", [(3, 1), (8, 31)]),
        ("from 1 to 31 March 2025", [(3, 1), (3, 31)]),
        ("01.03.2025-31.03.2025", [(3, 1), (3, 31)]),
        ("1 – 31 March 2025", [(3, 1), (3, 31)]),
        ("Service period 1 to 31 March 2025", [(3, 1), (3, 31)]),
        ("1st – 31st March 2025", [(3, 1), (3, 31)]),
        ("1 t/m 31 maart 2025", [(3, 1), (3, 31)]),
        ("March 1 - 31, 2025", [(3, 1), (3, 31)]),
        ("March 1st through 31st, 2025", [(3, 1), (3, 31)]),
        ("1 March – 31 August '25", [(3, 1), (8, 31)]),
        ("01/03 – 31/03/2025", [(3, 1), (3, 31)]),
        ("03/01 - 03/31/2025", [(3, 1), (3, 31)]),
        ("Period: 1-3 - 31-3-25", [(3, 1), (3, 31)]),
        ("01.03. – 31.03.25", [(3, 1), (3, 31)]),
        ("2025年3月1日〜3月31日", [(3, 1), (3, 31)]),
        ("Quantity 4 - 31 March 2025", [(3, 31)]),
        ("Page 1/2 - 31/03/2025", [(3, 31)]),
        ("Q-1 – 31 March 2025", [(3, 31)]),
        ("4 - 1 March 2025", [(3, 1)]),
    ],
)
def test_the_first_day_of_a_range_takes_what_it_leaves_out_from_the_last(
    text: str, days: list[tuple[int, int]]
) -> None:
    assert [(one.value.month, one.value.day) for one in find_dates(text)] == days
    assert all(one.value.year == 2025 for one in find_dates(text))


@pytest.mark.parametrize(
    "text", ["15 December – 14 January 2027", "December 15 - January 14, 2027", "15/12 – 14/01/2027",
             "15.12.–14.1.27", "12/15 to 01/14/2027"],
)  # fmt: skip
def test_a_range_over_the_new_year_begins_in_the_year_before(text: str) -> None:
    found = find_dates(text, "month first")
    assert [(one.value, one.alternative) for one in found] == [
        (date(2026, 12, 15), None), (date(2027, 1, 14), None)
    ]  # fmt: skip


def test_one_date_that_allows_a_single_reading_decides_for_all() -> None:
    assert find_day_order(["03/04/2025", "25/04/2025"], american=True) == "day first"
    assert find_day_order(["03/04/2025", "04/25/2025"], american=False) == "month first"
    assert find_day_order(["03/04/2025"], american=True) == "month first"
    codes = ["J12/77/2017", "J12/15/2017", "11/77/2017", "03/04/2025"]  # no days
    assert find_day_order(codes, american=False) == "day first"


def test_a_day_may_stand_apart_from_its_letters() -> None:
    printed = "du 1 er février 2026 au 31 janvier 2027, March 2 nd, 2027, 3 rd April 2028"
    days = [date(2026, 2, 1), date(2027, 1, 31), date(2027, 3, 2), date(2028, 4, 3)]
    assert [one.value for one in find_dates(printed)] == days


def test_a_date_knows_where_it_stands() -> None:
    assert find_dates("Gültig bis 4. März 2025")[0].start == 11


@pytest.mark.parametrize("text", ["«03» марта 2025 г.", '"3" marca 2025', "„03” marca 2025"])
def test_the_day_may_stand_in_quotation_marks(text: str) -> None:
    assert [one.value for one in find_dates(text)] == [date(2025, 3, 3)]
