"""What is left to pay after a payment is no total."""

import pytest

from app.service.documents.pipeline import read_pages
from tests.service.documents.typewriter import type_page


@pytest.mark.parametrize(
    ("title", "deduction", "total"),
    [
        ("Invoice 77", "Less prepayment of 20 May     500.00", 1320),
        ("Invoice 77", "Already settled              -500.00", 1320),
        ("Invoice 77", "Discount                     -500.00", 820),
        ("Quotation 77", "Concession                 -500.00", 820),
    ],
)
def test_what_a_payment_leaves_is_no_total(title: str, deduction: str, total: int) -> None:
    page = type_page(f"{title}\n\nInvoice amount     1,320.00\n{deduction}\nTotal     820.00\n")
    assert read_pages([page], "bill.pdf").total == total
