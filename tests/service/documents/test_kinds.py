"""What a document is, by its title, its fields and what it asks for."""

import pytest

from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder


def kind(*texts: tuple[str, float]) -> str:
    lines = [
        pdf_builder.Text(60, 60 + 30 * number, text, size=size) for number, (text, size) in enumerate(texts)
    ]
    return read_document(pdf_builder.pdf(lines), "page.pdf").kind


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("Adjustment Note", "invoice"), ("CREDIT MEMO", "invoice"), ("Kassabon", "invoice"),
        ("TICKET", "invoice"), ("DECLARATIE", "invoice"), ("Verlengingsofferte", "quote"),
        ("Contractformulier", "contract"), ("Tariff 2026", "price_list"), ("Bon de commande", "order"),
        ("Check #31877", "invoice"),
    ],
)  # fmt: skip
def test_a_title_names_the_kind(title: str, named: str) -> None:
    assert kind((title, 14), ("Example Trading, 12 Harbour Street", 10)) == named


def test_a_heading_far_below_the_title_is_none() -> None:
    clauses = [(f"Clause {number} of the offer", 10.0) for number in range(22)]
    assert kind(("PROPOSAL GM-1907", 10), *clauses, ("Agreement", 12)) == "quote"


def test_what_was_paid_for_is_a_receipt() -> None:
    assert kind(("Brackendale Stores", 14), ("TOTAL £23.87", 10), ("CHANGE £6.13", 10)) == "invoice"


def test_an_order_to_be_signed_by_a_day_is_the_sellers_form() -> None:
    assert kind(("Add-on order KO-70417", 14), ("Sign by: 31 December 2025", 10)) == "order_form"
