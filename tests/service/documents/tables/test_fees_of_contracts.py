"""Fees that a contract states in its sentences."""

import pytest

from app.service.documents.tables.sentence_lines import read_fees
from tests.service.documents.typewriter import type_sentences


@pytest.mark.parametrize(
    ("said", "name", "amount", "months"),
    [
        ("Client shall pay a monthly service fee of £3,825.00.", "monthly service fee", 3825, 1),
        ("An annual licence fee of £6,400.00 is invoiced.", "annual licence fee", 6400, 12),
        ("A one-off onboarding fee of £2,950.00 is payable.", "one-off onboarding fee", 2950, None),
        ("Es wird eine jährliche Pauschale von 420,00 € berechnet.", "jährliche Pauschale", 420, 12),
        ("Le client verse une redevance mensuelle de 350,00 € HT.", "redevance", 350, 1),
        ("The monthly rate of the service fee is £80.00.", "service fee", 80, 1),
        ("The monthly fee will increase from £80.00 to £85.00.", "monthly fee", 85, 1),
        ("Die monatliche Gebühr steigt von 80,00 € auf 85,00 €.", "monatliche Gebühr", 85, 1),
        ("Il canone annuo è di € 1.200,00 oltre IVA.", "canone", 1200, 12),
    ],
)  # fmt: skip
def test_a_fee_is_a_line_with_how_often_it_is_paid(
    said: str, name: str, amount: int, months: int | None
) -> None:
    [fee] = read_fees(type_sentences(said))
    assert (fee.description, fee.quantity, fee.amount, fee.period_months) == (name, 1, amount, months)
    assert not fee.provenance["amount"].verified


@pytest.mark.parametrize(
    ("said", "quantity", "price", "amount"),
    [
        ("Client shall pay a monthly fee of £3,825.00 (being £45.00 per user per month).", 85, 45, 3825),
        (
            "Die Vergütung beträgt je Anlage und Monat 148,50 €, insgesamt 594,00 € monatlich.",
            4,
            "148.5",
            594,
        ),
    ],
)
def test_what_one_costs_and_all_cost_are_one_line(
    said: str, quantity: int, price: int | str, amount: int
) -> None:
    [fee] = read_fees(type_sentences(said))
    assert (fee.quantity, fee.unit_price, fee.amount) == (quantity, float(price), amount)


def test_the_rent_of_each_year_is_a_line() -> None:
    said = (
        "Lessee shall pay rent of $1,150.00 per month in the first year and $1,190.00 per month thereafter."
    )
    fees = read_fees(type_sentences(said))
    assert [(fee.description, fee.amount) for fee in fees] == [
        ("rent per month in the first year", 1150),
        ("rent per month thereafter", 1190),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "The liability of a party shall not exceed a fee of £100,000 per year.",
        "If Client pays late, a fee of $50.00 per month is charged.",
        "Supplier keeps insurance of $1,000,000 per year.",
        "Client pays a fee of $500.00.",
    ],
)
def test_limits_and_what_may_become_due_are_no_fees(said: str) -> None:
    assert read_fees(type_sentences(said)) == []
