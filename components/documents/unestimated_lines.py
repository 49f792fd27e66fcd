"""Lines of a quote that are in its total and in no estimate; always shown beside the total."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from components.formatting.escape_markdown import escape_markdown


@dataclass(frozen=True)
class UnestimatedLine:
    """A line that no estimate covers. `amount` is before tax, for the whole term; None where none is
    stated."""

    description: str
    amount: Decimal | None
    why: str


NOT_A_PRODUCT = "not a product"
LEFT_OUT = "left out"


def draw_unestimated_lines(lines: Sequence[UnestimatedLine], currency: str) -> None:
    """Draw one sentence with the sum and the reason for each line; nothing where there are no lines."""
    if not lines:
        return
    amounts = [line.amount for line in lines if line.amount is not None]
    total = (
        f"{len(lines)} lines, {escape_markdown(format_money(sum(amounts, Decimal(0)), currency))} in total: "
        if len(lines) > 1 and amounts
        else ""
    )
    listing = "; ".join(
        f"{escape_markdown(line.description)} ({line.why}"
        f"{'' if line.amount is None else f', {escape_markdown(format_money(line.amount, currency))}'})"
        for line in lines
    )
    st.caption(f":material/info: In the quote's total, but not in the estimate: {total}{listing}.")
