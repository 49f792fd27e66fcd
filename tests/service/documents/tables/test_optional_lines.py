"""Lines that no sum counts are options."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.pipeline import read_pages
from app.service.documents.tables.optional_lines import mark_uncounted
from tests.service.documents.typewriter import type_page


def lines(*amounts: str) -> list[LineItem]:
    return [LineItem(amount=Decimal(amount)) for amount in amounts]


def optional(items: list[LineItem], stated: str) -> list[bool]:
    return [bool(item.optional) for item in mark_uncounted(items, Decimal(stated))]


def test_the_last_lines_are_options_where_the_others_make_the_sum() -> None:
    assert optional(lines("800.00", "300.00", "50.00", "70.00"), "1100.00") == [False, False, True, True]
    assert optional([*lines("800.00", "70.00"), LineItem(amount=Decimal(9), optional=True)], "800.00") == [
        False, True, True
    ]  # fmt: skip


def test_what_is_paid_each_year_is_no_option_of_what_is_paid_each_month() -> None:
    monthly, yearly = (
        LineItem(amount=Decimal(594), period_months=1),
        LineItem(amount=Decimal(420), period_months=12),
    )
    assert optional([monthly, yearly], "594.00") == [False, False]
    assert optional([monthly, replace(yearly, period_months=1)], "594.00") == [False, True]


def test_lines_that_make_no_such_sum_stay() -> None:
    for amounts, stated in (
        (("800.00", "300.00"), "1100.00"),
        (("800.00", "300.00"), "900.00"),
        (("216.00", "90.00", "126.00"), "216.00"),
        (("800.00", "-300.00"), "800.00"),
    ):
        assert not any(optional(lines(*amounts), stated))


def test_an_option_without_a_word_for_it_is_told_by_the_sums() -> None:
    page = type_page(
        """
        Description        Qty    Price     Amount

        Consulting          10    80.00     800.00
        Support              2   150.00     300.00
        Tillval: Utbildning  1    90.00      90.00

        Subtotal                          1,100.00
        VAT 20 %                            220.00
        Total                             1,320.00
        """
    )
    read = read_pages([page], "quote.pdf")
    assert [bool(item.optional) for item in read.line_items] == [False, False, True]
    assert read.total == 1320


@pytest.mark.parametrize("word", ["Optional", "Eventualposition", "Bedarfsposition"])
def test_an_option_in_brackets_costs_no_less_than_nothing(word: str) -> None:
    page = type_page(
        f"""
        Description                      Qty    Price      Amount

        Consulting                        10    80.00      800.00
        Support                            2   150.00      300.00
        {f"{word}: Roof window":33}  2   200.00    (400.00)

        Subtotal                                         1,100.00
        """
    )
    items = read_pages([page], "quote.txt").line_items
    assert [(item.amount, bool(item.optional)) for item in items] == [(800, False), (300, False), (400, True)]


def test_an_option_is_left_out_of_the_sum_before_a_discount() -> None:
    page = type_page(
        """
        Bezeichnung                      Menge    EP         GP

        Beratung                            10    80.00      800.00
        Dachfenster (Bedarfsposition)        2   200.00     (400.00)
        Wartung                              2   150.00      300.00

        Summe Positionen                                   1,100.00
        abzgl. 3 % Nachlass                                  -33.00
        Nettosumme                                         1,067.00
        zzgl. 19 % MwSt.                                     202.73
        Angebotssumme brutto                               1,269.73
        """
    )
    items = read_pages([page], "angebot.txt").line_items
    assert [(item.amount, bool(item.optional)) for item in items] == [(800, False), (400, True), (300, False)]


@pytest.mark.parametrize(
    ("line", "note", "option"),
    [
        ("Emergency kit                      4   105.00    (420.00)", "", 420),
        ("Emergency kit                      1   420.00    (420.00)", "Optional, not in the total", 420),
        ("Emergency kit                                    (420.00)", "Optional, not in the total", 420),
        ("Goods returned                     4   105.00    (420.00)", "", None),
    ],
)
def test_brackets_that_no_sum_counts_hold_an_option(line: str, note: str, option: int | None) -> None:
    total = "1,100.00" if option else "680.00"
    page = type_page(
        f"""
        Description                      Qty    Price      Amount
        Consulting                        10    80.00      800.00
        Support                            2   150.00      300.00
        {line}
          {note}
        Total                                              {total}
        """
    )
    *_, last = read_pages([page], "quote.txt").line_items
    assert (last.amount, last.optional) == ((option, True) if option else (-420, None))
    assert last.unit_price in (105, 420)
