"""The estimate of each product, or the reason why there is none."""

from collections.abc import Sequence

import streamlit as st

from app.contract.money import format_money
from app.contract.pricing import Percentiles, ProductEstimate
from components.elements.record_table import LEFT, RIGHT, RecordRow, draw_record_table
from components.formatting.escape_markdown import escape_markdown
from components.formatting.percentiles import name_percentile

_FAILURES = {
    "pricing_failed": "no comparable purchases",
    "validation_failed": "its quantities do not fit the product",
}


def draw_product_breakdown(parts: Sequence[ProductEstimate], currency: str) -> None:
    """Draw the estimated products as a table and the others as sentences. The parts need not add up to the
    total."""
    priced = [
        (part, part.estimate) for part in parts if part.status == "success" and part.estimate is not None
    ]
    if priced:
        draw_record_table(
            [_row(part, estimate, currency) for part, estimate in priced],
            alt="What each product should cost",
            columns={"Product": LEFT, **{name_percentile(one): RIGHT for one in (25, 50, 75)}, "Note": LEFT},
            optional=("Note",),
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


def _row(part: ProductEstimate, estimate: Percentiles, currency: str) -> RecordRow:
    amounts = {name_percentile(one): estimate.at(one) for one in (25, 50, 75)}
    return RecordRow(
        "product",
        {"id": part.product_id},
        {
            "Product": part.name,
            **{name: format_money(amount, currency) for name, amount in amounts.items()},
            "Note": "usual quantities assumed" if part.defaulted else None,
        },
    )
