"""Prices that are stated for several units together."""

from decimal import Decimal

import pytest

from app.service.documents.reading import read_document

HEAD = "Acme Tools Ltd\nQuote Q-1\nDate: 2026-03-14\nCurrency: EUR\n\n"
THOUSANDS = "\nScrew,5000,12.50,62.50\nWasher,2000,80.00,160.00"
HUNDREDS = "\nScrew,500,12.50,62.50\nWasher,200,80.00,160.00"
ONES = "\nScrew,5,12.50,62.50\nWasher,2,80.00,160.00"


@pytest.mark.parametrize(
    ("table", "quantity", "unit", "price"),
    [
        ("Item,Qty,Price per 1000,Amount" + THOUSANDS, 5000, None, "0.0125"),
        ("Item,Qty,Price per M,Amount" + THOUSANDS, 5000, None, "0.0125"),
        ("Item,Qty,Price/100,Amount" + HUNDREDS, 500, None, "0.125"),
        ("Item,Qty,Price per 1000\nScrew,5000,12.50\nWasher,2000,80.00", 5000, None, "0.0125"),
        ("Artikel,Menge,Preis je 100 Stück,Betrag" + HUNDREDS, 500, None,
         "0.125"),
        ("Item,Qty,Unit,Unit price,Amount\nScrew,5000,per 1000 pcs,12.50,62.50"
         "\nWasher,2000,per 1000 pcs,80.00,160.00",
         5000, "pcs", "0.0125"),
        ("Item,Qty,Unit,Unit price,Amount\nScrew,5,100 pcs,12.50,62.50"
         "\nWasher,2,100 pcs,80.00,160.00", 5, "100 pcs",
         "12.50"),
        ("Item,Qty,UOM,Unit price,Amount\nScrew,5000,M,12.50,62.50\nWasher,200,C,80.00,160.00"
         "\nVice,2,E,80.00,160.00", 5000, "M", "0.0125"),
        ("Artikel,Menge,PE,Preis je PE,Betrag\nScrew,5000,1000,12.50,62.50\nWasher,200,100,80.00,160.00",
         5000, None, "0.0125"),
        ("Item,Qty (100s),Price per 100,Amount" + ONES, 5, None, "12.50"),
        ("Item,Qty,Price per unit,Amount" + ONES, 5, None, "12.50"),
    ],
)  # fmt: skip
def test_a_line_knows_the_price_of_one_unit(table: str, quantity: int, unit: str | None, price: str) -> None:
    first = read_document((HEAD + table + "\n").encode(), "quote.csv").line_items[0]
    assert (first.quantity, first.unit, first.price_before_tax) == (quantity, unit, Decimal(price))
