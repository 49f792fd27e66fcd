"""The form that corrects or withdraws an offer."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, cast

import streamlit as st

from app.contract.negotiation import TimelineEntry
from components.fixtures import NOON, make_id
from components.formatting.escape_markdown import escape_markdown
from components.formatting.money import format_money
from components.negotiations import external_updates
from components.negotiations.external_updates import EnteredUpdate

CORRECT, WITHDRAW = "Correct it", "Withdraw it"


def validate_correction(typed: Mapping[str, Any]) -> EnteredUpdate:
    """Return the update, or the faults. `typed` holds offer (id of its entry), what, amount, term, until,
    note."""
    offer: str | None = typed.get("offer")
    if not offer:
        return EnteredUpdate(None, {"offer": "Choose the offer."})
    note = str(typed.get("note") or "").strip()
    if typed.get("what") == WITHDRAW:
        return EnteredUpdate(
            lambda envelope: external_updates.correction(envelope, offer, withdrawn=True, note=note), {}
        )
    amount: float | None = typed.get("amount")
    term: int | None = typed.get("term")
    until: date | None = typed.get("until")
    if amount is None and term is None and until is None:
        return EnteredUpdate(None, {"amount": "Enter what the offer really says."})
    if amount is not None and not 0 < amount < 10**12:
        return EnteredUpdate(None, {"amount": "Above 0 and below 10¹²."})
    exact = None if amount is None else Decimal(str(amount))
    return EnteredUpdate(
        lambda envelope: external_updates.correction(
            envelope, offer, amount=exact, term_length=term, valid_until=until, note=note
        ),
        {},
    )


def draw_offer_correction(
    offers: Sequence[TimelineEntry], currency: str, *, key: str, faults: Mapping[str, str] | None = None
) -> None:
    """Draw the form for the valid offers, newest first; `read_offer_correction` returns what was entered."""
    wrong = faults or {}
    labels: dict[str, str] = {
        offer.id: f"{format_money(offer.amount, offer.currency or currency)}, {offer.happened_at:%Y-%m-%d}"
        for offer in reversed(offers)
        if offer.amount is not None and offer.happened_at is not None
    }
    st.selectbox("Offer", list(labels), format_func=lambda each: labels[each], key=f"{key}/offer")
    what = st.radio("What is wrong", [CORRECT, WITHDRAW], horizontal=True, key=f"{key}/what")
    if what == CORRECT:
        with st.grid(3, min_column_width=150):
            with st.container():
                st.number_input("Amount", value=None, step=0.01, format="%g", key=f"{key}/amount")
                _draw_fault(wrong.get("amount"))
            st.number_input(
                "Term in months", value=None, min_value=1, max_value=1200, step=1, key=f"{key}/term"
            )
            st.date_input("Valid until", value=None, key=f"{key}/until", format="YYYY-MM-DD")
    else:
        st.caption("It stays on the timeline but no longer counts.")
    st.text_input("Note", key=f"{key}/note", max_chars=2000)


def read_offer_correction(*, key: str) -> dict[str, Any]:
    """Return what the form under `key` holds at this moment."""
    state = cast(Mapping[str, Any], st.session_state)
    return {name: state.get(f"{key}/{name}") for name in ("offer", "what", "amount", "term", "until", "note")}


def clear_offer_correction(*, key: str) -> None:
    """Empty the form after its content was sent."""
    for name in ("offer", "what", "amount", "term", "until", "note"):
        st.session_state.pop(f"{key}/{name}", None)


def _draw_fault(fault: str | None) -> None:
    if fault:
        st.caption(f":red[:material/error: {escape_markdown(fault)}]")


def example() -> None:
    offer = TimelineEntry(
        id=make_id(900),
        kind="quote",
        happened_at=NOON,
        recorded_at=NOON,
        amount=Decimal(56_000),
    )
    draw_offer_correction([offer], "USD", key="example-correction")
