"""What was saved against each baseline."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money, format_signed_money
from app.contract.savings import SavingsMeasure
from components.formatting.counts import format_percent
from components.formatting.escape_markdown import escape_markdown

BASELINE_NAMES = {
    "first_offer": "first offer",
    "target": "target",
    "previous_price": "previous price",
    "median_estimate": "median estimate",
}


def draw_savings_measures(measures: Sequence[SavingsMeasure], currency: str) -> None:
    """Draw a line for each baseline: how much was saved, and what the baseline is."""
    for one in measures:
        st.markdown(f"- {describe_measure(one, currency)}")


def get_saving(measures: Sequence[SavingsMeasure], baseline: str) -> Decimal | None:
    """Return what was saved against one baseline; None where there is none of that kind."""
    return next((one.saved for one in measures if one.against == baseline), None)


def describe_measure(measure: SavingsMeasure, currency: str) -> str:
    """Return the line of one baseline."""
    against = BASELINE_NAMES.get(measure.against, measure.against.replace("_", " "))
    rate = f" ({format_percent(measure.rate)})" if measure.rate is not None else ""
    saved = f"**{escape_markdown(format_signed_money(measure.saved, currency))}**{rate}"
    basis = f" {escape_markdown(measure.basis)}" if measure.basis else ""
    return (
        f"{saved} against the {against} of "
        f"{escape_markdown(format_money(measure.baseline, currency))}.{basis}"
    )
