"""Where a negotiation stands: the road of its states, and its figures."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.negotiation import ExecutiveSummary, Figures, NegotiationSummary
from components import fixtures
from components.formatting.escape_markdown import plain
from components.formatting.money import money, quantity
from components.formatting.unit_price import per_unit

ROAD = ("planning", "pending", "active", "complete")
FINAL = frozenset({"complete", "cancelled"})
STATE_LOOKS: dict[str, tuple[str, str, str]] = {
    "planning": ("planning", "edit_note", "blue"),
    "pending": ("ready to open", "hourglass_top", "orange"),
    "active": ("under way", "forum", "violet"),
    "complete": ("agreed", "task_alt", "green"),
    "cancelled": ("cancelled", "block", "gray"),
}
"""How each state is called, its icon and its colour."""

_MEANINGS = {
    "planning": "The strategy is being prepared.",
    "pending": "The strategy is ready. A message or quote from the supplier, or your go-ahead, starts it.",
    "active": "Offers are held against the three numbers, which stand. An agreement completes it.",
    "complete": "Agreed; the savings are final.",
    "cancelled": "Ended without an agreement.",
}


def state_word(status: str) -> str:
    """The state as people say it; a newer word as it is."""
    return STATE_LOOKS.get(status, (status.replace("_", " "), "", ""))[0]


def draw_negotiation_state(status: str) -> None:
    """The road with the present state marked, and what it means."""
    road = (*ROAD[:-1], status) if status == "cancelled" else ROAD
    reached = road.index(status) if status in road else -1
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for at, state in enumerate(road):
            word, icon, colour = STATE_LOOKS[state]
            if at == reached:
                st.badge(word, icon=f":material/{icon}:", color=colour)  # pyright: ignore[reportArgumentType]
            else:
                mark = "check" if at < reached and status != "cancelled" else "radio_button_unchecked"
                st.markdown(f":gray[:material/{mark}: {word}]", width="content")
            if at < len(road) - 1:
                st.markdown(":gray[:material/chevron_right:]", width="content")
    if status in _MEANINGS:
        st.caption(_MEANINGS[status])


def latest_figures(summaries: Sequence[ExecutiveSummary]) -> Figures:
    """Each figure as the newest summary that names it has it."""
    found: dict[str, object] = {}
    for summary in summaries:
        for name in Figures.model_fields:
            value = getattr(summary.figures, name)
            if value is not None:
                found.setdefault(name, value)
    return Figures.model_validate(found)


def draw_figures(
    figures: Figures,
    currency: str,
    *,
    best: Decimal | None = None,
    bought: Decimal | None = None,
    months: int | None = None,
) -> None:
    """The quote, the `best` offer so far, the three numbers, what was agreed and saved; those that are known.
    With the quantity `bought` and the term, also each price per unit and month."""
    shown = [
        ("Quoted", figures.quoted, "The newest offer of the supplier"),
        ("Best offer", best, "The lowest offer so far that can still be had for what is asked"),
        ("Opening", figures.opening, "What to ask for first"),
        ("Target", figures.target, "What to aim at"),
        ("Walk-away", figures.walk_away, "Above this it is better to leave"),
        ("Agreed", figures.agreed, "The final price"),
        ("Saved", figures.savings, "Against the first offer, or the median where there was none"),
    ]
    known = [(name, amount, said) for name, amount, said in shown if amount is not None]
    if not known:
        st.caption("No figures yet.")
        return
    with st.container(horizontal=True):
        for name, amount, said in known:
            rate = figures.savings_rate if name == "Saved" else None
            with st.container(width="content", gap="xsmall"):
                st.metric(
                    name,
                    money(amount, currency),
                    delta=f"{quantity(rate)} %" if rate is not None else None,
                    help=f"{said}. Before tax, for the whole term.",
                    width="content",
                )
                if bought and name != "Saved":
                    st.caption(plain(per_unit(amount, bought, months, None, currency)))


def waiting(negotiation: NegotiationSummary) -> int:
    """How many decisions are waited for."""
    return sum(escalation.status == "open" for escalation in negotiation.escalations)


def example() -> None:
    for status in (*ROAD, "cancelled"):
        draw_negotiation_state(status)
    draw_figures(latest_figures(fixtures.negotiation().executive_summaries), "USD")
