"""Spend and savings of the past year, each with what it rests on."""

import streamlit as st

from app.contract.money import format_money
from app.contract.overview import AgreedSum, OverviewFigures, SpentSum
from components.elements.sample_badge import draw_sample_badge
from components.formatting.counts import format_count, format_date


def draw_year_figures(figures: OverviewFigures) -> None:
    """Draw what was agreed, saved and spent, by currency. Sample data is shown only where there is nothing
    real, and says so."""
    real = [one for one in figures.agreed if not one.sample]
    for one in real or figures.agreed:
        _draw_agreed(one)
    for one in figures.spent:
        _draw_spent(one)
    if not figures.agreed and not figures.spent:
        st.caption("No agreed prices or purchases of your own are on record for the past year.")
        return
    since = figures.since.date() if figures.since else None
    st.caption(
        f"Since {format_date(since)}, before tax. Purchases that all organisations share are left out."
    )


def _draw_agreed(one: AgreedSum) -> None:
    with st.container(border=True, gap="xsmall"):
        st.metric("Agreed", format_money(one.agreed, one.currency))
        st.caption(f"{format_count(one.agreements, 'agreed price')} · {_compare(one)}")
        if one.sample:
            draw_sample_badge()


def _compare(one: AgreedSum) -> str:
    """Say what was saved, and over how many agreed prices that is known."""
    if not one.measured:
        return "no price to compare with"
    rate = f" ({100 * abs(one.saved) / one.baseline:.1f} %)" if one.baseline else ""
    difference = f"{format_money(abs(one.saved), one.currency)}{rate}"
    basis = f"in {one.measured:,} of {one.agreements:,} with a price to compare with"
    return f"saved {difference} {basis}" if one.saved >= 0 else f"{difference} more {basis}"


def _draw_spent(one: SpentSum) -> None:
    with st.container(border=True, gap="xsmall"):
        st.metric("Your purchases", format_money(one.amount, one.currency))
        purchases = format_count(one.purchases, "purchase")
        st.caption(f"{purchases} from {format_count(one.suppliers, 'supplier')}, each for its whole term")
        if one.without_term:
            open_ended = format_count(one.without_term, "purchase")
            st.caption(f"{open_ended} without a stated term: one month or year of each is counted.")
