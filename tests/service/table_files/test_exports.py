"""Exports of other systems are recognised by their headings; tables that are none are not."""

import io
from pathlib import Path

import pytest

from app.service.imports.file_kinds import recognise_kind
from app.service.purchase_records import Purchase
from app.service.purchases.reading import read_purchases
from app.service.table_files.exports import list_exports, recognise_export, resolve_columns
from app.service.table_files.isolated_reading import open_table_file
from app.service.tables.reading import list_rows
from app.service.tables.table import RejectedRow, UnreadableTable, format_cell
from tests.service.table_files.export_headings import EXPORTS as HEADINGS
from tests.service.table_files.export_headings import NEARLY
from tests.shared_material import SHARED, shared

DATA = SHARED / "data"
KINDS = {
    "catalog/companies.csv.gz": "catalog",
    "catalog/products_by_source.csv.gz": "catalog",
    "cuad/clauses.csv": "agreements",
    "gsa-it-labor-rates/purchases.csv.gz": "purchases",
    "gsa-os2/purchases.csv.gz": "purchases",
    "usaid-scms/purchases.csv.gz": "purchases",
    "wvu-purchase-orders/purchases.csv.gz": "purchases",
}
"""What the tables of the given data hold, where one of our kinds fits."""


def test_every_export_is_recognised() -> None:
    found = {
        name: [recognise_export(header.split(",")) for header in headers]
        for name, headers in HEADINGS.items()
    }
    assert {name: {one.name if one else None for one in each} for name, each in found.items()} == {
        name: {name} for name in HEADINGS
    }
    assert set(HEADINGS) == {export.name for export in list_exports()}


@pytest.mark.parametrize("header", NEARLY)
def test_a_table_that_is_nearly_an_export_is_none(header: str) -> None:
    assert recognise_export(header.split(",")) is None


def read_first_rows(path: Path, most: int) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        with open_table_file(path) as table:
            for row in list_rows(table):
                if not isinstance(row, RejectedRow):
                    rows.append([format_cell(cell) for cell in row[1]])
                if len(rows) == most:
                    break
    except UnreadableTable:
        pass
    return rows


@pytest.mark.parametrize(
    ("most", "suffixes"),
    [
        (1, (".csv", ".csv.gz")),
        pytest.param(1_000, (".csv", ".csv.gz", ".xlsx", ".parquet"), marks=pytest.mark.campaign),
    ],
)
def test_no_given_table_is_taken_for_an_export(most: int, suffixes: tuple[str, ...]) -> None:
    """Any of the first rows could be the headings of an export with titles above them."""
    shared("data")
    found = sorted(path for path in DATA.rglob("*") if path.name.endswith(suffixes))
    tables = {str(path.relative_to(DATA)): read_first_rows(path, most) for path in found}
    assert len(tables) > 10
    assert [name for name, rows in tables.items() if any(map(recognise_export, rows))] == []
    kinds = {name: recognise_kind(rows[0]).name for name, rows in tables.items() if name in KINDS}
    assert kinds == KINDS
    others = {name for name, rows in tables.items() if rows and recognise_kind(rows[0]).name == "agreements"}
    assert others == {"cuad/clauses.csv"}


def test_a_person_comes_before_the_export() -> None:
    header = HEADINGS["coupa_order_lines"][0].split(",")
    mapping, ignore = resolve_columns(header, "purchases", {}, [])
    assert mapping["purchase_date"] == "created-at"
    assert ignore == ["id", "line-number"], "no dimension is made of what we do not know"
    row = dict.fromkeys(header, "1") | {"created-at": "2025-03-05", "supplier": "Alder", "currency": "EUR"}
    content = "\n".join([",".join(header), ",".join(row.values())])
    [read] = read_purchases(io.BytesIO(content.encode()))
    assert isinstance(read, Purchase)
    assert read.attributes == {}
    mapping, ignore = resolve_columns(header, "purchases", {"product": "id", "unit": ""}, ["total"])
    assert (mapping["product"], mapping["unit"]) == ("id", "")
    assert "total_price" not in mapping
    assert {"total", "description", "uom"} <= set(ignore)
    assert resolve_columns(header, "catalog", {}, []) == ({}, [])
