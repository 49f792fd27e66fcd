"""Web pages that systems call workbooks: their tables are read as sheets are."""

from typing import Any

import pytest

from tests.service.imports.dry_reading import look_at

HEADINGS = "".join(
    f"<th>{name}</th>" for name in ("Order", "Date", "Supplier", "Product", "Quantity", "Price", "Currency")
)
REFUSED = None


def make_page(*rows: str, head: str = "", above: str = "") -> str:
    body = "".join(f"<tr>{row}</tr>\n" for row in (f"{above}<tr>{HEADINGS}</tr>", *rows))
    return f"<html><head>{head}</head><body><h1>Orders</h1><table border=1>{body}</table></body></html>"


def make_cells(*cells: str) -> str:
    return "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("cp1252", '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
    ],
)
def test_a_table_of_a_web_page_is_read_with_its_entities(encoding: str, head: str) -> None:
    row = make_cells(
        "A1", "2025-03-05", "Müller &amp; Söhne", "<b>Key</b><br>steel&nbsp;", "2", "5.50", "EUR"
    )
    title = '<tr><td colspan="7">Orders of March</td></tr>'
    _, [found] = look_at(make_page(row, head=head, above=title).encode(encoding))
    assert (found["supplier"], found["product"]) == ("Müller & Söhne", "Key steel")
    assert (found["quantity"], found["unitPrice"]) == (2, 5.5)


@pytest.mark.parametrize(
    ("merged", "values"),
    [
        (0, ("4500017001", 2, 5.5)),
        (2, ("A1", 2, 5.5)),
        (4, REFUSED),
        (5, REFUSED),
    ],
)
def test_a_cell_over_several_rows_is_of_each_unless_it_is_an_amount(merged: int, values: Any) -> None:
    first = ["A1", "2025-03-05", "Acme", "Key", "2", "5.50", "EUR"]
    if merged == 0:
        first[0] = "4500017001"
    second = [cell for at, cell in enumerate(first) if at != merged]
    first[merged] = f'<td rowspan="2">{first[merged]}</td>'
    _, rows = look_at(make_page(make_cells(*first), make_cells(*second)))
    found = [
        REFUSED if "refused" in row else (row["orderId"], row["quantity"], row["unitPrice"]) for row in rows
    ]
    assert found == [values, values]


def test_the_largest_table_is_read_and_the_others_are_named() -> None:
    layout = "<table><tr><td>Menu</td></tr></table>"
    page = make_page(make_cells("A1", "2025-03-05", "Acme", "Key", "2", "5.50", "EUR"))
    about, rows = look_at(page.replace("<h1>Orders</h1>", layout))
    assert (about["sheet"], [row["supplier"] for row in rows]) == ("Table 2", ["Acme"])
