"""What was read from a document, as JSON."""

from datetime import date
from decimal import Decimal

from app.service.documents.extraction import Box, Extraction, LineItem, Provenance

SEEN = Provenance(2, Box(1, 2, 3.04, 4), 0.98765, verified=True)


def test_values_become_plain_numbers_and_dates_and_absent_ones_are_left_out() -> None:
    extraction = Extraction(
        "quote.pdf",
        kind="quote",
        document_date=date(2025, 3, 4),
        total=Decimal("1500.50"),
        auto_renew=False,
        line_items=(LineItem(quantity=Decimal("10.00"), provenance={"quantity": SEEN}),),
        provenance={"total": Provenance(None, None, 1.0)},
    )
    assert extraction.to_json() == {
        "file": "quote.pdf",
        "kind": "quote",
        "document_date": "2025-03-04",
        "total": 1500.5,
        "auto_renew": False,
        "line_items": [{"quantity": 10}],
        "warnings": [],
        "evidence": {
            "total": {"confidence": 1.0},
            "line_items": [
                {"quantity": {"confidence": 0.988, "page": 2, "box": [1, 2, 3.0, 4], "sure": True}}
            ],
        },
    }


def test_boxes_join_and_know_their_measures() -> None:
    box = Box(0, 0, 10, 4).joined(Box(5, 2, 20, 6))
    assert box == Box(0, 0, 20, 6)
    assert (box.width, box.height, box.centre, box.middle) == (20, 6, 10, 3)
