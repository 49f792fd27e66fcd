"""The table begins where its headings are, whatever stands above them."""

import io

import pytest

from app.service.tables.reading import open_table
from app.service.tables.table import UnreadableTable

ORDER = "2025-03-05,Norvale,Key,10,12.50,EUR"
HEADER = "Date,Supplier,Product,Quantity,Unit price,Currency"
NAMES = ("Date", "Supplier", "Product", "Quantity", "Unit price", "Currency")


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("", 1),
        ("\n\n", 3),
        ("Purchases 2025\n\n", 3),
        ("Purchases 2025,,,,,\n,,,,,\n", 3),
        ("# exported 2025-03-05, by accounts\n", 2),
        ("sep=,\n", 2),
        ('"sep=,"\r\n', 2),
        ("Company:,Norvale\nPeriod:,2025\n\n", 4),
        ("Northgate Ltd\nGeneral ledger\nJanuary - December 2025\n", 4),
        ("Supplier:,Acme,Date:,2025-01-01,,\n", 2),
    ],
)
@pytest.mark.parametrize("rows", [1, 30])
def test_what_stands_above_is_stepped_over(above: str, line: int, rows: int) -> None:
    table = open_table(io.BytesIO(f"{above}{HEADER}\n{(ORDER + chr(10)) * rows}".encode()))
    assert (tuple(table.head.headings), table.head.line) == (NAMES, line)
    assert [row[0] for row in table.rows if isinstance(row, tuple)] == list(range(line + 1, line + 1 + rows))
    assert bool(table.head.notes) == bool(above.strip())


@pytest.mark.parametrize(
    ("text", "headings", "first"),
    [
        ("Note,Price,Note\na,1,b\n", ("Note", "Price", "Note (2)"), 2),
        ("Prod-Code,Prod Code,Prod Code (2)\na,1,b\n", ("Prod-Code", "Prod Code (3)", "Prod Code (2)"), 2),
        (",Name,Price,\n0,a,5,x\n1,b,6,y\n", ("A", "Name", "Price", "D"), 2),
        ("Name,Price,,\na,1,,\n", ("Name", "Price"), 2),
        ("Order,Amount,,Total\n,Net,Tax,\nA1,10,2,12\nA2,20,4,24\n",
         ("Order", "Amount: Net", "Amount: Tax", "Total"), 3),
        (",2024 plan,,2025 plan,\nTeam,Seats,Cost,Seats,Cost\nA,1,2,3,4\nB,5,6,7,8\n",
         ("Team", "Seats", "Cost", "Seats (2)", "Cost (2)"), 3),
        ("name;price, net\nA;1,5\nB;2,5\n", ("name", "price, net"), 2),
        ("name\nAcme, Inc\nBeta\nGamma\n", ("name",), 2),
        ("Supplier,2023,2024,Q1 2025\nAcme,1,2,3\nBeta,4,5,6\n", ("Supplier", "2023", "2024", "Q1 2025"), 2),
        ("Name,Price\n", ("Name", "Price"), None),
        (f"{HEADER}\n{f'{ORDER}{chr(10)}' * 9}\nContract,Start,End\nC1,2025-01-01,2026-01-01\n", NAMES, 2),
    ],
)  # fmt: skip
def test_headings_are_told_apart_and_joined(text: str, headings: tuple[str, ...], first: int | None) -> None:
    table = open_table(io.BytesIO(text.encode()))
    assert tuple(table.head.headings) == headings
    assert [row[0] for row in table.rows if isinstance(row, tuple)][:1] == ([first] if first else [])


@pytest.mark.parametrize(
    ("units", "headings", "first"),
    [
        (",kg,EUR,", ("Item", "Weight (kg)", "Price (EUR)", "Day"), 3),
        (",[kg],(EUR/kg),YYYY-MM-DD", ("Item", "Weight (kg)", "Price (EUR/kg)", "Day"), 3),
        (",kg,TEUR,", ("Item", "Weight (kg)", "Price (TEUR)", "Day"), 3),
        (",Heavy goods,,", ("Item", "Weight", "Price", "Day", "Line above"), 3),
    ],
)
def test_a_row_of_units_is_joined_with_the_headings(
    units: str, headings: tuple[str, ...], first: int
) -> None:
    rows = "Bolt,1.5,2,2025-01-02\nNut,0.5,1,2025-01-03\n"
    table = open_table(io.BytesIO(f"Item,Weight,Price,Day\n{units}\n{rows}".encode()))
    assert table.head.headings == headings
    assert next(row[0] for row in table.rows if isinstance(row, tuple)) == first


@pytest.mark.parametrize("content", [b"", b"\n\n", b"1,2,3\n4,5,6\n", b",,\n1,2,3\n"])
def test_a_file_without_headings_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableTable):
        open_table(io.BytesIO(content))
