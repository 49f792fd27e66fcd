"""How rows are parted is judged over many lines."""

import io

import pytest

from app.service.tables.lines import MAX_LINE_CHARACTERS
from app.service.tables.reading import open_table
from app.service.tables.table import RejectedRow, UnreadableTable


def read(text: str | bytes) -> list[object]:
    table = open_table(io.BytesIO(text.encode() if isinstance(text, str) else text))
    rows = [
        (row.line, None) if isinstance(row, RejectedRow) else (row[0], list(row[1])) for row in table.rows
    ]
    return [list(table.head.headings), *rows]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "Name;Price, net;Qty\nA;1,50;3\nB;2,75;4\n",
            [["Name", "Price, net", "Qty"], (2, ["A", "1,50", "3"]), (3, ["B", "2,75", "4"])],
        ),
        ("sep=\t\na\tb\n1,5\t2\n", [["a", "b"], (3, ["1,5", "2"])]),
        ("a|b\nx, y|1\nz, w|2\n", [["a", "b"], (2, ["x, y", "1"]), (3, ["z, w", "2"])]),
        ("'a','b'\n'x, y','it''s'\n", [["a", "b"], (2, ["x, y", "it's"])]),
        ('a,b\n"say \\"hi\\", now",2\n', [["a", "b"], (2, ['say "hi", now', "2"])]),
        ('a,b\n"\\""",2\n"x\\"",",3\n', [["a", "b"], (2, ['\\"', "2"]), (3, ['x\\",', "3"])]),
        ('a,b\r"two\rlines",2\rx,3\r', [["a", "b"], (2, ["two\nlines", "2"]), (4, ["x", "3"])]),
        (
            'size,price\n"15" monitor",5\n"17""",6\n',
            [["size", "price"], (2, ['15" monitor', "5"]), (3, ['17"', "6"])],
        ),
        (
            'a,b,c\n1,"open,3\n4,5,6\n7,"8, eight",9\n',
            [["a", "b", "c"], (2, None), (3, ["4", "5", "6"]), (4, ["7", "8, eight", "9"])],
        ),
        (
            'a,b,c\n"bolts, nuts\nand washers, all\nnew",5,6\n',
            [["a", "b", "c"], (2, ["bolts, nuts\nand washers, all\nnew", "5", "6"])],
        ),
        (
            "Order     Unit   Item\nNumber    Cost   Name\n------ -------- ----\n1         7.50   A,B\n"
            "2      1,200.00 C\n",
            [["Order Number", "Unit Cost", "Item Name"],
             (4, ["1", "7.50", "A,B"]), (5, ["2", "1,200.00", "C"])],
        ),
    ],
)  # fmt: skip
def test_rows_are_parted_as_they_were_written(text: str, rows: list[object]) -> None:
    assert read(text) == rows


def test_a_character_0_costs_its_line() -> None:
    read_rows = read("name,price\n" + "x,9\n" * 2_000 + "1,\0" + "2\n3,4\n")
    assert read_rows[-2:] == [(2_002, None), (2_003, ["3", "4"])]


def test_a_long_line_costs_itself_only() -> None:
    long = "x" * (MAX_LINE_CHARACTERS + 1)
    assert read(f"a,b\n1,2\n{long}\n3,4\n{long}")[1:] == [
        (2, ["1", "2"]),
        (3, None),
        (4, ["3", "4"]),
        (5, None),
    ]


def test_a_long_first_line_is_no_title() -> None:
    with pytest.raises(UnreadableTable, match="line 1"):
        read("c," * 600_000 + "c\n1,2\n3,4\n")


def test_a_million_columns_are_no_row() -> None:
    assert read("a,b\n1,2\n" + "," * 999_999 + "x\n3,4\n")[1:] == [
        (2, ["1", "2"]),
        (3, None),
        (4, ["3", "4"]),
    ]
