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


TERMS = "2025-01-02,Acme,Key,3,300,EUR"


@pytest.mark.parametrize(
    ("more", "cells", "said", "values"),
    [
        ("Price per quarter|Currency|Months", "12", {}, (1_200, "year", 3_600)),
        ("Preis pro Halbjahr|Currency|Months", "12", {}, (600, "year", 1_800)),
        ("Semi-annual price|Currency|Months", "24", {}, (600, "year", 3_600)),
        ("Price per month|Currency|Months", "", {}, (300, "month", 900)),
        ("Price (EUR/quarter)|Currency|Months", "6", {}, (1_200, "year", 1_800)),
        ("Price|Currency|Months|Price per", "12,quarterly", {}, (1_200, "year", 3_600)),
        ("Price|Currency|Months|Price per", "12,Semestre", {}, (600, "year", 1_800)),
        ("Price|Currency|Months|Price per", "12,4 months", {}, "refused"),
        ("Price|Currency|Months|Total", "12,3600", {}, (1_200, "year", 3_600)),
        ("Price|Currency|Months|Total", "12,1800", {}, (600, "year", 1_800)),
        ("Price|Currency|Months", "12", {"price_per": "quarter"}, (1_200, "year", 3_600)),
        ("Price|Currency|Months", "12", {"price_per": "half_year"}, (600, "year", 1_800)),
    ],
)
def test_a_price_per_quarter_is_a_fourth_of_a_year(
    more: str, cells: str, said: dict[str, Any], values: Any
) -> None:
    header = f"Date,Supplier,Product,Quantity,{more.replace('|', ',')}"
    about, rows = look_at(f"{header}\n{TERMS},{cells}\n", "purchases", **said)
    assert list_asked(about) == []
    if values == "refused":
        assert "refused" in rows[0]
    else:
        assert tuple(rows[0][name] for name in ("unitPrice", "per", "amount")) == values


@pytest.mark.parametrize(
    ("heading", "total"),
    [
        ("Annual fee", 1_800),
        ("Semi-annual cost", 3_600),
        ("Valor semestral", 3_600),
        ("Amount per quarter", 7_200),
        ("Quartalsbetrag (EUR)", 7_200),
        ("Monatliche Kosten", 21_600),
        ("Valeur mensuelle", 21_600),
    ],
)
def test_the_value_of_a_period_is_that_of_the_term_and_doubted(heading: str, total: float) -> None:
    _, [row] = look_at(f"Contract,Supplier,Start,End,{heading}\nA,Acme,2025-01-01,2026-06-30,1200\n")
    assert (row["totalValue"], heading in row["doubt"]) == (total, True)
