"""Negotiations in columns by state: how many, how much money, which decisions are open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import NegotiationStatus
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown
from components.negotiations.negotiation_card import NegotiationCard, format_sums
from components.negotiations.negotiation_state import STATE_STYLES

COLUMNS: tuple[NegotiationStatus, ...] = ("planning", "pending", "active", "complete")
CARDS_SHOWN = 6
"""Cards in a column; the others are in the list."""

_Colour = Literal["blue", "orange", "violet", "green", "gray"]


def draw_negotiation_board(
    cards: Sequence[NegotiationCard],
    totals: Mapping[str, int],
    *,
    key: str,
    on_show_all: Callable[[str], None],
) -> str | None:
    """Draw a column for each state before the end and return the id of the negotiation that was opened.

    `cards` may be fewer than there are: `totals` counts all of each state. `on_show_all` is called with a
    state whose negotiations should be listed.
    """
    chosen: str | None = None
    grid = st.grid(len(COLUMNS), min_column_width=210)
    for status in COLUMNS:
        in_state = [one for one in cards if one.status == status]
        with grid.cell():
            _draw_head(status, in_state, totals.get(status, len(in_state)))
            # Those that wait for somebody come first; otherwise the order is theirs.
            for one in sorted(in_state, key=lambda each: not each.open_decisions)[:CARDS_SHOWN]:
                if _draw_card(one, key):
                    chosen = one.id
            more = totals.get(status, len(in_state)) - CARDS_SHOWN
            if more > 0:
                st.button(
                    f"{more:,} more",
                    key=f"{key}-all-{status}",
                    type="tertiary",
                    icon=":material/list:",
                    on_click=on_show_all,
                    args=(status,),
                )
    return chosen


def _draw_head(status: str, cards: Sequence[NegotiationCard], total: int) -> None:
    word, icon, colour = STATE_STYLES[status]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(word.capitalize(), icon=f":material/{icon}:", color=cast(_Colour, colour))
        st.markdown(f"**{total:,}**", width="content")
    if status == "complete":
        saved = format_sums((one.currency, one.saved) for one in cards)
        amounts = f"Saved {saved}" if saved else "Nothing saved yet"
    else:
        at_stake = format_sums((one.currency, one.at_stake) for one in cards)
        amounts = f"At stake {at_stake}" if at_stake else "No amounts yet"
    newest = f", of the newest {len(cards):,}" if total > len(cards) else ""
    st.caption(escape_markdown(amounts + newest))


def _draw_card(one: NegotiationCard, key: str) -> bool:
    with st.container(border=True, gap="xsmall", key=f"{key}-card-{one.id}"):
        opened = st.button(
            escape_markdown(one.supplier),
            key=f"{key}-open-{one.id}",
            type="tertiary",
            help="Open the negotiation",
        )
        for line in _list_lines(one):
            st.caption(escape_markdown(line))
        if one.open_decisions:
            st.badge(format_count(one.open_decisions, "decision", "decisions") + " for you", color="orange")
        if one.drafts:
            st.badge(format_count(one.drafts, "letter", "letters") + " to send", color="orange")
    return opened


def _list_lines(one: NegotiationCard) -> list[str]:
    """Return what is bought, and quote and target, or the outcome."""
    return [one.products, *_list_amounts(one)] if one.products else _list_amounts(one)


def _list_amounts(one: NegotiationCard) -> list[str]:
    if one.agreed is not None:
        saved = [f"saved {format_money(one.saved, one.currency)}"] if one.saved is not None else []
        return [", ".join([f"Agreed {format_money(one.agreed, one.currency)}", *saved])]
    lines = [f"Quoted {format_money(one.quoted, one.currency)}"] if one.quoted is not None else []
    if one.best_offer is not None and one.best_offer != one.quoted:
        lines.append(f"Best offer {format_money(one.best_offer, one.currency)}")
    aim = [f"Target {format_money(one.target, one.currency)}"] if one.target is not None else []
    return lines + aim
