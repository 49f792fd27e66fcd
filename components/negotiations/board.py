"""Negotiations at a glance: a card for each, the board by state, and the table."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import FINAL_STATUSES, ListedNegotiation, NegotiationStatus, SummarySupplier
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    draw_captions,
    escape_markdown,
    format_count,
    format_known_money,
    format_local_time,
)
from components.negotiations.negotiation_state import STATE_STYLES, format_state


def name_supplier(supplier: SummarySupplier) -> str:
    """Return the name of a supplier, else its domain, or that nobody knows it yet."""
    return supplier.name or supplier.domain or "Supplier not known yet"


def get_at_stake(one: ListedNegotiation) -> Decimal | None:
    """Return what would be paid if it ended now: the newest quote, else the target; None once it has
    ended."""
    if one.status in FINAL_STATUSES:
        return None
    return one.quoted if one.quoted is not None else one.target


def format_sums(amounts: Iterable[tuple[str | None, Decimal | None]]) -> str:
    """Return the sums of the amounts in each currency, such as `USD 12,000 + EUR 300`; "" where none is
    known."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for currency, amount in amounts:
        if amount is not None and currency:
            sums[currency] += amount
    return " + ".join(format_money(amount, currency) for currency, amount in sorted(sums.items()))


COLUMNS: tuple[NegotiationStatus, ...] = ("planning", "pending", "active", "complete")
CARDS_SHOWN = 6
"""Cards in a column; the others are in the list."""


def draw_negotiation_board(
    cards: Sequence[ListedNegotiation],
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
            for one in sorted(in_state, key=lambda each: not each.open_escalations)[:CARDS_SHOWN]:
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


def _draw_head(status: str, cards: Sequence[ListedNegotiation], total: int) -> None:
    word, icon, colour = STATE_STYLES[status]
    st.markdown(f":{colour}-badge[:material/{icon}: {word.capitalize()}] **{total:,}**")
    if status == "complete":
        saved = format_sums((one.currency, one.savings) for one in cards)
        amounts = f"Saved {saved}" if saved else "Nothing saved yet"
    else:
        at_stake = format_sums((one.currency, get_at_stake(one)) for one in cards)
        amounts = f"At stake {at_stake}" if at_stake else "No amounts yet"
    newest = f", of the newest {len(cards):,}" if total > len(cards) else ""
    st.caption(escape_markdown(amounts + newest))


def _draw_card(one: ListedNegotiation, key: str) -> bool:
    with st.container(border=True, gap="xsmall", key=f"{key}-card-{one.id}"):
        opened = st.button(
            escape_markdown(name_supplier(one.supplier)),
            key=f"{key}-open-{one.id}",
            type="tertiary",
            help="Open the negotiation",
        )
        draw_captions(filter(None, (", ".join(one.product_names or ()), *_list_amounts(one))))
        waiting = [
            f":orange-badge[{format_count(count, noun)} {what}]"
            for count, noun, what in (
                (one.open_escalations, "decision", "for you"),
                (one.drafts, "letter", "to send"),
            )
            if count
        ]
        if waiting:
            st.markdown(" ".join(waiting))
    return opened


def _list_amounts(one: ListedNegotiation) -> list[str]:
    def name(words: str, amount: Decimal | None) -> list[str]:
        return [] if amount is None else [f"{words} {format_money(amount, one.currency or '')}"]

    if one.agreed is not None:
        return [", ".join([*name("Agreed", one.agreed), *name("saved", one.savings)])]
    best_offer = None if one.best_offer == one.quoted else one.best_offer
    return [*name("Quoted", one.quoted), *name("Best offer", best_offer), *name("Target", one.target)]


def draw_negotiation_table(cards: Sequence[ListedNegotiation]) -> None:
    """Draw the negotiations."""

    def of_amount(read: Callable[[ListedNegotiation], Decimal | None]) -> Column[ListedNegotiation]:
        return Column(lambda card: format_known_money(read(card), card.currency), "right")

    draw_record_table(
        cards,
        {
            "Supplier": Column(lambda card: name_supplier(card.supplier)),
            "Products": Column(lambda card: ", ".join(card.product_names or ())),
            "State": Column(lambda card: format_state(card.status)),
            "Open decisions": Column(lambda card: card.open_escalations or None, "right"),
            "Quoted": of_amount(lambda card: card.quoted),
            "Best offer": of_amount(lambda card: card.best_offer),
            "Target": of_amount(lambda card: card.target),
            "Agreed": of_amount(lambda card: card.agreed),
            "Saved": of_amount(lambda card: card.savings),
            "Changed": Column(lambda card: format_local_time(card.updated_at), "right", varying=True),
        },
        link=lambda card: ("negotiation", {"id": card.id}),
        alt=f"{format_count(len(cards), 'negotiation')}, newest first",
    )
