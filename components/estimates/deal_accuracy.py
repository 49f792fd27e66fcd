"""How right the estimates of one's own negotiations were, deal by deal."""

import streamlit as st

from app.contract.deal_accuracy import DealAccuracy
from app.contract.money import format_money
from app.contract.pricing import MIN_PURCHASES
from components.elements.table import draw_table
from components.formatting.escape_markdown import escape_markdown

_COLUMNS = ("Supplier", "Estimated", "Paid", "Error", "In the 80 % range")


def draw_deal_accuracy(accuracy: DealAccuracy, *, key: str) -> None:
    """Draw the figures where there are enough deals, else why there are none; below them, each deal."""
    st.markdown("**Your own deals: estimated before, and paid**")
    st.markdown(escape_markdown(accuracy.statement))
    if accuracy.deals >= MIN_PURCHASES and accuracy.mdape is not None:
        st.markdown(escape_markdown(_describe_figures(accuracy)))
    if accuracy.compared:
        rows = [
            {
                "Supplier": one.supplier,
                "Estimated": format_money(one.median, one.currency),
                "Paid": format_money(one.paid, one.currency),
                "Error": f"{one.error:+.0%}",
                "In the 80 % range": "" if one.within80 is None else "yes" if one.within80 else "no",
            }
            for one in accuracy.compared
        ]
        columns = {name: st.column_config.TextColumn() for name in _COLUMNS}
        draw_table(rows, key=key, alt="Estimates made before deals, and what was paid", columns=columns)
    for one in accuracy.uncounted:
        st.caption(f"Not counted: {one.total:,}. {escape_markdown(one.reason)}")


def _describe_figures(accuracy: DealAccuracy) -> str:
    side = ""
    if accuracy.bias:
        side = f" Most estimates were too {'high' if accuracy.bias > 0 else 'low'}."
    covered = ""
    if accuracy.coverage80 is not None:
        covered = f" The 80 % range contained {accuracy.coverage80:.0%} of the prices."
    return f"The median error was {accuracy.mdape:.0%}.{covered}{side}"
