"""The state of a negotiation and its figures."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import Figures, TimelineEntry
from components.formatting.counts import format_percent
from components.formatting.escape_markdown import escape_markdown
from components.formatting.unit_price import format_total_per_unit

STATES = ("planning", "pending", "active", "complete")
FINAL_STATES = frozenset({"complete", "cancelled"})
STATE_STYLES: dict[str, tuple[str, str, str]] = {
    "planning": ("planning", "edit_note", "blue"),
    "pending": ("ready to open", "hourglass_top", "orange"),
    "active": ("under way", "forum", "violet"),
    "complete": ("agreed", "task_alt", "green"),
    "cancelled": ("cancelled", "block", "gray"),
}
"""Label, icon and colour of each state."""

_STATE_MEANINGS = {
    "planning": "The strategy is being prepared.",
    "pending": "The strategy is ready. Talks start when the supplier writes or quotes, or at your go-ahead.",
    "active": "Offers are compared with the three numbers, which stay fixed. Talks end with an agreed price.",
    "complete": "Agreed; the savings are final.",
    "cancelled": "Ended without an agreed price.",
}


def format_state(status: str) -> str:
    """Return the label of a state; an unknown state as it is."""
    return STATE_STYLES.get(status, (status.replace("_", " "), "", ""))[0]


def find_cancelled_state(entries: Sequence[TimelineEntry]) -> str | None:
    """Return the state in which a negotiation was cancelled, None where its timeline does not say it."""
    moves = (str(entry.text).partition(":")[0].split(" → ") for entry in entries if entry.kind == "state")
    return next((move[0] for move in moves if move[0] in STATES and move[1:] == ["cancelled"]), None)


def draw_negotiation_state(status: str, *, cancelled_state: str | None = None) -> None:
    """Draw all states with the present one marked, and its meaning; of a cancelled negotiation the states
    that it went through, up to `cancelled_state`, as far as that is known."""
    states = STATES
    if status == "cancelled":
        states = (*STATES[: STATES.index(cancelled_state) + 1 if cancelled_state else 0], status)
    reached = states.index(status) if status in states else -1
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for at, state in enumerate(states):
            word, icon, colour = STATE_STYLES[state]
            if at == reached:
                st.badge(word, icon=f":material/{icon}:", color=colour)  # pyright: ignore[reportArgumentType]
            else:
                mark = "check" if at < reached else "radio_button_unchecked"
                st.markdown(f":gray[:material/{mark}: {word}]", width="content")
            if at < len(states) - 1:
                st.markdown(":gray[:material/chevron_right:]", width="content")
    if status in _STATE_MEANINGS:
        st.caption(_STATE_MEANINGS[status])


def draw_figures(
    figures: Figures,
    currency: str,
    *,
    best_offer: Decimal | None = None,
    quantity: Decimal | None = None,
    months: int | None = None,
) -> None:
    """Draw the figures that are known: quote, best offer, the three numbers, what was agreed and saved. With
    a `quantity` and a term, also each price per unit and month."""
    figures_shown = [
        ("Quoted", figures.quoted, "The supplier's latest offer"),
        ("Best offer", best_offer, "The lowest offer for what is asked that is still valid"),
        ("Opening", figures.opening, "What to ask for first"),
        ("Target", figures.target, "What to aim at"),
        ("Walk-away", figures.walk_away, "Above this it is better to walk away"),
        ("Agreed", figures.agreed, "The final price"),
        ("Saved", figures.savings, "Against the first offer, or the median where there was none"),
    ]
    known = [(name, amount, explanation) for name, amount, explanation in figures_shown if amount is not None]
    if not known:
        st.caption("No figures yet.")
        return
    with st.container(horizontal=True):
        for name, amount, explanation in known:
            rate = figures.savings_rate if name == "Saved" else None
            with st.container(width="content", gap="xsmall"):
                st.metric(
                    name,
                    format_money(amount, currency),
                    delta=format_percent(rate) if rate is not None else None,
                    help=f"{explanation}. Before tax, for the whole term.",
                    width="content",
                )
                if quantity and name != "Saved":
                    st.caption(
                        escape_markdown(format_total_per_unit(amount, quantity, months, None, currency))
                    )
