"""The total of a quote whose lines were corrected."""

from dataclasses import replace
from decimal import Decimal

from app.service.scopes.quote import QuoteLine, follow_corrections


def test_a_line_that_was_in_the_total_without_an_amount_adds_nothing() -> None:
    first = QuoteLine(0, "Analytics", "product", Decimal(5000))
    second = QuoteLine(1, "Support", "product")
    corrected = [first, replace(second, amount=Decimal(6500))]
    assert follow_corrections(Decimal(12_000), [first, second], corrected) == 12_000
    assert follow_corrections(Decimal(12_000), [first], corrected) == 18_500, "it was not in it"
