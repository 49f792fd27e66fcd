"""The form that reports an event in a negotiation: an offer, a message, an agreement, a cancellation."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, cast, get_args

import streamlit as st

from app.contract.negotiation import ExternalUpdate
from components.formatting.escape_markdown import escape_markdown
from components.negotiations import external_updates
from components.negotiations.external_updates import EnteredUpdate, Envelope

Kind = Literal["offer", "message", "agreement", "cancellation"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LABELS: dict[Kind, str] = {
    "offer": "An offer",
    "message": "A message",
    "agreement": "The agreement",
    "cancellation": "A cancellation",
}
_LIMIT = 10**12


def validate_update(kind: Kind, typed: Mapping[str, Any]) -> EnteredUpdate:
    """Return the update, or the faults. `typed` holds amount, currency, term, until, note, sender, text,
    reason."""
    faults: dict[str, str] = {}
    amount: float | None = typed.get("amount")
    currency = str(typed.get("currency") or "").strip().upper()
    if kind in {"offer", "agreement"}:
        if amount is None or not 0 < amount < _LIMIT:
            faults["amount"] = "Above 0 and below 10¹²."
        if len(currency) != 3 or not currency.isascii() or not currency.isalpha():
            faults["currency"] = "Three letters, such as USD."
    if kind == "message":
        for field in ("sender", "text"):
            if not str(typed.get(field) or "").strip():
                faults[field] = "This field is required."
    if faults:
        return EnteredUpdate(None, faults)
    exact = Decimal(str(amount or 0))

    def make(envelope: Envelope) -> ExternalUpdate:
        if kind == "offer":
            return external_updates.offer(
                envelope,
                exact,
                currency,
                term_length=typed.get("term"),
                valid_until=typed.get("until"),
                note=str(typed.get("note") or "").strip(),
            )
        if kind == "agreement":
            return external_updates.agreement(envelope, exact, currency, term_length=typed.get("term"))
        if kind == "message":
            sender, text = str(typed["sender"]).strip(), str(typed["text"]).strip()
            return external_updates.message(envelope, sender, text)
        return external_updates.cancellation(envelope, str(typed.get("reason") or "").strip())

    return EnteredUpdate(make, {})


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
    elif kind == "message":
        st.text_input("From", key=f"{key}/sender", max_chars=200, persist_state="page")
        _draw_fault(wrong.get("sender"))
        st.text_area("Text", key=f"{key}/text", max_chars=20_000, persist_state="page")
        _draw_fault(wrong.get("text"))
    else:
        st.text_input("Reason", key=f"{key}/reason", max_chars=2000, persist_state="page")
        st.caption("A cancellation is final.")


def read_update_form(*, key: str) -> EnteredUpdate:
    """Return what the form under `key` holds at this moment."""
    state = cast(Mapping[str, Any], st.session_state)
    names = ("amount", "currency", "term", "until", "note", "sender", "text", "reason")
    return validate_update(
        _to_kind(state.get(f"{key}/kind")), {name: state.get(f"{key}/{name}") for name in names}
    )


def clear_update_form(*, key: str) -> None:
    """Empty the form after its content was sent."""
    for name in ("amount", "term", "until", "note", "sender", "text", "reason"):
        st.session_state.pop(f"{key}/{name}", None)


def _to_kind(value: object) -> Kind:
    return value if value in KINDS else "offer"


def _draw_amount(kind: Kind, currency: str, key: str, faults: Mapping[str, str]) -> None:
    if f"{key}/currency" not in st.session_state:
        st.session_state[f"{key}/currency"] = currency
    with st.grid(4, min_column_width=150):
        with st.container():
            st.number_input(
                "Amount \\*",
                value=None,
                step=0.01,
                format="%g",
                key=f"{key}/amount",
                help="Before tax, for the whole term.",
                persist_state="page",
            )
            _draw_fault(faults.get("amount"))
        with st.container():
            st.text_input("Currency \\*", key=f"{key}/currency", max_chars=3, persist_state="page")
            _draw_fault(faults.get("currency"))
        st.number_input(
            "Term in months",
            value=None,
            min_value=1,
            max_value=1200,
            step=1,
            key=f"{key}/term",
            persist_state="page",
        )
        if kind == "offer":
            st.date_input(
                "Valid until", value=None, key=f"{key}/until", format="YYYY-MM-DD", persist_state="page"
            )
    if kind == "offer":
        st.text_input("Note", key=f"{key}/note", max_chars=2000, persist_state="page")
    else:
        st.caption("An agreement completes the negotiation; its savings are final.")


def _draw_fault(fault: str | None) -> None:
    if fault:
        st.caption(f":red[:material/error: {escape_markdown(fault)}]")


def example() -> None:
    draw_update_form("USD", key="example-update", faults={"amount": "Above 0 and below 10¹²."})
