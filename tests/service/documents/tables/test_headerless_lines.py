"""Rows of figures under no header speak for themselves."""

from app.service.documents.extraction import LineItem
from app.service.documents.tables.headerless_lines import read_multiplying_rows, read_summed_rows
from tests.service.documents.typewriter import type_document


def figures(items: list[LineItem]) -> list[tuple[object, ...]]:
    return [(item.description, item.quantity, item.unit_price, item.amount) for item in items]


def test_rows_that_multiply_are_lines() -> None:
    rows = type_document("Editor seats   10   5.00   50.00\nViewer seats   2   1.50   3.00").rows
    assert figures(read_multiplying_rows(rows)) == [("Editor seats", 10, 5, 50), ("Viewer seats", 2, 1.5, 3)]


def test_one_row_that_multiplies_may_be_chance() -> None:
    rows = type_document("Editor seats   10   5.00   50.00\nViewer seats   2   1.50   4.00").rows
    assert read_multiplying_rows(rows) == []


def test_a_third_factor_is_the_months() -> None:
    rows = type_document(
        "Editor   146   $75.00   12   $131,400.00\nViewer   90   $61.00   12   $65,880.00"
    ).rows
    assert [item.period_months for item in read_multiplying_rows(rows)] == [12, 12]


def test_rows_above_a_total_that_is_their_sum_are_lines() -> None:
    text = "Design work      50.00\nHosting           3.00\nTotal            53.00"
    assert figures(read_summed_rows(type_document(text).rows)) == [
        ("Design work", 1, 50, 50),
        ("Hosting", 1, 3, 3),
    ]
    assert read_summed_rows(type_document(text.replace("53.00", "54.00")).rows) == []
