"""Numbers of suppliers are no names: a sheet that has the names is joined, else a person is asked."""

import io
from typing import Any

import openpyxl
import pytest

from app.contract.imports import ImportKind
from app.service.purchases.reading import read_purchases
from tests.service.imports.dry_reading import list_asked, look_at

ORDERS = [
    ["BEDAT", "LIFNR", "TXZ01", "MENGE", "NETPR", "WAERS"],
    ["2025-03-05", "0000100234", "Key", 3, 12.5, "EUR"],
    ["2025-03-06", 100235, "Vice", 1, 80, "EUR"],
]
VENDORS = [["LIFNR", "NAME1", "LAND1"], [100234, "Alder GmbH", "DE"], ["0000100235", "Brook Ltd", "GB"]]


def write_book(**sheets: list[list[Any]]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("heading", "vendors"),
    [
        ("LIFNR", VENDORS),
        ("Vendor No.", [["No.", "Name"], *[row[:2] for row in VENDORS[1:]]]),
        ("Vendor", [["Vendor", "Vendor name"], *[row[:2] for row in VENDORS[1:]]]),
        ("Lieferant", [["Lieferantennummer", "Firma"], *[row[:2] for row in VENDORS[1:]]]),
    ],
)
def test_the_names_of_another_sheet_are_joined(heading: str, vendors: list[list[Any]]) -> None:
    orders = [[heading if cell == "LIFNR" else cell for cell in row] for row in ORDERS]
    book = write_book(Orders=orders, Vendors=vendors)
    about, rows = look_at(book)
    assert (about["sheet"], about["missing"]) == ("Orders", [])
    assert [row["supplier"] for row in rows] == ["Alder GmbH", "Brook Ltd"]
    assert any("Vendors" in note and heading in note for note in about["notes"])
    assert [row.supplier for row in read_purchases(io.BytesIO(book))] == ["Alder GmbH", "Brook Ltd"]  # type: ignore[union-attr]


@pytest.mark.parametrize("sign", ["#", "*", "%"])
def test_a_sheet_whose_headings_are_no_names_is_passed_over(sign: str) -> None:
    _, rows = look_at(
        write_book(Orders=ORDERS, Signs=[[sign, sign], ["a", "ok"], ["b", "ok"]], Vendors=VENDORS)
    )
    assert [row["supplier"] for row in rows] == ["Alder GmbH", "Brook Ltd"]


def test_a_number_without_a_name_is_refused_and_none_is_taken_of_two() -> None:
    about, rows = look_at(write_book(Orders=ORDERS, Vendors=VENDORS[:2]))
    assert [row.get("supplier") for row in rows] == ["Alder GmbH", None]
    assert "refused" in rows[1]
    twice = [*VENDORS, [100234, "Cobalt SA", "FR"]]
    about, rows = look_at(write_book(Orders=ORDERS, Vendors=twice))
    assert (about["missing"], rows) == (["supplier"], [])


@pytest.mark.parametrize(
    ("header", "supplier", "kind", "missing", "offered"),
    [
        ("Date,Vendor,Product,Price", "2025-03-05,100234,Key,5", None, ["supplier"], "supplier"),
        ("Date,Vendor No.,Product,Price", "2025-03-05,V-10023,Key,5", None, ["supplier"], "supplier"),
        ("Date,Vendor ID,Product,Price", "2025-03-05,Acme,Key,5", None, [], None),
        ("Date,Vendor,Product,Price", "2025-03-05,3M,Key,5", None, [], None),
        ("Contract,Vendor,Start,End", "C,100234,2025-03-05,2026-03-04", "agreements", [], "supplier"),
        ("Vendor,Website", "100234,acme.example", "catalog", ["name"], "name"),
    ],
)
def test_numbers_are_offered_as_names_and_not_taken(
    header: str, supplier: str, kind: ImportKind | None, missing: list[str], offered: str | None
) -> None:
    about, rows = look_at(f"{header}\n{supplier}\n", kind)
    assert about["missing"] == missing
    [column] = [one for one in about["columns"] if one["name"].startswith("Vendor")]
    assert column.get("suggestion") == offered
    assert all("100234" not in str(row.get("supplierName")) for row in rows)
    about, rows = look_at(f"{header}\n{supplier}\n", kind, mapping={offered or "supplier": column["name"]})
    named = rows[0].get("supplierName") or rows[0]["supplier"]
    assert (about["missing"], named in supplier) == ([], True)


@pytest.mark.parametrize(
    ("suppliers", "names"),
    [
        (["0000100234 Alder GmbH", "0000100301  Brook AG"], ["Alder GmbH", "Brook AG"]),
        (["0000100234 Alder GmbH", "0000100234 Alder GmbH"], ["Alder GmbH", "Alder GmbH"]),
        (["100234 Alder GmbH", "100301 3M Company"], ["Alder GmbH", "3M Company"]),
        (["V0102 Alder GmbH", "V0140 Brook AG"], ["Alder GmbH", "Brook AG"]),
        (["10-0102 / Alder", "B2 Brook AG"], ["10-0102 / Alder", "B2 Brook AG"]),
        (["L-10233 - Alder GmbH", "L-10871 - Brook AG"], ["Alder GmbH", "Brook AG"]),
        (["1000 Bulbs", "1000 Bulbs"], ["1000 Bulbs", "1000 Bulbs"]),
        (["1000 Bulbs", "Alder GmbH"], ["1000 Bulbs", "Alder GmbH"]),
        (["1000 Bulbs", "24601 Antiques"], ["1000 Bulbs", "24601 Antiques"]),
        (["365 Energy", "500 Trees"], ["365 Energy", "500 Trees"]),
    ],
)
def test_numbers_before_names_are_no_part_of_them(suppliers: list[str], names: list[str]) -> None:
    """As SAP lists them."""
    lines = [f"2025-03-05,{supplier},Key,3,12.5,EUR" for supplier in suppliers]
    content = "\n".join(["Belegdatum,Lieferant/Lieferwerk,Kurztext,Menge,Nettopreis,Währung", *lines])
    about, rows = look_at(content)
    assert [row["supplier"] for row in rows] == names
    _, companies = look_at("\n".join(["Lieferant,Ort", *(f"{one},Ulm" for one in suppliers)]), "catalog")
    assert [row["supplier"] for row in companies] == names
    assert any("Lieferant/Lieferwerk were left out" in note for note in about["notes"]) == (
        suppliers != names
    )
    assert [row.supplier for row in read_purchases(io.BytesIO(content.encode()))] == names  # type: ignore[union-attr]


def test_states_of_suppliers_that_nobody_knows_are_asked() -> None:
    table = "Vendor name,Vendor status code\nAlder GmbH,A\nBrook AG,I\n"
    about, _ = look_at(table, "catalog")
    assert list_asked(about) == ["states"]
    about, rows = look_at(table, "catalog", states={"A": True, "I": False})
    assert ([row.get("supplier") for row in rows], list_asked(about)) == (["Alder GmbH", None], [])
