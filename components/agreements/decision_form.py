"""The form of a decision on an agreement."""

from collections.abc import Mapping

import streamlit as st

from components.agreements.agreement_words import DECISION_LABELS
from components.elements.form_fields import draw_fault, read_fields

FIELDS = ("decision", "note", "noticeGivenOn", "until")


def draw_decision_form(*, key: str, takes_notice: bool, faults: Mapping[str, str] | None = None) -> None:
    """Draw the choice, the reason and, where the agreement ends by notice, the day on which it was given."""
    wrong = faults or {}
    if wrong.get(""):
        draw_fault(wrong[""])
    decision = st.radio(
        "Renewal decision",
        list(DECISION_LABELS),
        index=None,
        format_func=lambda each: DECISION_LABELS.get(each, each),
        horizontal=True,
        key=f"{key}/decision",
        persist_state="page",
    )
    draw_fault(wrong.get("decision"))
    if decision == "put_off":
        st.date_input(
            "Ask again on", value=None, key=f"{key}/until", format="YYYY-MM-DD", persist_state="page"
        )
        draw_fault(wrong.get("until"))
    st.text_area("Why", key=f"{key}/note", height=80, max_chars=5000, persist_state="page")
    draw_fault(wrong.get("note"))
    if takes_notice and decision not in ("renew", "put_off"):
        st.date_input(
            "Notice was given on",
            value=None,
            key=f"{key}/noticeGivenOn",
            format="YYYY-MM-DD",
            help="A decision gives no notice: the deadline is watched until this day is known.",
            persist_state="page",
        )
        draw_fault(wrong.get("noticeGivenOn"))


def read_decision_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)
