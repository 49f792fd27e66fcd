"""The forms that report an update of a negotiation and correct an offer."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Literal, get_args

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import TimelineEntry
from components.elements.form_fields import (
    Fields,
    clear_fields,
    draw_amount_input,
    draw_fault,
    mark_required,
    read_fields,
    set_default,
)
from components.formatting.datetimes import format_local_time

Kind = Literal["offer", "counter", "message", "agreement", "cancellation"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LABELS: dict[Kind, str] = {
    "offer": "Supplier's offer",
    "counter": "Our counter-offer",
    "message": "Message",
    "agreement": "Agreed price",
    "cancellation": "Cancellation",
}
_AMOUNT_HELP = "Before tax, for the whole term."
_CLEARED_FIELDS = ("amount", "on", "term", "until", "note", "sender", "text", "reason")


def draw_update_form(currency: str, *, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the form; `read_update_form` returns what was entered."""
    wrong = faults or {}
    kind = _to_kind(
        st.radio(
            "What happened",
            KINDS,
            format_func=lambda each: LABELS[each],
            horizontal=True,
            key=f"{key}/kind",
            persist_state="page",
        )
    )
    if kind in {"offer", "agreement"}:
        _draw_amount(kind, currency, key, wrong)
    elif kind == "counter":
        with st.grid(4, min_column_width=150):
            with st.container():
                amount = mark_required(f"Amount ({currency})" if currency else "Amount")
                draw_amount_input(amount, key=f"{key}/amount", help=_AMOUNT_HELP)
                draw_fault(wrong.get("amount"))
            _draw_day("Made on", key, wrong)
        st.text_input("Note", key=f"{key}/note", max_chars=2000, persist_state="page")
        st.caption("For what you offered. Where Parley writes to the supplier, a letter with it is prepared.")
    elif kind == "message":
        st.text_input("From", key=f"{key}/sender", max_chars=200, persist_state="page")
        draw_fault(wrong.get("sender"))
        st.text_area("Text", key=f"{key}/text", max_chars=20_000, persist_state="page")
        draw_fault(wrong.get("text"))
    else:
        st.text_input("Reason", key=f"{key}/reason", max_chars=2000, persist_state="page")
        st.caption("A cancellation is final.")


def read_update_form(*, key: str) -> tuple[Kind, Fields]:
    """Return the kind of event and the fields that the form under `key` holds at this moment."""
    typed = read_fields(key, ("kind", "currency", *_CLEARED_FIELDS))
    return _to_kind(typed["kind"]), typed


def clear_update_form(*, key: str) -> None:
    """Empty the form after its content was sent."""
    clear_fields(key, _CLEARED_FIELDS)


def _to_kind(value: object) -> Kind:
    return value if value in KINDS else "offer"


def _draw_amount(kind: Kind, currency: str, key: str, faults: Mapping[str, str]) -> None:
    set_default(f"{key}/currency", currency)
    with st.grid(4, min_column_width=150):
        with st.container():
            draw_amount_input(mark_required("Amount"), key=f"{key}/amount", help=_AMOUNT_HELP)
            draw_fault(faults.get("amount"))
        with st.container():
            st.text_input(mark_required("Currency"), key=f"{key}/currency", max_chars=3, persist_state="page")
            draw_fault(faults.get("currency"))
        st.number_input(
            "Term in months",
            value=None,
            min_value=1,
            max_value=1200,
            step=1,
            key=f"{key}/term",
            persist_state="page",
        )
        _draw_day("Made on" if kind == "offer" else "Signed on", key, faults)
        if kind == "offer":
            with st.container():
                st.date_input(
                    "Valid until", value=None, key=f"{key}/until", format="YYYY-MM-DD", persist_state="page"
                )
                draw_fault(faults.get("until"))
    if kind == "offer":
        st.text_input("Note", key=f"{key}/note", max_chars=2000, persist_state="page")
    else:
        st.caption("An agreed price completes the negotiation; its savings are final.")


def _draw_day(label: str, key: str, faults: Mapping[str, str]) -> None:
    with st.container():
        st.date_input(
            label,
            value=None,
            key=f"{key}/on",
            format="YYYY-MM-DD",
            help="Leave it empty for today.",
            persist_state="page",
        )
        draw_fault(faults.get("on"))


CORRECT, WITHDRAW = "Correct the offer", "Withdraw the offer"
_CLEARED_CORRECTION = ("amount", "term", "until", "note")


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
    return read_fields(key, ("offer", "what", *_CLEARED_CORRECTION))


def clear_offer_correction(*, key: str) -> None:
    """Empty the form after its content was sent."""
    clear_fields(key, _CLEARED_CORRECTION)
    # The browser shows the offer as it was until its choice is set again.
    st.session_state[f"{key}/offer"] = st.session_state.get(f"{key}/offer")
