"""A table of negotiations."""

from collections.abc import Sequence
from datetime import UTC, tzinfo

import streamlit as st

from components.elements.clickable_table import draw_clickable_table
from components.elements.table import Row, to_number
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time
from components.negotiations.fixtures import make_negotiation_card
from components.negotiations.negotiation_card import NegotiationCard
from components.negotiations.negotiation_state import format_state


def draw_negotiation_table(cards: Sequence[NegotiationCard], *, key: str, zone: tzinfo) -> str | None:
    """Draw the negotiations and return the id of the one that was chosen."""
    rows = [_make_row(one, zone) for one in cards]
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'negotiation')}, newest first",
        button_column="Supplier",
        columns={
            "Products": st.column_config.TextColumn(),
            "State": st.column_config.TextColumn(),
            "Waits": st.column_config.NumberColumn("Open decisions", format="%d", width="small"),
            "Quoted": st.column_config.NumberColumn(format="localized"),
            "Best": st.column_config.NumberColumn("Best offer", format="localized"),
            "Target": st.column_config.NumberColumn(format="localized"),
            "Agreed": st.column_config.NumberColumn(format="localized"),
            "Saved": st.column_config.NumberColumn(format="localized"),
            "Currency": st.column_config.TextColumn(width="small"),
            "Changed": st.column_config.TextColumn(alignment="right"),
        },
    )
    return None if chosen is None else cards[chosen].id


def _make_row(one: NegotiationCard, zone: tzinfo) -> Row:
    return {
        "Supplier": one.supplier,
        "Products": one.products or None,
        "State": format_state(one.status),
        "Waits": one.open_decisions or None,
        "Quoted": to_number(one.quoted),
        "Best": to_number(one.best_offer),
        "Target": to_number(one.target),
        "Agreed": to_number(one.agreed),
        "Saved": to_number(one.saved),
        "Currency": one.currency,
        "Changed": format_local_time(one.updated_at, zone),
    }


def example() -> None:
    draw_negotiation_table([make_negotiation_card()], key="example-negotiations", zone=UTC)
