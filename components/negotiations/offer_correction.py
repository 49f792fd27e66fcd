"""The form that corrects or withdraws an offer."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import TimelineEntry
from components.elements.form_fields import (
    clear_fields,
    draw_amount_input,
    draw_fault,
    mark_required,
    read_fields,
)
from components.formatting.datetimes import format_local_time

CORRECT, WITHDRAW = "Correct the offer", "Withdraw the offer"
_CLEARED_FIELDS = ("amount", "term", "until", "note")


def draw_offer_correction(
    offers: Sequence[TimelineEntry],
    currency: str,
    zone: tzinfo,
    *,
    key: str,
    faults: Mapping[str, str] | None = None,
) -> None:
    """Draw the form for the valid offers, newest first; `read_offer_correction` returns what was entered."""
    wrong = faults or {}
    amounts = {
        offer.id: format_money(offer.amount, offer.currency or currency)
        for offer in reversed(offers)
        if offer.amount is not None
    }
    days = {offer.id: format_local_time(offer.happened_at, zone) for offer in offers}
    chosen = st.selectbox(
        "Offer",
        list(amounts),
        format_func=lambda each: f"{amounts[each]}, {days[each]}",
        key=f"{key}/offer",
    )
    what = st.radio("Correction", [CORRECT, WITHDRAW], horizontal=True, key=f"{key}/what")
    if what == CORRECT:
        with st.grid(3, min_column_width=150):
            with st.container():
                draw_amount_input("Amount", key=f"{key}/amount", placeholder=amounts.get(chosen or ""))
                draw_fault(wrong.get("amount"))
            st.number_input(
                "Term in months", value=None, min_value=1, max_value=1200, step=1, key=f"{key}/term"
            )
            st.date_input("Valid until", value=None, key=f"{key}/until", format="YYYY-MM-DD")
        st.caption(
            "Fill in what was wrong; what stays empty is kept. The timeline shows both, and everything that "
            "rests on the offer is calculated again."
        )
    else:
        st.caption("The offer stays on the timeline but no longer counts.")
    st.text_input(mark_required("Reason"), key=f"{key}/note", max_chars=2000)
    draw_fault(wrong.get("note"))


def read_offer_correction(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, ("offer", "what", *_CLEARED_FIELDS))


def clear_offer_correction(*, key: str) -> None:
    """Empty the form after its content was sent."""
    clear_fields(key, _CLEARED_FIELDS)
    # The browser shows the offer as it was until its choice is set again.
    st.session_state[f"{key}/offer"] = st.session_state.get(f"{key}/offer")
