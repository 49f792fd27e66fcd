"""Values are found beside and below their labels."""

import re

from app.service.documents.layout.labels import find_cells_below, find_labelled_values
from tests.service.documents.typewriter import type_document

QUOTE_NUMBER = re.compile(r"quote no\.?")


def values(text: str, *, inline: bool = False) -> list[tuple[str, int]]:
    rows = type_document(text).rows
    return [(one.value, one.distance) for one in find_labelled_values(rows, QUOTE_NUMBER, inline=inline)]


def test_a_value_stands_in_the_cell_of_its_label_beside_or_below_it() -> None:
    assert values("Quote no.: Q-7") == [("Q-7", 0)]
    assert values("Quote no.   Q-7") == [("Q-7", 1)]
    assert values("Quote no.\nQ-7") == [("Q-7", 2)]


def test_a_field_may_stand_behind_another_one_in_its_cell() -> None:
    assert values("Invoice 8C1FA-11. Quote no.: Q-7") == [("Q-7", 0)]
    assert values("Reg. Quote no.: Q-7") == []


def test_a_mark_of_a_list_or_brackets_may_stand_before_a_label() -> None:
    assert values("■Quote no.: Q-7") == values("【Quote no.】Q-7") == [("Q-7", 0)]


def test_another_label_is_no_value() -> None:
    assert values("Quote no.   Date:\nQ-7") == [("Q-7", 2)]


def test_a_label_in_a_second_language_is_no_value() -> None:
    assert values("Quote no. / Offerte nr.   Q-7") == [("Q-7", 1)]
    assert values("Quote no. / Offerte nr.: Q-7") == [("Q-7", 0)]


def test_a_value_without_a_colon_is_taken_only_when_asked_for() -> None:
    assert values("Quote no Q-7") == []
    assert values("Quote no Q-7", inline=True) == [("Q-7", 0)]


def test_a_label_in_a_second_script_is_no_value() -> None:
    assert values("Quote no. رقم   Q-7", inline=True)[0] == ("Q-7", 1)
    assert values("Quote no. 编号   Q-7", inline=True)[0] == ("Q-7", 1)
    assert values("Quote no.: 第7号   Q-9") == [("第7号", 0)]


def test_the_cells_below_a_label_begin_where_it_begins() -> None:
    rows = type_document(
        "Bill to     Ship to\nSample plc  Example Ltd\n1 Mill St   2 Lake St\n\n\nTotal"
    ).rows
    left, right = rows[0].cells()
    assert [cell.text for cell in find_cells_below(rows, 0, left)] == ["Sample plc", "1 Mill St"]
    assert [cell.text for cell in find_cells_below(rows, 0, right)] == ["Example Ltd", "2 Lake St"]
