"""Negotiations side by side by state: how many, how much money, what waits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, cast

import streamlit as st

from app.contract.negotiation import NegotiationStatus
from components import fixtures
from components.formatting.counts import counted
from components.formatting.escape_markdown import plain
from components.formatting.money import money
from components.negotiations.negotiation_card import Card, card, summed
from components.negotiations.negotiation_state import STATE_LOOKS

COLUMNS: tuple[NegotiationStatus, ...] = ("planning", "pending", "active", "complete")
SHOWN = 6
"""Cards of a column; the others are a click away."""

_Colour = Literal["blue", "orange", "violet", "green", "gray"]


def draw_negotiation_board(
    cards: Sequence[Card], totals: Mapping[str, int], *, key: str, show_all: Callable[[str], None]
) -> str | None:
    """Draw a column for each state that is on the road; the id of the one that was opened.

    `cards` may be fewer than there are: `totals` counts all of each state. `show_all` is called with a state
    whose negotiations are wanted in a list.
    """
    chosen: str | None = None
    grid = st.grid(len(COLUMNS), min_column_width=210)
    for status in COLUMNS:
        of_state = [one for one in cards if one.status == status]
        with grid.cell():
            _draw_head(status, of_state, totals.get(status, len(of_state)))
            # Those that wait for somebody come first; otherwise the order is theirs.
            for one in sorted(of_state, key=lambda each: not each.to_decide)[:SHOWN]:
                if _draw_card(one, key):
                    chosen = one.id
            more = totals.get(status, len(of_state)) - SHOWN
            if more > 0:
                st.button(
                    f"{more:,} more",
                    key=f"{key}-all-{status}",
                    type="tertiary",
                    icon=":material/list:",
                    on_click=show_all,
                    args=(status,),
                )
    return chosen


def _draw_head(status: str, cards: Sequence[Card], total: int) -> None:
    word, icon, colour = STATE_LOOKS[status]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(word.capitalize(), icon=f":material/{icon}:", color=cast(_Colour, colour))
        st.markdown(f"**{total:,}**", width="content")
    if status == "complete":
        saved = summed((one.currency, one.saved) for one in cards)
        said = f"Saved {saved}" if saved else "Nothing saved yet"
    else:
        stake = summed((one.currency, one.at_stake) for one in cards)
        said = f"At stake {stake}" if stake else "No amounts yet"
    newest = f", of the newest {len(cards):,}" if total > len(cards) else ""
    st.caption(plain(said + newest))


def _draw_card(one: Card, key: str) -> bool:
    with st.container(border=True, gap="xsmall", key=f"{key}-card-{one.id}"):
        opened = st.button(
            plain(one.supplier), key=f"{key}-open-{one.id}", type="tertiary", help="Open the negotiation"
        )
        for line in _lines(one):
            st.caption(plain(line))
        if one.to_decide:
            st.badge(counted(one.to_decide, "decision", "decisions") + " for you", color="orange")
        if one.drafts:
            st.badge(counted(one.drafts, "letter", "letters") + " to send", color="orange")
    return opened


def _lines(one: Card) -> list[str]:
    """What is bought, and what is asked against what is aimed at, or what came of it."""
    return [one.products, *_amounts(one)] if one.products else _amounts(one)


def _amounts(one: Card) -> list[str]:
    if one.agreed is not None:
        saved = [f"saved {money(one.saved, one.currency)}"] if one.saved is not None else []
        return [", ".join([f"Agreed {money(one.agreed, one.currency)}", *saved])]
    asked = [f"Quoted {money(one.quoted, one.currency)}"] if one.quoted is not None else []
    if one.best is not None and one.best != one.quoted:
        asked.append(f"Best offer {money(one.best, one.currency)}")
    aim = [f"Target {money(one.target, one.currency)}"] if one.target is not None else []
    return asked + aim


def example() -> None:
    cards = [card(fixtures.negotiation()), replace(card(fixtures.negotiation("pending")), id="pending")]
    draw_negotiation_board(
        cards, {"planning": 0, "pending": 1, "active": 8}, key="example-board", show_all=st.write
    )
