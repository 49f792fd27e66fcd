"""What was saved, by every yardstick that there is."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.savings import SavingsMeasure
from components.formatting.escape_markdown import plain
from components.formatting.money import difference, money, quantity

AGAINST = {
    "first_offer": "first offer",
    "target": "target",
    "previous_price": "previous price",
    "median_estimate": "median estimate",
}


def draw_savings_measures(measures: Sequence[SavingsMeasure], currency: str) -> None:
    """One line for each: how much, against what, and what that is."""
    for one in measures:
        st.markdown(f"- {in_words(one, currency)}")


def saved_against(measures: Sequence[SavingsMeasure], yardstick: str) -> Decimal | None:
    """What was saved by one yardstick; None where there is none of that kind."""
    return next((one.saved for one in measures if one.against == yardstick), None)


def in_words(measure: SavingsMeasure, currency: str) -> str:
    """A line of the list."""
    against = AGAINST.get(measure.against, measure.against.replace("_", " "))
    rate = f" ({quantity(measure.rate)} %)" if measure.rate is not None else ""
    saved = f"**{plain(difference(measure.saved, currency))}**{rate}"
    basis = f" {plain(measure.basis)}" if measure.basis else ""
    return f"{saved} against the {against} of {plain(money(measure.baseline, currency))}.{basis}"


def example() -> None:
    draw_savings_measures(
        [
            SavingsMeasure(
                against="first_offer",
                baseline=Decimal(60_000),
                saved=Decimal(14_000),
                rate=Decimal("23.33"),
                basis="The supplier's first offer, of 2026-03-01.",
            ),
            SavingsMeasure(
                against="target",
                baseline=Decimal(45_100),
                saved=Decimal(-900),
                rate=Decimal(-2),
                basis="The target: a quarter pay less.",
            ),
        ],
        "USD",
    )
