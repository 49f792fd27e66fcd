"""Neighbours of public bug reports: other languages, notations and layouts of each kind. What is not certain
is refused or asked."""

import io
from collections.abc import Sequence
from datetime import date
from typing import Any

import openpyxl
import pytest

from app.service.tables.table import UnreadableTable
from tests.service.imports.dry_reading import list_asked, look_at

REFUSED = None
HEADER = "Date;Supplier;Product;Quantity;Unit price;Currency\n"


def read_prices(cells: list[str], currency: str) -> list[Any]:
    rows = "".join(f'2025-03-05;Norvale;Key;1;"{cell}";{currency}\n' for cell in cells)
    _, found = look_at(HEADER + rows, "purchases")
    return [row.get("unitPrice") for row in found]


@pytest.mark.parametrize(
    ("cells", "prices"),
    [
        (["00,285", "1,5"], [0.285, 1.5]),
        (["0,2850", "1.285"], [0.285, 1_285]),
        ([",285"], [0.285]),
        (["٠٫٢٨٥", "０．２８５"], [0.285, 0.285]),
        (["0'285", "0 285"], [REFUSED, REFUSED]),
        (["0,285 €/kWh", "0,285 €/Zweig"], [0.285, REFUSED]),
        (["950,-", "950,--"], [950, 950]),
        (["950,00−", "–950,00", "(950,00)", "EUR950,00-"], [REFUSED] * 4),
        (["950,00 S", "950,00 Cr", "[950,00]", "minus 950,00", "--950"], [REFUSED] * 5),
        (["12 cents", "12p", "12k", "ab 12 €", "k€ 12"], [REFUSED] * 5),
    ],
)
def test_numbers_are_read_whole_or_refused(cells: list[str], prices: list[float | None]) -> None:
    assert read_prices(cells, "EUR") == prices


def test_indian_groups_are_read_and_odd_ones_refused() -> None:
    cells = [
        "₹1,23,456/-",
        "१,२३,४५६",
        "1,00,00,000.50",
        "2.5 lakh",
        "1 crore",
        "1,23,45.00",
        "1'23'456",
        "3 cr",
        "Rs. 12,34,567.80",
        "1,23,456-",
        "INR 1,00,000",
        "1,23,4567",
    ]
    read = [123_456, 123_456, 10_000_000.5, 250_000, 10_000_000, *[REFUSED] * 3]
    assert read_prices(cells, "INR") == [*read, 1_234_567.8, REFUSED, 100_000, REFUSED]


@pytest.mark.parametrize(
    ("cell", "currency"),
    [
        ("A$12.50", "AUD"), ("C$ 12", "CAD"), ("1200円", "JPY"), ("元1200", "asked"), ("R 12.50", "ZAR"),
        ("12,50 zł", "PLN"), ("12 Ft", "HUF"), ("Fr. 12.50", "CHF"), ("₺12", "TRY"),
        ("¥1200", "asked"), ("12 kr", "asked"), ("$12.50", "asked"),
        ("€ 12 / $ 13", None), ("12 €/Monat", "EUR"), ("12 €/Mond", None),
    ],
)  # fmt: skip
def test_a_price_says_its_currency_or_it_is_asked(cell: str, currency: str | None) -> None:
    header = "Date;Supplier;Product;Quantity;Unit price\n"
    about, [row] = look_at(f"{header}2025-03-05;Norvale;Key;1;{cell}\n", "purchases")
    if currency == "asked":
        assert list_asked(about) == ["currency"]
    else:
        assert (row.get("currency"), list_asked(about)) == (currency, [])


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        *[(f"5 {month} 2024", "2024-07-05") for month in ("июля", "lipca", "Temmuz", "juil.", "Ιουλίου")],
        ("2024. szeptember 5.", "2024-09-05"), ("5 มีนาคม 2567", "2024-03-05"),
        ("令和6年3月5日", "2024-03-05"),
        ("民國113年3月5日", "2024-03-05"), ("2024-W10-2", "2024-03-05"), ("mardi 5 mars 2024", "2024-03-05"),
        *[(cell, None) for cell in ("5 listopada 2024", "Mar-24", "Q1 2024", "2024", "5.3.", "31/02/2024")],
        *[(cell, None) for cell in ("1709596800", "05032024", "240305", "1403/01/05")],
    ],
)  # fmt: skip
def test_a_date_is_a_day_or_refused(cell: str, day: str | None) -> None:
    _, [row] = look_at(f"{HEADER}{cell};Norvale;Key;1;5;EUR\n", "purchases")
    assert row.get("date") == day


@pytest.mark.parametrize(
    ("encoding", "word"),
    [
        ("cp1251", "Завод Норвейл"), ("koi8_r", "Завод Норвейл"), ("cp1256", "شركة نورفال"),
        ("cp874", "บริษัท นอร์เวล"), ("gb18030", "上海仪器"), ("iso2022_jp", "東京工業"),
        ("iso8859_2", "Zakład Łódź"), ("cp852", "Zakład Łódź"), ("cp1257", "Šiauliai Ūkis"),
        ("cp850", "Müller Söhne"),
    ],
)  # fmt: skip
def test_an_encoding_is_found_or_asked(encoding: str, word: str) -> None:
    text = f"{HEADER}2025-03-05;{word};Key;1;5;EUR\n"
    about, [row] = look_at(text.encode(encoding), "purchases")
    assert row["supplier"] == word or list_asked(about) == ["encoding"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SEP=;\n{header}{row}", 1),
        ("sep = ;\n{header}{row}", 1),
        ("Report;Purchases\nFrom;2025-01-01\n\n{header}{row}", 1),
        ('{{"exported": "2025-03-05, by a, b"}}\n{header}{row}', 1),
        ("{header}{row}{header}{row}", 2),
        ("{header}{row}Total;;;1;5;EUR\n", 1),
        ("{header}{row}* excluding VAT\n", 1),
        ("\ufeff{header}\n{row}", 1),
        ("{header}{row}", 1),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x85", "\u2028"])
def test_what_is_no_row_is_none(text: str, rows: int, end: str) -> None:
    filled = text.format(header=HEADER, row="2025-03-05;Norvale;Key;1;5;EUR\n").replace("\n", end)
    _, found = look_at(filled, "purchases")
    assert [row["supplier"] for row in found if "refused" not in row] == ["Norvale"] * rows


@pytest.mark.parametrize(
    ("column", "number_format", "values"),
    [
        ("D", '0" kg"', (100, "KGM", 5)),
        ("D", '0" pieces of art"', None),
        ("E", '0.00"/100 pcs"', (100, None, 0.05)),
        ("E", '0.00"/100 parts of art"', None),
        ("E", '0.00" €"', (100, None, 5)),
        ("E", '#,##0,"k"', (100, None, 5)),
        ("E", "[Red]0.00", (100, None, 5)),
        ("E", '0.00" net"', (100, None, 5)),
        ("E", "[$$-409]#,##0.00", None),
    ],
)
def test_the_format_of_a_number_says_its_unit_or_nothing_is_read(
    column: str, number_format: str, values: tuple[float, str | None, float] | None
) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(HEADER.strip().split(";"))
    sheet.append([date(2025, 3, 5), "Norvale", "Key", 100, 5, "EUR"])
    sheet[f"{column}2"].number_format = number_format
    book.save(stream)
    _, [row] = look_at(stream.getvalue(), "purchases")
    assert (None if "refused" in row else (row["quantity"], row.get("unit"), row["unitPrice"])) == values


@pytest.mark.parametrize(
    ("merged", "amounts"),
    [
        ("D2:D3", [REFUSED, REFUSED]),
        ("E2:E3", [10, 20]),
        ("F2:F3", [10, 20]),
        ("B2:B3", [10, 20]),
    ],
)
def test_an_amount_merged_over_several_rows_is_not_that_of_each(
    merged: str, amounts: list[float | None]
) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Date", "Supplier", "Product", "Quantity", "Unit price", "Total", "Currency"])
    for quantity in (1, 2):
        sheet.append([date(2025, 3, 5), "Norvale", "Key", quantity, 10, 10 * quantity, "EUR"])
    sheet.merge_cells(merged)
    book.save(stream)
    _, rows = look_at(stream.getvalue(), "purchases")
    assert [row.get("amount") for row in rows] == amounts


@pytest.mark.parametrize(
    ("merged", "values"),
    [
        ("A2:A4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("B2:B4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("C2:C4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("E2:E4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("F2:F4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("G2:G4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("H2:H4", ("2025-03-05", "A", "B", "kg", 12, "month", "EUR")),
        ("D2:D4", REFUSED),
    ],
)
def test_what_is_merged_over_rows_is_that_of_each(merged: str, values: tuple[Any, ...] | None) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(
        ["Date", "Supplier", "Product", "Quantity", "Unit", "Months", "Price per", "Currency", "Price"]
    )
    for price in (1, 2, 3):
        sheet.append([date(2025, 3, 5), "A", "B", 4, "kg", 12, "month", "EUR", price])
    sheet.merge_cells(merged)
    book.save(stream)
    _, rows = look_at(stream.getvalue(), "purchases")
    assert len(rows) == 3
    for row in rows:
        found = tuple(
            row.get(name) for name in ("date", "supplier", "product", "unit", "months", "per", "currency")
        )
        assert (REFUSED if "refused" in row else found) == values


@pytest.mark.parametrize(
    ("header", "cells", "values"),
    [
        ("Note,Note", "x,y", (2, 10)),
        ("Remark,remark ", "x,y", (2, 10)),
        ("Comment,Comment,Comment", "x,y,z", (2, 10)),
        ("Team,Team", "x,x", (2, 10)),
        (",", "x,y", (2, 10)),
        ("Column1,Column1", ",", (2, 10)),
        ("Supplier ID,Supplier ID", "1,1", (2, 10)),
        ("PO no,PO No.", "1,1", (2, 10)),
        ("Unit price,Unit price", "10,10", "asked"),
        ("Price (EUR),Price (USD)", "10,11", (2, 10)),
        ("Quantity,Note", "3,y", "asked"),
        ("Quantity (2),Note", "3,y", "asked"),
    ],
)
def test_columns_alike_are_told_apart_and_asked_for_where_they_matter(
    header: str, cells: str, values: tuple[float, float] | str
) -> None:
    table = f"Date,Supplier,Product,Quantity,Unit price,Currency,{header}\n2025-03-05,A,B,2,10,EUR,{cells}\n"
    about, rows = look_at(table, "purchases")
    if values == "asked":
        assert about["missing"]
    else:
        assert [(row["quantity"], row["unitPrice"]) for row in rows] == [values]


PIVOT = [["Row Labels", "Sum of Amount"], *[[f"Supplier {number}", number] for number in range(9)]]


@pytest.mark.parametrize(
    "first",
    [
        PIVOT,
        [["Code", "Meaning"], *[[f"C{number}", "A code"] for number in range(40)]],
        [["Contents", "Page"], ["Orders", 2], ["Suppliers", 3]],
        [["Purchases 2025"], ["Made by Accounts"]],
        [["Version", "Author", "Changed"], *[["1.0", "Ann", "All"]] * 20],
        [],
    ],
)
def test_the_sheet_with_purchases_is_read_wherever_it_is(first: list[list[Any]]) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in first:
        book.worksheets[0].append(row)
    sheet = book.create_sheet("Orders")
    for row in (
        ["Date", "Supplier", "Product", "Quantity", "Price", "Currency"],
        [date(2025, 3, 5), "A", "B", 2, 5, "EUR"],
    ):
        sheet.append(row)
    book.save(stream)
    about, rows = look_at(stream.getvalue())
    assert (about["sheet"], [row["amount"] for row in rows]) == ("Orders", [10])


@pytest.mark.parametrize(
    ("merged", "totals", "doubted"),
    [("D2:D3", [None, None], True), ("C2:C3", [1_000, 1_000], False), ("B2:B3", [1_000, 1_000], False)],
)
def test_a_total_merged_over_several_contracts_is_left_out(
    merged: str, totals: list[float | None], doubted: bool
) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheet = book.worksheets[0]
    sheet.append(["Contract", "Supplier", "End", "Total value", "Currency"])
    for name in ("A", "B"):
        sheet.append([name, "Norvale", date(2027, 3, 5), 1_000, "EUR"])
    sheet.merge_cells(merged)
    book.save(stream)
    _, rows = look_at(stream.getvalue(), "agreements")
    assert [row.get("totalValue") for row in rows] == totals
    assert [("Total value" in row.get("doubt", "")) for row in rows] == [doubted] * 2


@pytest.mark.parametrize(
    ("heading", "field"),
    [("Curr.", "currency"), ("Whg.", "currency"), ("Contract term (months)", "term_months")],
)
def test_a_heading_that_resembles_a_field_is_no_price_factor_before_a_person_says_so(
    heading: str, field: str
) -> None:
    table = f"Date,Supplier,Product,Quantity,Price,{heading}\n2025-03-05,Norvale,Key,2,10,12\n"
    about, _ = look_at(table, "purchases")
    [column] = [one for one in about["columns"] if one["name"] == heading]
    assert (column["use"], column.get("suggestion")) == ("ignored", field)
    about, _ = look_at(table, "purchases", mapping={field: ""})
    [column] = [one for one in about["columns"] if one["name"] == heading]
    assert (column["use"], column.get("suggestion")) == ("dimension", None)


@pytest.mark.parametrize(
    ("quantity", "price", "total"),
    [
        ("Item Quantity", "Purchase PPU", "Item Subtotal"),
        ("Line Qty", "Line Unit Price", "Line Net Amount"),
        ("Artikel Menge", "Artikel Einzelpreis", "Artikel Gesamtpreis"),
        ("数量", "単価", "金額"),
        ("수량", "단가", "금액"),
    ],
)
def test_the_quantity_of_an_item_is_the_quantity(quantity: str, price: str, total: str) -> None:
    table = (
        f"Date,Supplier,Product,{quantity},{price},{total},Currency\n2025-03-05,Norvale,Key,4,7.50,30,USD\n"
    )
    _, [row] = look_at(table, "purchases")
    assert (row["quantity"], row["unitPrice"], row["amount"]) == (4, 7.5, 30)


def test_money_beside_the_price_is_no_price_factor() -> None:
    aside = ["VAT %", "BTW", "Total incl. VAT", "Discount", "Grand total"]
    table = (
        f"Date,Supplier,Product,Edition,Quantity,Unit price,Line total,Currency,{','.join(aside)}\n"
        "2025-03-05,Norvale,Key,Pro,2,10,20,USD,20,4,24,0,24\n"
    )
    about, [row] = look_at(table, "purchases")
    uses = {one["name"]: one["use"] for one in about["columns"]}
    assert {name for name, use in uses.items() if use == "dimension"} == {"Edition"}
    assert (row["unitPrice"], row["amount"]) == (10, 20)


@pytest.mark.parametrize(
    ("body", "suppliers", "refused"),
    [
        ("{row}{header}{row}", 2, 1),
        ("{row},,,,20,\n", 1, 1),
        (",Norvale Total,,2,20,EUR\n{row}", 1, 1),
        ("{row}Grand total,,,2,20,\n", 1, 1),
        ("{row}Generated by Buyer 4.2 on 2025-04-01 10:22,,,,,\n", 1, 1),
        ("{row}'2025-03-05,Norvale,Key,'2,'10,EUR\n", 2, 0),
        ("2025-03-05,(blank),Key,2,10,EUR\n2025-03-05,nil,Key,2,10,EUR\n{row}", 1, 2),
        ("{row}2025-03-05,Nor\x00vale,Key,2,10,EUR\n", 1, 1),
    ],
)
def test_rows_that_are_none_leave_nothing_to_ask(body: str, suppliers: int, refused: int) -> None:
    header, row = "Date,Supplier,Product,Quantity,Unit price,Currency\n", "2025-03-05,Norvale,Key,2,10,EUR\n"
    about, rows = look_at(header + body.format(header=header, row=row), "purchases")
    assert about["asks"] == []
    assert [row["supplier"] for row in rows if "supplier" in row] == ["Norvale"] * suppliers
    assert sum("refused" in row for row in rows) == refused


def test_a_quantity_without_a_known_name_is_told_by_the_totals() -> None:
    table = "Date,Supplier,Product,Pak,Unit price,Reeds,Currency\n2025-03-05,Norvale,Key,4,2.50,10.00,EUR\n"
    _, [row] = look_at(table, "purchases")
    assert (row["quantity"], row["amount"]) == (4, 10)


@pytest.mark.parametrize(
    ("more", "cells", "price"),
    [
        ("Discount %", "10", None),
        ("Discount %", "0", 10),
        ("Discount %", "", 10),
        ("Discount %,Line total", "10,18", 9),
        ("Discount %,Line total", "10,20", None),
        ("Linjerabatpct.,Linjebeløb", "10,18", 9),
        ("Discount %,List price", "10,11.11", 10),
        ("Rabatt 1 %,Rabatt 2 %,Line total", "10,50,9", 4.5),
        ("Rabatt 1 %,Rabatt 2 %", "0,50", None),
        ("Discount %,Discount amount,Line total", "10,2,18", 9),
    ],
)
def test_a_price_beside_a_discount_needs_a_total(more: str, cells: str, price: float | None) -> None:
    table = f"Date,Supplier,Product,Quantity,Unit price,Currency,{more}\n"
    table += f"2025-03-05,Norvale,Key,2,10,EUR,{cells}\n"
    _, [row] = look_at(table, "purchases")
    assert row.get("unitPrice") == price
    assert price or "may be before the discount" in row["refused"]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("VAT rate,VAT amount", "0.19,1.90"),
        ("Exchange rate,Local value", "1.1,11"),
        ("Duration,Over all", "12,120"),
        ("Line,Same", "1,10"),
    ],
)
def test_what_makes_an_amount_is_no_quantity_for_that(headings: str, cells: str) -> None:
    table = f"Date,Supplier,Product,Unit price,Currency,{headings}\n2025-03-05,Norvale,Key,10,EUR,{cells}\n"
    _, [row] = look_at(table, "purchases")
    assert (row["quantity"], row["unitPrice"], row["amount"]) == (1, 10, 10)


def test_of_two_quantities_the_one_that_makes_a_total_is_read() -> None:
    header = (
        "Order Date,Seller Name,Title,Order Quantity,Item Quantity,PPU,Item Subtotal,Item Net Total,Currency"
    )
    row = "2025-03-05,Norvale,Key,1,4,2.50,10.00,12.00,EUR"
    _, [found] = look_at(f"{header}\n{row}\n", "purchases")
    assert (found["quantity"], found["unitPrice"], found["amount"]) == (4, 2.5, 10)


@pytest.mark.parametrize(
    ("cells", "bought"),
    [("20,0", 20), ("20,", 20), ("20,5", 15), ("20,20", None), ("20,25", None), ("20,-1", None)],
)
@pytest.mark.parametrize("heading", ["QUANTITY_CANCELLED", "Cancelled qty", "Menge storniert"])
def test_what_was_cancelled_is_not_bought(heading: str, cells: str, bought: int | None) -> None:
    text = f"Date,Supplier,Product,Unit price,Quantity,{heading}\n2025-01-02,Acme,Key,3.45,{cells}\n"
    _, [row] = look_at(text, "purchases", currency="USD")
    assert row.get("quantity") == bought
    assert ("refused" in row) == (bought is None)


@pytest.mark.parametrize(
    ("products", "is_code"),
    [(("P0001", "P0107"), True), (("MAT-1001", "0042"), True), (("Toner", "P0107"), False)],
)
def test_a_product_that_is_a_code_is_named_by_its_description(products: Sequence[str], is_code: bool) -> None:
    rows = [f"2025-01-02,Acme,{one},Steel plate {at},2,3.5" for at, one in enumerate(products)]
    text = "\n".join(["Date,Supplier,Produto,Descricao,Quantity,Unit price", *rows])
    _, found = look_at(text, "purchases", currency="USD")
    assert [row["product"] for row in found] == (
        ["Steel plate 0", "Steel plate 1"] if is_code else [*products]
    )
    assert [row.get("productKey") for row in found] == ([*products] if is_code else [None, None])


def test_a_backslash_before_digits_is_the_yen_of_shift_jis() -> None:
    text = "発注日,仕入先名,品名,数量,単価\n2025-03-05,東京商事株式会社,紙,2,\\1234567\n"
    about, _ = look_at(text.encode("shift_jis"), "purchases")
    _, [row] = look_at(text.encode("shift_jis"), "purchases", currency="JPY")
    assert (list_asked(about), row["unitPrice"]) == (["currency"], 1_234_567)


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (
            "Tender,Title,Procuring Entity,Supplier Name,Award Date,Contract Start,Contract End,Amount (KES)",
            "agreements",
        ),
        (
            "Expediente,Objeto del contrato,Adjudicatario,Importe sin IVA,Fecha de adjudicación,Duración",
            "agreements",
        ),
        ("Date,Supplier,Item,Quantity,Unit price,Contract number", "purchases"),
        ("Date,Supplier,Item,Quantity,Unit price,Contract end", "purchases"),
        ("Order,Ordered,Vendor,Part,Description,Qty Ord,U/M,Unit Cost,Per,Ext Cost", "purchases"),
    ],
)  # fmt: skip
def test_a_register_of_contracts_is_told_from_purchases(header: str, kind: str) -> None:
    about, _ = look_at(f"{header}\n{','.join('x' for _ in header.split(','))}\n")
    assert about["recognisedAs"] == kind


@pytest.mark.parametrize(
    ("heading", "mark", "kept"),
    [
        *[(heading, "X", False) for heading in ("LOEVM", "Löschvermerk", "Deletion flag", "Is deleted")],
        *[(heading, "X", False) for heading in ("SPERR", "Blocked")],
        *[("Active", mark, mark == "yes") for mark in ("yes", "no")],
        *[("Contact type", mark, mark == "vendor") for mark in ("vendor", "customer")],
        *[("Category", mark, mark == "vendor") for mark in ("vendor", "customer")],
        *[("Deleted", mark, mark == "no") for mark in ("true", "2024-03-05", "no")],
        *[(heading, "X", True) for heading in ("Preferred", "Checked")],
        *[("Customer", mark, True) for mark in ("yes", "no")],
        *[("Vendor status", mark, mark == "CA") for mark in ("Deleted", "Inactive", "CA")],
    ],
)
def test_a_supplier_that_is_marked_as_deleted_is_left_out(heading: str, mark: str, kept: bool) -> None:
    others = {"Vendor status": "Active", "Active": "yes", "Contact type": "vendor", "Category": "vendor"}
    of_others = others.get(heading, "")
    _, rows = look_at(f"NAME1,ORT01,{heading}\nAlder,Ulm,{of_others}\nBrook,Ulm,{mark}\n", "catalog")
    assert [row.get("supplier", REFUSED) for row in rows] == ["Alder", "Brook" if kept else REFUSED]


@pytest.mark.parametrize(
    ("header", "cells", "said", "currency"),
    [
        ("Value", "1200", None, "asked"),
        ("Value", "1200", "SEK", "SEK"),
        ("Value", "$1,200.00", None, "asked"),
        ("Value", "$1,200.00", "CAD", "CAD"),
        ("Value", "$1,200.00", "EUR", None),
        ("Value", "€ 1,200.00", "SEK", "EUR"),
        ("Value (GBP)", "1200", None, "GBP"),
        ("Value,Currency", "1200,", None, None),
        ("Value,Seats", ",5", None, None),
        ("Seats,Unit price", "5,20", None, "asked"),
    ],
)
def test_amounts_of_a_contract_have_a_currency_or_it_is_asked(
    header: str, cells: str, said: str | None, currency: str | None
) -> None:
    text = f"Contract number,Supplier,Title,Start date,End date,{header}\n"
    if "," in cells and header == "Value":
        cells = f'"{cells}"'
    about, [row] = look_at(f"{text}C1,Alder,Key,2025-01-01,2025-12-31,{cells}\n", currency=said)
    found = "asked" if list_asked(about) == ["currency"] else row.get("currency")
    assert found == currency


@pytest.mark.parametrize("unit", ["per 1000", "/1000", "je 1.000 Stück", "1000", "per M"])
@pytest.mark.parametrize(
    ("cells", "prices"),
    [("5000;{};32,00;", REFUSED), ("5000;{};32,00;160,00", 0.032), ("5;{};32,00;160,00", 32)],
)
def test_a_unit_of_many_is_what_the_price_is_for_or_what_is_counted(
    unit: str, cells: str, prices: float | None
) -> None:
    header = "Date;Supplier;Product;Currency;Quantity;Unit;Unit price;Total"
    _, [row] = look_at(f"{header}\n2025-03-05;Norvale;Key;EUR;{cells.format(unit)}\n", "purchases")
    assert row.get("unitPrice", REFUSED) == prices


@pytest.mark.parametrize("begin", ["<table><tag>", '\ufeff<HTML xmlns:x="x">\n', '<?xml version="1.0"?>'])
def test_a_web_page_that_is_called_a_workbook_is_named(begin: str) -> None:
    with pytest.raises(UnreadableTable, match="web page or XML"):
        look_at(f"{begin}Date,Supplier,Product,Quantity,Unit price\n")


def test_a_day_that_is_of_2013_or_of_2024_is_refused() -> None:
    """1130506 has a figure for its century, or a year of the Republic of China."""
    _, rows = look_at("date,supplier,product,quantity,price\n1130506,Acme,Saw,1,20\n", "purchases")
    assert rows == [{"row": 2, "refused": "date '1130506' is not a date"}]


@pytest.mark.parametrize(
    ("heading", "cell", "day"),
    [
        ("Order date (CYYMMDD)", "1250305", "2025-03-05"), ("date", "1240229", "2024-02-29"),
        ("date", "2025064", "2025-03-05"), ("Order date (DD/MM/YYYY)", "04/03/2025", "2025-03-04"),
        ("Order date [MM/DD/YY]", "03/04/25", "2025-03-04"), ("Datum (TT.MM.JJ)", "04.03.25", "2025-03-04"),
    ],
)  # fmt: skip
def test_a_heading_says_how_its_days_are_written(heading: str, cell: str, day: str) -> None:
    about, [row] = look_at(f"{heading},Supplier,Product,Qty,Price,Currency\n{cell},Acme,Saw,1,20,EUR\n")
    assert (row["date"], about["asks"]) == (day, [])


def test_columns_of_a_fixed_width_are_parted_as_their_ruler_shows() -> None:
    table = """PODATE   VENDNAME          PRODUCT    QTY PRICE CURR C
-------- ----------------- -------- ----- ----- ---- -
20250115 Norvale Tools Ltd Key 3        2  1.50 EUR N
19991231 Acme              Saw         10 20.00 EUR N
"""
    _, rows = look_at(table, "purchases", mapping={"purchase_date": "PODATE", "supplier": "VENDNAME"})
    found = [(row["date"], row["supplier"], row["product"], row["quantity"]) for row in rows]
    assert found == [("2025-01-15", "Norvale Tools Ltd", "Key 3", 2), ("1999-12-31", "Acme", "Saw", 10)]


@pytest.mark.parametrize(
    ("period", "start", "end"),
    [
        ("01.02.2024 - 31.01.2025", "2024-02-01", "2025-01-31"),
        ("2024-02-01 to 2025-01-31", "2024-02-01", "2025-01-31"),
        ("2024-02-01–2025-01-31", "2024-02-01", "2025-01-31"),
        ("vom 1. Februar 2024 bis 31. Januar 2025", "2024-02-01", "2025-01-31"),
        ("until 31 Jan 2025", None, "2025-01-31"),
        ("ab 25.02.2024", "2024-02-25", None),
        ("na czas nieokreślony", None, None),
    ],
)
def test_a_period_in_one_cell_has_two_days(period: str, start: str | None, end: str | None) -> None:
    _, [row] = look_at(f"Contract no;Supplier;Contract period\nC1;Norvale;{period}\n", "agreements")
    assert (row.get("termStart"), row.get("termEnd")) == (start, end)
    assert ("left out" in row.get("doubt", "")) == (start is None and end is None)


@pytest.mark.parametrize(
    ("headings", "cells", "found"),
    [
        ("Ordered,Received,Net price (VV),Amount (VV),Amount (EUR)", "4,3,2.5,10,11.9", (4, 2.5, 10)),
        ("Ordered quantity,Canceled quantity,Received quantity,Price,Amount", "5,1,4,2.5,10", (4, 2.5, 10)),
        ("Qty,Price,PE,Amount", "400,2.5,100,10", (400, 0.025, 10)),
        ("sum(PO Quantity),[PO] Unit price,sum(PO Spend)", "4,2.5,10", (4, 2.5, 10)),
        ("Ordered,Net price (local),Amount (EUR)", "4,2.5,11", None),
        ("Qty,Unit price (foreign currency),Unit price (EUR)", "4,2.5,2.9", (4, 2.5, 10)),
    ],
)
def test_what_was_ordered_is_told_from_what_was_received(headings: str, cells: str, found: Any) -> None:
    """None: a price that nobody here understands shows that there are lines, and so a quantity is needed."""
    about, rows = look_at(f"Date,Supplier,Product,{headings},Currency\n2025-03-05,Norvale,Key,{cells},GBP\n")
    if found is None:
        assert about["missing"] == ["quantity"]
    else:
        assert [(row["quantity"], row["unitPrice"], row["amount"]) for row in rows] == [found]
