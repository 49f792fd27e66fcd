"""Imports for the examples of the components."""

from datetime import timedelta

from app.contract.imports import (
    Import,
    ImportColumn,
    ImportField,
    ImportKindMatch,
    ImportOption,
    ImportPreview,
    ImportQuestion,
    ImportRemoval,
    ImportResult,
    LeftOutColumn,
    RefusedRow,
)
from tests.components.fixtures import NOON, make_id


def make_preview() -> ImportPreview:
    """Return what the check of a file of purchases found."""
    return ImportPreview(
        columns=[
            ImportColumn(name="Order date", field="purchase_date", use="field"),
            ImportColumn(name="Vendor", field="supplier", use="field"),
            ImportColumn(name="Item", field="product", use="field"),
            ImportColumn(name="Price", field="unit_price", use="field"),
            ImportColumn(name="Edition", use="dimension"),
        ],
        fields=[
            ImportField(name="purchase_date", required=True),
            ImportField(name="supplier", required=True),
            ImportField(name="product", required=True),
            ImportField(name="unit_price", required=True),
            ImportField(name="quantity", required=False),
        ],
        missing=[],
        rows=[["2026-01-11", "Acme Cloud", "Platform", "120", "gold"]],
        total=3,
        new=1,
        repeated=1,
        refused=1,
        kinds=[
            ImportKindMatch(kind="purchases", missing=[]),
            ImportKindMatch(kind="catalog", missing=["name"]),
            ImportKindMatch(kind="rates", missing=["date", "currency", "rate"]),
        ],
        refusals=[RefusedRow(line=4, column="Order date", reason="Order date 'soon' is not a date")],
        sentences=["Platform: 1 × USD 120.00 = USD 120.00 from Acme Cloud, 11 January 2026"],
        notes=["Two lines above the headings are no rows."],
        left_out=[
            LeftOutColumn(name="Annual Value", looks_like="money"),
            LeftOutColumn(name="Signed on", looks_like="dates"),
        ],
    )


def make_questions() -> list[ImportQuestion]:
    """Return a question of each form: with meanings, with a code to type, with words to tick."""
    return [
        ImportQuestion(
            name="number_format",
            question="1.500 is 1,500 or 1.5. Which is meant?",
            options=[
                ImportOption(value="point", meaning="1.500 is 1.5"),
                ImportOption(value="comma", meaning="1.500 is 1,500"),
            ],
        ),
        ImportQuestion(
            name="currency",
            question="No column, heading or price names the currency. Which is it?",
            options=[ImportOption(value="USD", meaning="USD, the usual currency here")],
        ),
        ImportQuestion(
            name="states",
            question="Which of these words in Status are on orders that are purchases?",
            options=[ImportOption(value=word, meaning=word) for word in ("booked", "parked")],
        ),
    ]


def make_import(status: str, number: int = 700) -> Import:
    """Return an import in this status."""
    result = ImportResult(imported=1, repeated=1, refused=1, companies=1, products=1)
    removal = ImportRemoval(rows=1, entries=2, kept=["1 product (Platform): a quote refers to it."])
    return Import(
        id=make_id(number),
        status=status,
        kind="purchases",
        file_id=make_id(number + 1),
        filename="orders_2026.csv",
        preview=None if status == "checking" else make_preview(),
        rows_done=2 if status == "importing" else 0,
        result=result if status in ("completed", "undone") else None,
        removal=removal if status == "undone" else None,
        error="The file is empty." if status == "failed" else None,
        created_at=NOON,
        updated_at=NOON,
        undo_until=NOON + timedelta(days=1) if status == "completed" else None,
    )
