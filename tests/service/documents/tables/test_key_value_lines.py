"""Lines set as blocks of labels and values."""

from app.service.documents.extraction import LineItem
from app.service.documents.tables.key_value_lines import read_key_value_lines
from tests.service.documents.typewriter import type_document

TWO = """
    Editor seats
    Quantity:     10
    Unit price:   5.00
    Total:        50.00

    Viewer seats
    Quantity:     2
    Unit price:   1.50
    Total:        3.00
"""


def read(text: str) -> list[LineItem]:
    return read_key_value_lines(type_document(text).rows)


def test_blocks_that_multiply_are_lines() -> None:
    items = read(TWO)
    assert [(item.description, item.quantity, item.unit_price, item.amount) for item in items] == [
        ("Editor seats", 10, 5, 50),
        ("Viewer seats", 2, 1.5, 3),
    ]
    assert all(item.provenance["amount"].verified for item in items)


def test_fields_may_stand_side_by_side() -> None:
    items = read(
        "Editor seats\nQty: 10   Price: 5.00   Total: 50.00\nViewer seats\nQty: 2   Price: 1.50   Total: 3.00"
    )
    assert [item.amount for item in items] == [50, 3]


def test_one_block_or_blocks_that_do_not_multiply_are_none() -> None:
    assert read(TWO.split("Viewer")[0]) == []
    assert read(TWO.replace("3.00", "4.00")) == []


DETAILED = """
1. Editor seats
Qty: 10
- for writers
* with support
Price per unit: 5.00
Line total: 50.00
2. Viewer seats
Qty: 2
Price per unit: 1.50
Line total: 3.00
3. Onboarding
- one morning
Package price: 7.00
Subtotal: 60.00
"""
