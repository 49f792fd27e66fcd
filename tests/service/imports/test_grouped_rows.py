"""A party that stands in the first row of a group alone: asked once, and never taken for that of a total."""

import pytest

from app.contract.imports import ImportKind
from tests.service.imports.dry_reading import list_asked, look_at

HEADER = "Date,Supplier,Order no,Product,Quantity,Unit price,Currency\n"
GROUPS = """2025-03-05,Acme,A1,Key,1,5,EUR
,,,Vice,2,6,
,,A1,Saw,3,7,EUR
2025-03-06,Brook,B1,Nut,4,8,GBP
,,,Bolt,5,9,
"""


@pytest.mark.parametrize("answer", [None, "above", "missing"])
def test_blank_cells_of_a_group_are_asked_for_once(answer: str | None) -> None:
    about, rows = look_at(HEADER + GROUPS, blank_cells=answer)
    assert list_asked(about).count("blank_cells") == (answer is None)
    found = [(row.get("supplier"), row.get("date"), row.get("orderId"), row.get("currency")) for row in rows]
    first, second = ("Acme", "2025-03-05", "A1", "EUR"), ("Brook", "2025-03-06", "B1", "GBP")
    none = (None, None, None, None)
    if answer == "missing":
        assert found == [first, none, none, second, none]
    else:
        assert found == [first, first, first, second, second]


@pytest.mark.parametrize(
    "row",
    [
        ",,,Total,,11,EUR",
        ",,,Subtotal Acme,,11,EUR",
        "Total,,,,,11,EUR",
        ",Grand total,,,,11,EUR",
        ",,,Zwischensumme:,,11,EUR",
        "I alt,,,,,11,EUR",
        "Totale generale,,,,,11,EUR",
        ",,B7,Vice,1,5,EUR",
        ",Brook,,Vice,1,5,EUR",
        "2025-03-09,,,Vice,1,5,EUR",
        ",Acme,A1,Vice,1,5,EUR",
        ",,,Vice,1,5,USD",
    ],
)
def test_totals_and_rows_of_another_group_are_not_filled(row: str) -> None:
    _, rows = look_at(f"{HEADER}2025-03-05,Acme,A1,Key,1,5,EUR\n{row}\n", blank_cells="above")
    assert ["refused" in one for one in rows] == [False, True]


def test_a_list_of_contracts_in_groups_is_asked_for_and_one_with_gaps_is_not() -> None:
    header = "Supplier,Contract,Start,End\n"
    grouped = "".join(
        f"{name},C{at},2025-01-01,2025-12-31\n" for at, name in enumerate(["Acme", "", "", "Brook", ""])
    )
    about, rows = look_at(header + grouped)
    assert list_asked(about) == ["blank_cells"]
    assert [row["supplierName"] for row in rows] == ["Acme", "Acme", "Acme", "Brook", "Brook"]
    gaps = "".join(
        f"{name},C{at},2025-01-01,2025-12-31\n" for at, name in enumerate(["Acme", "Acme", "", "Brook", ""])
    )
    about, rows = look_at(header + gaps)
    assert list_asked(about) == []
    assert [row.get("supplierName") for row in rows] == ["Acme", "Acme", None, "Brook", None]


ORDERS = "Order,{revision},Line,Date,Supplier,Item description,Quantity,Price,Currency\n"
LAST = ["A1 12 9", "A1 5 2", "A2 1 7"]


@pytest.mark.parametrize("revision", ["Revision", "Rev.", "PO Revision", "Change order", "Nachtrag"])
@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        (["A1,0,1,10,8", "A1,1,1,12,9", "A1,0,2,5,2", "A2,,1,1,7"], LAST),
        (["A1,1,1,12,9", "A1,0,1,10,8", "A1,0,2,5,2", "A2,0,1,1,7"], LAST),
        (["A1,2,1,3,9", "A1,10,1,4,8"], ["A1 4 8"]),
        (["A1,A,1,3,9", "A1,B,1,4,8"], ["A1 4 8"]),
        (["A1,0,1,3,9", "A2,0,1,1,7", "A1,1,1,4,8"], ["A2 1 7", "A1 4 8"]),
        (["A1,1,1,3,9", "A1,1,1,4,9"], ["A1 3 9", "A1 4 9"]),
    ],
)
def test_of_the_revisions_of_a_line_the_last_counts(
    revision: str, rows: list[str], counts: list[str]
) -> None:
    cells = [row.split(",") for row in rows]
    table = "".join(
        f"{order},{number},{line},2025-03-05,Acme,Key,{count},{price},EUR\n"
        for order, number, line, count, price in cells
    )
    about, found = look_at(ORDERS.format(revision=revision) + table)
    assert [column["use"] for column in about["columns"]][1] == "read"
    bought = [
        f"{row['orderId']} {row['quantity']:g} {row['unitPrice']:g}" for row in found if "refused" not in row
    ]
    assert bought == counts


def test_rows_that_differ_in_their_revision_alone_are_one() -> None:
    row = "2025-03-05,Acme,{part},1,5,EUR"
    rows = [("A1", 0, "Key"), ("A1", 1, "Key"), ("A1", 1, "Nut"), ("", 0, "Saw"), ("", 1, "Saw")]
    table = "".join(f"{order},{revision},{row.format(part=part)}\n" for order, revision, part in rows)
    _, found = look_at(f"Order,Revision,Date,Supplier,Product,Quantity,Price,Currency\n{table}")
    assert [row.get("product", row.get("refused")) for row in found] == [
        *("line 3 has another revision of this row", "Key", "Nut", "Saw", "Saw"),
    ]


@pytest.mark.parametrize(
    ("product", "is_tax"),
    [
        *(
            ("TAX", True),
            ("Sales tax 8.25 %", True),
            ("MwSt.-Betrag", True),
            ("TVA 20%", True),
            ("税额", True),
        ),
        *(("Tax advice", False), ("Steuerberatung", False), ("Sales", False), ("Value", False)),
    ],
)
def test_a_tax_is_no_purchase(product: str, is_tax: bool) -> None:
    _, [_, row] = look_at(f"{HEADER}2025-03-05,Acme,A1,Key,1,5,EUR\n2025-03-05,Acme,A1,{product},1,4,EUR\n")
    assert ("refused" in row) == is_tax


SUPPLIERS = "Supplier,Country,Website\nAcme,DE,acme.com\nBrook,FR,brook.com\n"


@pytest.mark.parametrize(
    ("below", "names"),
    [
        ("\nPrinted on 1 April\nPage 1\n", []),
        ("Record count: 2\n", []),
        (",,\n,Source: treasury,\n", []),
        ("Cove,,\n", ["Cove"]),
        ("\nCove,,\nDune,ES,dune.com\n", ["Cove", "Dune"]),
    ],
)
def test_a_remark_below_a_table_is_no_row_of_it(below: str, names: list[str]) -> None:
    _, rows = look_at(SUPPLIERS + below, "catalog")
    assert [row["supplier"] for row in rows if "refused" not in row] == ["Acme", "Brook", *names]
    reasons = {row["refused"] for row in rows if "refused" in row}
    assert reasons <= {"is a remark below the table"}


def test_the_sum_of_contracts_is_none() -> None:
    table = "Contract number,Supplier,Start date,End date,Value (EUR)\nC1,Acme,2025-01-01,2025-12-31,5\n"
    _, rows = look_at(f"{table}Total,,,,5\n")
    assert {row["row"]: row.get("refused") for row in rows} == {2: None, 3: "is the sum of other rows"}


LINES = "Date;Product;Quantity;Unit price;Currency\n{}2025-03-05;Key;2;10;EUR\n{}2025-03-06;Saw;1;20;EUR\n"


@pytest.mark.parametrize(
    ("lines", "column", "suppliers"),
    [
        (("Alder GmbH\n", "Brook Ltd\n"), "Line above", ["Alder GmbH", "Brook Ltd"]),
        (("Vendor: Alder GmbH;;;;\n", ""), None, ["Alder GmbH", "Alder GmbH"]),
        (("A/C: A1  Name: Alder\n", "A/C: B2  Name: Brook\n"), "Name", ["Alder", "Brook"]),
        (("Alder GmbH\nOrder 1\n", "Order 2\n"), "Line above", ["Alder GmbH", "Alder GmbH"]),
    ],
)
def test_a_line_above_rows_is_a_column_of_theirs(
    lines: tuple[str, str], column: str | None, suppliers: list[str]
) -> None:
    content = LINES.format(*lines)
    about, rows = look_at(content, "purchases", mapping={"supplier": column} if column else {})
    assert about["missing"] == []
    assert [row["supplier"] for row in rows if "refused" not in row] == suppliers
    assert {row["refused"] for row in rows if "refused" in row} == {"stands above a group of rows"}


def test_a_supplier_of_which_nothing_else_is_known_is_no_line_above() -> None:
    content = "Name;Category;Website;Country\nAlder;Tools;alder.example;DE\nBrook\nCedar;Paper;;FR\n"
    _, rows = look_at(content, "catalog")
    assert [row.get("supplier") for row in rows] == ["Alder", "Brook", "Cedar"]


@pytest.mark.parametrize(
    ("title", "column", "supplier"),
    [
        ("Vendor: Alder GmbH", None, "Alder GmbH"),
        ("Orders of June\nLieferant;Alder GmbH", None, "Alder GmbH"),
        ("Alder GmbH\nOrders of June", "Line above", "Alder GmbH"),
        ("Alder & Sons – Price list, June 2025", "Line above", "Alder & Sons"),
        ("Alder - Brook", "Line above", "Alder - Brook"),
        ("Vendor no: 100234", None, None),
        ("Company: Our house", None, None),
    ],
)
@pytest.mark.parametrize("kind", ["purchases", "catalog"])
def test_a_title_may_name_the_supplier_of_a_table(
    title: str, column: str | None, supplier: str | None, kind: ImportKind
) -> None:
    """One that nothing calls a supplier is offered."""
    content = f"{title}\n\n{LINES.format('', '')}"
    name = "supplier" if kind == "purchases" else "name"
    about, rows = look_at(content, kind, mapping={name: column} if column else {})
    assert (name in about["missing"]) == (supplier is None)
    assert {row["supplier"] for row in rows} == ({supplier} if supplier else set())
    if supplier is None or column:
        about, _ = look_at(content, kind)
        assert [one["name"] for one in about["columns"] if one.get("suggestion") == name] == ["Line above"]


def test_numbers_alone_below_a_group_are_no_line_of_it() -> None:
    header = "Supplier,Date,Product,Qty,Price,Discount,Total,Currency\n"
    lines = "Acme,2025-02-05,Key,10,2,0,20,EUR\n,,4711,10,2,2,18,EUR\n,,,20,,2,38,\n"
    about, rows = look_at(header + lines, "purchases", blank_cells="above")
    assert [row.get("product") for row in rows] == ["Key", "4711", None]
    about, _ = look_at(header + lines.replace(",,4711,10,2,2,18,EUR\n", ""), "purchases")
    assert list_asked(about) == []
