"""Negotiations in rows: where each stands, what waits, what is at stake."""

from collections.abc import Sequence
from datetime import tzinfo
from decimal import Decimal

import streamlit as st

from app.contract.negotiation import ListedNegotiation, NegotiationSummary
from components import specimens
from components.moments import local
from components.negotiation_state import latest_figures, state_word, waiting
from components.pick_table import pick_table
from components.table import Row

Known = ListedNegotiation | NegotiationSummary
"""As the list gives it, or read one by one where nothing lists them."""


def draw_negotiation_table(negotiations: Sequence[Known], *, key: str, zone: tzinfo) -> str | None:
    """Draw them; the id of the one that was chosen."""
    rows = [_row(negotiation, zone) for negotiation in negotiations]
    chosen = pick_table(
        rows,
        key=key,
        alt=f"{len(rows)} negotiations, newest first",
        opens="Supplier",
        columns={
            "State": st.column_config.TextColumn(),
            "Waits": st.column_config.NumberColumn("To decide", format="%d", width="small"),
            "Quoted": st.column_config.NumberColumn(format="localized"),
            "Target": st.column_config.NumberColumn(format="localized"),
            "Agreed": st.column_config.NumberColumn(format="localized"),
            "Saved": st.column_config.NumberColumn(format="localized"),
            "Currency": st.column_config.TextColumn(width="small"),
            "Changed": st.column_config.TextColumn(alignment="right"),
        },
    )
    return None if chosen is None else negotiations[chosen].id


def _row(negotiation: Known, zone: tzinfo) -> Row:
    if isinstance(negotiation, ListedNegotiation):
        figures, open_ones, currency = negotiation, negotiation.open_escalations, negotiation.currency
    else:
        figures, currency = latest_figures(negotiation.executive_summaries), None
        open_ones = waiting(negotiation)
    return {
        "Supplier": negotiation.supplier.name or negotiation.supplier.domain or "Supplier not known yet",
        "State": state_word(negotiation.status),
        "Waits": open_ones or None,
        "Quoted": _number(figures.quoted),
        "Target": _number(figures.target),
        "Agreed": _number(figures.agreed),
        "Saved": _number(figures.savings),
        "Currency": currency or "",
        "Changed": local(negotiation.updated_at, zone),
    }


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def example() -> None:
    draw_negotiation_table([specimens.negotiation()], key="example-negotiations", zone=specimens.ZONE)
