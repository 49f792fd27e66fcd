"""Two estimates, before and after something was changed or left out."""

import streamlit as st

from app.contract.money import format_money, format_signed_money
from app.contract.pricing import AdvancedEstimate, PreviewedEstimate
from components.estimates.price_distribution import QUARTILES
from components.estimates.price_factors import describe_unit_prices
from components.formatting.escape_markdown import escape_markdown


def draw_estimate_change(before: AdvancedEstimate, after: AdvancedEstimate) -> None:
    """Draw the quartiles after the change, and how far each has moved."""
    if after.currency != before.currency:
        st.warning(f"With these changes the estimate is in {after.currency}, not in {before.currency}.")
        return
    with st.container(horizontal=True):
        for percent, name in QUARTILES:
            value = after.estimate.at(percent)
            change = value - before.estimate.at(percent)
            st.metric(
                name,
                format_money(value, after.currency),
                delta=format_signed_money(change, after.currency) if change else "no change",
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
    if isinstance(after, PreviewedEstimate):
        for product in after.products:
            st.caption(
                f"{escape_markdown(product.name)}: "
                f"{escape_markdown(describe_unit_prices(product, after.currency))}"
            )
