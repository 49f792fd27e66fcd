"""What a price of a table is for, and in which currency: by headings, units below them, and cells."""

from typing import Any

import pytest

from tests.service.imports.dry_reading import list_asked, look_at

ROWS = "2025-01-02,Acme,Key,3,12.5\n" * 2
VALUES = ("quantity", "unit", "unitPrice", "per", "amount", "currency")


@pytest.mark.parametrize(
    ("quantity", "price", "values"),
    [
        ("Qty", "Unit price (EUR)", (3, None, 12.5, "once", 37.5, "EUR")),
        ("Qty (pcs)", "Unit price (EUR)", (3, "C62", 12.5, "once", 37.5, "EUR")),
        ("Qty", "Unit price (EUR per 100)", (3, None, 0.125, "once", 0.375, "EUR")),
        ("Qty", "Preis (EUR/1.000 St)", (3, None, 0.0125, "once", 0.0375, "EUR")),
        ("Qty (kg)", "Unit price [€/100 kg]", (3, "KGM", 0.125, "once", 0.375, "EUR")),
        ("Qty (t)", "Unit price (EUR/kg)", (3, "TNE", 12_500, "once", 37_500, "EUR")),
        ("Qty (kg)", "Price (USD/t)", (3, "KGM", 0.0125, "once", 0.0375, "USD")),
        ("Qty", "Unit price (in EUR, excl. 19 % MwSt.)", (3, None, 12.5, "once", 37.5, "EUR")),
        ("Qty (hours)", "Price (EUR per day)", None),
        ("Qty (pcs)", "Unit price (EUR/kg)", "refused"),
        ("Qty", "Unit price (TEUR)", None),
        ("Qty", "Unit price (1,000 EUR)", None),
        ("Qty", "Unit price (Mio. EUR)", None),
        ("Qty", "Unit price (USD thousands)", None),
        ("Qty", "Unit price (EUR '000)", None),
    ],
)
@pytest.mark.parametrize("below", [False, True], ids=["in brackets", "in a row below"])
def test_a_price_is_for_what_its_heading_says(quantity: str, price: str, values: Any, below: bool) -> None:
    """None is a heading that nobody here understands: the column is offered, and nothing read from it."""
    heads = ["Date", "Supplier", "Product", quantity, price]
    if below:
        parted = [head.replace("[", "(").rstrip(")]").split(" (") for head in heads]
        units = [part[1] if len(part) > 1 else "" for part in parted]
        text = ",".join(part[0] for part in parted) + "\n" + ",".join(f'"{unit}"' for unit in units)
    else:
        text = ",".join(f'"{head}"' for head in heads)
    about, rows = look_at(f"{text}\n{ROWS}", "purchases")
    assert list_asked(about) == []
    if values is None:
        assert (about["missing"], about["columns"][4]["suggestion"]) == (["unit_price"], "unit_price")
    elif values == "refused":
        assert all("refused" in row for row in rows)
    else:
        assert [tuple(row.get(name) for name in VALUES) for row in rows] == [values, values]
