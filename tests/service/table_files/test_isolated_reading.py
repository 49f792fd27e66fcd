"""A table file is read in a process of its own: the same rows, and what a hostile file does ends there."""

import gzip
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from app.service.table_files import isolated_reading
from app.service.table_files.isolated_reading import open_table_file, open_table_isolated
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import CellError, FormattedNumber, RejectedRow, TableRow, UnreadableTable


def read_table_isolated(path: Path, said: FileOptions = NOTHING_STATED) -> Iterator[TableRow | RejectedRow]:
    """The rows of a file that is read in a process of its own, the headings first."""
    with open_table_isolated(path, said) as table:
        yield from list_rows(table)


def read_table_file(path: Path, said: FileOptions = NOTHING_STATED) -> Iterator[TableRow | RejectedRow]:
    """The rows of a file that an operator names, the headings first."""
    with open_table_file(path, said) as table:
        yield from list_rows(table)


def workbook(path: Path, last_row: str, dimension: bytes = b"") -> Path:
    """A workbook whose last row has this number, and which states this size."""
    book = Workbook()
    assert book.active is not None
    for row in (["date", "item", "price"], [date(2026, 1, 11), "Desk", 2.5], ["soon", None, True]):
        book.active.append(row)
    made = io.BytesIO()
    book.save(made)
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name.startswith("xl/worksheets/"):
                content = re.sub(rb"<dimension[^>]*/>", dimension, content)
                content = content.replace(b'<row r="3"', f'<row r="{last_row}"'.encode())
            target.writestr(name, content)
    return path


@pytest.mark.campaign
def test_rows_come_as_they_are(tmp_path: Path) -> None:
    path = workbook(tmp_path / "orders.xlsx", "3")
    assert load_workbook(path)
    assert list(read_table_isolated(path)) == [
        (1, ["date", "item", "price"]),
        (2, [date(2026, 1, 11), "Desk", 2.5]),
        (3, ["soon", None, True]),
    ]
    text = tmp_path / "orders.csv"
    text.write_bytes(b"date,item\n2026-01-11,D\xc3\xa9sk\n" + b"x" * (1 << 21) + b"\n")
    *rows, rejected = list(read_table_isolated(text))
    assert rows == [(1, ["date", "item"]), (2, ["2026-01-11", "Désk"])]
    assert isinstance(rejected, RejectedRow)


@pytest.mark.campaign
def test_the_head_and_all_kinds_of_cells_come_as_they_are(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["Orders"], ["Name", "Price", "Day", "Error", "Unit"], ["A", 12.5, None, "#N/A", "=RAND()"]):
        sheet.append(row)
    sheet["B3"].number_format = "0.00 [$€-407]"
    sheet["C3"].value = datetime(2026, 1, 11, 12)  # noqa: DTZ001
    sheet["D3"].data_type = "e"
    book.create_sheet("Old\u20ac").sheet_state = "hidden"
    path = tmp_path / "orders.xlsx"
    book.save(path)
    with open_table_isolated(path) as table, path.open("rb") as stream:
        here = open_table(stream)
        assert (table.head.sheet, table.head.line, list(table.head.headings)) == (
            "Sheet",
            2,
            ["Name", "Price", "Day", "Error", "Unit"],
        )
        assert [*table.head.sheets] == [*here.head.sheets]
        assert [*table.head.notes] == [*here.head.notes]
        [(line, cells)] = [row for row in table.rows if isinstance(row, tuple)]
        [(_, same)] = [row for row in here.rows if isinstance(row, tuple)]
    assert (line, cells[:3]) == (3, ["A", 12.5, datetime(2026, 1, 11, 12)])  # noqa: DTZ001
    assert isinstance(cells[1], FormattedNumber)
    assert cells[1].number_format == "0.00 [$€-407]"
    assert [str(cell) for cell in cells[3:]] == [str(cell) for cell in same[3:]] == ["#N/A", "=RAND()"]
    assert all(isinstance(cell, CellError) for cell in cells[3:])
    with pytest.raises(UnreadableTable, match="no sheet"):
        list(read_table_isolated(path, FileOptions(sheet="Older")))
    text = tmp_path / "orders.csv"
    text.write_bytes("Date,Name\n2026-01-11,kėdė\n".encode("cp1257"))
    with open_table_isolated(text) as table:
        assert {one.example for one in table.head.alternatives} == {"këdë", "kėdė"}
    assert list(read_table_isolated(text, FileOptions(encoding="cp1257")))[1] == (2, ["2026-01-11", "kėdė"])


@pytest.mark.campaign
def test_a_file_that_takes_for_ever_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated_reading, "PROCESSOR_SECONDS", 1)
    path = tmp_path / "orders.csv.gz"
    path.write_bytes(gzip.compress(b"Item,Price\n" + b"1,2\n" * (1 << 24), 1))
    with pytest.raises(UnreadableTable, match="more than 1 seconds of the processor"):
        for _ in read_table_isolated(path):
            pass


@pytest.mark.parametrize("read", [read_table_isolated, read_table_file])
@pytest.mark.parametrize("dimension", [b"", b'<dimension ref="A1:XFD1048576"/>'])
def test_what_a_workbook_states_of_its_size_is_not_believed(
    read: Callable[[Path], Iterator[object]], dimension: bytes, tmp_path: Path
) -> None:
    """openpyxl counts up to the number of a row, and makes each row as wide as the sheet says it is."""
    path = workbook(tmp_path / "orders.xlsx", str(10**15), dimension)
    with pytest.raises(UnreadableTable, match="a row beyond 1,048,576"):
        list(read(path))


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "orders.xlsx"
    path.write_bytes(b"PK\x03\x04 nothing of a workbook")
    with pytest.raises(UnreadableTable, match="not a readable zip archive"):
        list(read_table_isolated(path))
