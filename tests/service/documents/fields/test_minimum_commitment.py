"""The least that is paid, in sentences and in rows, and what is none."""

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.fields.minimum_commitment import find_minimum_commitment
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    ("text", "amount", "months"),
    [
        ("Minimum annual commitment: USD 50,000.00", 50_000, 12),
        ("The customer agrees to a minimum spend of USD 2,500 per month.", 2_500, 1),
        (
            "A minimum purchase commitment of USD 120,000.00 applies over the term of 36 months.",
            120_000,
            None,
        ),
        ("Minimum commitment   USD 75,000.00   per year", 75_000, 12),
        ("Es gilt ein Mindestumsatz von 12.000,00 EUR pro Jahr.", 12_000, 12),
        ("Mindestabnahme: 30.000,00 EUR", 30_000, None),
        ("Engagement annuel minimum : 18 000,00 EUR par an", 18_000, 12),
        ("Compromiso minimo de 9.000,00 EUR al año.", 9_000, 12),
        ("USD 40,000.00 is the committed spend for the term.", 40_000, None),
        ("Minimum commitment: 36 months", None, None),
        ("The minimum term is 12 months at USD 100.00 a month.", None, None),
        ("Orders below the minimum order value of USD 500.00 are charged USD 25.00.", None, None),
    ],
)
def test_the_least_that_is_paid_has_its_period(text: str, amount: int | None, months: int | None) -> None:
    document = type_document(text)
    found = find_minimum_commitment(document.sentences, document.rows, ())
    assert (found.amount, found.months) == (amount, months) if found else amount is None


def test_one_that_is_a_line_is_counted_there_and_two_are_doubted() -> None:
    document = type_document("Minimum annual commitment: USD 50,000.00")
    line = LineItem(description="Minimum annual commitment", amount=document.rows[0].figures[0].value)
    assert find_minimum_commitment(document.sentences, document.rows, [line]) is None
    document = type_document(
        "Minimum annual commitment: USD 50,000.00\n\nMinimum annual commitment: USD 60,000.00"
    )
    found = find_minimum_commitment(document.sentences, document.rows, ())
    assert found is not None
    assert found.amount is None
    assert found.warning
