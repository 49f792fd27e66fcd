"""A line of a quote, and the choice which line of the requirement it answers."""

from collections.abc import Mapping

import streamlit as st

from app.contract.money import format_exact_quantity, format_money
from app.contract.sourcing import SourcingQuote, SourcingQuoteLine
from components.elements.form_fields import read_fields, set_default
from components.formatting.escape_markdown import escape_markdown
from components.formatting.shortening import shorten_text
from components.sourcing.quote_form import PERIOD_WORDS

FIELDS = ("line", "alternate")
NOTHING = ""
"""The choice for a line that answers nothing which is needed."""
_STATES = {
    "doubtful": ":orange-badge[in doubt]",
    "none": ":orange-badge[unmatched]",
    "proposed": ":blue-badge[found by its text]",
    "confirmed": ":green-badge[stated]",
}
_LONGEST_TEXT = 300


def draw_alignment_row(
    quote: SourcingQuote, line: SourcingQuoteLine, labels: Mapping[str, str], *, key: str, disabled: bool
) -> None:
    """Draw the line and the choice; `labels` are those of the lines of the requirement by their ids."""
    set_default(f"{key}/line", line.requirement_line_id or NOTHING)
    set_default(f"{key}/alternate", line.alternate)
    periods = {word: label for label, word in PERIOD_WORDS.items()}
    price = f"{format_money(line.unit_price, quote.currency)} {periods.get(line.recurring, line.recurring)}"
    decided = "" if line.alignment_reason is None else f"  \n{escape_markdown(line.alignment_reason)}"
    alike = "" if line.confidence is None else f", {line.confidence * 100:.0f} % alike"
    with st.container(border=True), st.grid(2, min_column_width=280):
        st.markdown(
            f"**{escape_markdown(shorten_text(line.description, _LONGEST_TEXT))}**  \n"
            f"{escape_markdown(quote.supplier_name)}: {format_exact_quantity(line.quantity)} at"
            f" {escape_markdown(price)}  \n{_STATES.get(line.alignment, '')}{alike}{decided}"
        )
        with st.container(gap="xsmall"):
            st.selectbox(
                f"Answers, line {shorten_text(' '.join(line.description.split()), 60)}",
                [NOTHING, *labels],
                format_func=lambda ident: labels.get(ident, "Nothing that is needed"),
                key=f"{key}/line",
                disabled=disabled,
                label_visibility="collapsed",
            )
            st.checkbox("Alternative offer", key=f"{key}/alternate", disabled=disabled)


def read_alignment_row(*, key: str) -> tuple[str | None, bool]:
    """Return the line that was chosen, and whether it is an alternate."""
    fields = read_fields(key, FIELDS)
    return str(fields["line"] or "") or None, fields["alternate"] is True
