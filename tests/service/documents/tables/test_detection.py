"""Tables are headers and the rows below that belong to them."""

from app.service.documents.tables.detection import find_tables, holds_figure, rows_outside_tables
from tests.service.documents.typewriter import type_document, type_table

QUOTE = """
    Supplier    Example Ltd

    Our offer

    Description       Qty    Price    Amount
    Editor seats       10     5.00     50.00
      for the press
    Viewer seats        2     1.50      3.00
    Total                              53.00
    Thank you
"""


def test_a_table_has_its_title_columns_and_rows() -> None:
    table = type_table(QUOTE)
    assert table.title == "Our offer"
    assert [column.best_meaning for column in table.columns] == [
        "description",
        "quantity",
        "unit_price",
        "amount",
    ]
    assert [row.text(0) for row in table.rows][:3] == ["Editor seats", "for the press", "Viewer seats"]
    assert [row.anchor for row in table.rows][:4] == [True, False, True, False]


def test_a_row_tells_the_figures_of_its_columns() -> None:
    [row, *_] = type_table(
        "Description    Qty    Price            Amount\nSeats           10    5.00 EUR per 12    50.00"
    ).rows
    assert [row.value(index) for index in (1, 2, 3)] == [10, 5, 50]  # of two numbers the one with a currency
    assert row.figure(None) is None
    assert row.figures(0) == ()
    assert row.is_figure(1)
    assert not row.is_figure(0)


def test_a_header_repeated_on_the_next_page_does_not_take_in_what_stands_above_it() -> None:
    header = "Description       Qty    Price    Amount\n"
    first = header + "Editor seats       10     5.00     50.00"
    second = "Sample plc, 4 March 2025\n" + header + "Viewer seats        2     1.50      3.00"
    tables = find_tables(type_document(first, second).rows)
    assert [[row.row.text for row in table.rows] for table in tables] == [
        ["Editor seats 10 5.00 50.00"], ["Viewer seats 2 1.50 3.00"],
    ]  # fmt: skip


def test_a_sign_apart_from_its_number_belongs_to_it() -> None:
    table = type_table(
        "Description    Qty       Price      Amount\nSeats           10    $   5.00   $   50.00"
    )
    assert [cell.text for cell in table.rows[0].cells.values()] == ["Seats", "10", "$ 5.00", "$ 50.00"]


def test_what_stands_in_tables_is_no_text_around_them() -> None:
    rows = type_document(QUOTE).rows
    outside = [row.text for row in rows_outside_tables(rows, find_tables(rows))]
    assert "Supplier Example Ltd" in outside
    assert not any("Editor" in text or "Description" in text for text in outside)


def test_a_cell_holds_a_figure_when_it_opens_with_a_number_or_a_sign() -> None:
    cells = type_document("$ 5.00   5.00 / 6.00   Room 5   1 2 3").rows[0].cells()
    assert [holds_figure(cell) for cell in cells] == [True, True, False, False]


def test_a_price_may_stand_before_a_remark() -> None:
    def prices(first: str) -> list[bool]:
        table = type_table(
            f"Role                 Day rate\n"
            f"Senior Consultant    {first}     from 8 years\n"
            f"Consultant           1,040.00\n"
        )
        return [row.anchor for row in table.rows]

    assert prices("1,280.00 EUR") == [True, True]
    assert prices("8 to 12 days") == [False, True]
