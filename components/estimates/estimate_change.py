"""Two estimates, before and after something was changed or left out."""

import streamlit as st

from app.contract.pricing import AdvancedEstimate, PreviewedEstimate
from components import fixtures, pricing_fixtures
from components.estimates.price_factors import unit_prices_in_words
from components.formatting.escape_markdown import plain
from components.formatting.money import difference, money

_SHOWN = ((25, "A quarter pay less"), (50, "Median"), (75, "A quarter pay more"))


def draw_estimate_change(before: AdvancedEstimate, after: AdvancedEstimate) -> None:
    """The quartiles as they are then, and how far each has moved."""
    if after.currency != before.currency:
        st.warning(f"Asked this way, the deployment answers in {after.currency}, not in {before.currency}.")
        return
    with st.container(horizontal=True):
        for percent, name in _SHOWN:
            value = after.estimate.at(percent)
            change = value - before.estimate.at(percent)
            st.metric(
                name,
                money(value, after.currency),
                delta=difference(change, after.currency) if change else "no change",
                delta_color="off",
                delta_arrow="off",
                width="content",
            )
    if isinstance(after, PreviewedEstimate):
        for product in after.products:
            st.caption(f"{plain(product.name)}: {plain(unit_prices_in_words(product, after.currency))}")


def example() -> None:
    before = fixtures.advanced_estimate()
    after = PreviewedEstimate.model_validate(
        {
            **before.model_dump(),
            "estimate": fixtures.percentiles(51_000),
            "products": [pricing_fixtures.product_explanation()],
        }
    )
    draw_estimate_change(before, after)
