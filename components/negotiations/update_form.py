"""The form that reports an event in a negotiation: an offer of either side, a message, an agreed price, a
cancellation."""

from collections.abc import Mapping
from typing import Literal, get_args

import streamlit as st

from components.elements.form_fields import (
    Fields,
    clear_fields,
    draw_amount_input,
    draw_fault,
    mark_required,
    read_fields,
    set_default,
)

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
