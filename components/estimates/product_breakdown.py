"""The estimate of each product, or the reason why there is none."""

from collections.abc import Sequence

import streamlit as st

from app.contract.pricing import Percentiles, ProductEstimate
from components.elements.table import draw_table
from components.estimates.fixtures import make_advanced_estimate
from components.formatting.escape_markdown import escape_markdown

_FAILURES = {
    "pricing_failed": "no comparable purchases",
    "validation_failed": "its quantities do not fit the product",
}


def draw_product_breakdown(parts: Sequence[ProductEstimate], currency: str, *, key: str) -> None:
    """Draw the estimated products as a table and the others as sentences. The parts need not add up to the
    total."""
    priced = [
        (part, part.estimate) for part in parts if part.status == "success" and part.estimate is not None
    ]
    if priced:
        draw_table(
            [_row(part, estimate) for part, estimate in priced],
            key=key,
            alt="What each product should cost",
            columns={
                "Product": st.column_config.TextColumn(width="medium"),
                "P25": st.column_config.NumberColumn(f"P25 ({currency})", format="localized"),
                "P50": st.column_config.NumberColumn(f"Median ({currency})", format="localized"),
                "P75": st.column_config.NumberColumn(f"P75 ({currency})", format="localized"),
                "Note": st.column_config.TextColumn(),
            },
        )
        if len(parts) > 1:
            st.caption(
                "The parts need not add up to the total: products bought together are priced together."
            )
    for part in parts:
        if part.status != "success" or part.estimate is None:
            why = _FAILURES.get(part.code or "", part.code or "no estimate")
            message = f" {escape_markdown(part.message)}" if part.message else ""
            st.warning(
                f"**{escape_markdown(part.name)}**: {escape_markdown(why)}.{message}", icon=":material/error:"
            )


def _row(part: ProductEstimate, estimate: Percentiles) -> dict[str, str | float]:
    return {
        "Product": part.name,
        "P25": round(float(estimate.percentile25), 2),
        "P50": round(float(estimate.percentile50), 2),
        "P75": round(float(estimate.percentile75), 2),
        "Note": "usual quantities assumed" if part.defaulted else "",
    }


def example() -> None:
    draw_product_breakdown(make_advanced_estimate().product_estimates, "USD", key="example-breakdown")
