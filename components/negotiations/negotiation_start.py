"""The form that starts a negotiation: the people who take part, and the buyer's own numbers."""

from collections.abc import Mapping

import streamlit as st

from app.contract.negotiation import EngagementType
from components.elements.form_fields import draw_amount_input, draw_fault, mark_required, read_fields

ENGAGEMENTS: dict[EngagementType, tuple[str, str]] = {
    "strategy_only": ("We talk to the supplier", "You get the strategy and log what the supplier says."),
    "svc_led": (
        "The service writes the letters",
        "Letters are sent by email if a mail server is set up; otherwise you copy and send each one.",
    ),
}
TEXT_FIELDS = (
    "contact-name",
    "contact-email",
    "engagement",
    "supplier-contact",
    "supplier-email",
    "participants",
)


def draw_people_form(*, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the second step; `read_people_form` returns what was entered."""
    wrong = faults or {}
    engagement = st.radio(
        "Who talks to the supplier",
        list(ENGAGEMENTS),
        format_func=lambda each: ENGAGEMENTS[each][0],
        captions=[caption for _, caption in ENGAGEMENTS.values()],
        key=f"{key}/engagement",
        persist_state="page",
    )
    left, right = st.columns(2)
    with left:
        _draw_text_input(mark_required("Your name"), "contact-name", key, wrong)
        _draw_text_input("Name of the supplier's contact", "supplier-contact", key, wrong)
    with right:
        _draw_text_input(mark_required("Your email"), "contact-email", key, wrong, is_email=True)
        email = "Email of the supplier's contact"
        if engagement == "svc_led":
            email = mark_required(email)
        _draw_text_input(email, "supplier-email", key, wrong, is_email=True)
    st.text_area(
        "Other participants",
        key=f"{key}/participants",
        placeholder="Kim Lee <kim@example.com>, finance",
        help="One per line: name, email in angle brackets, a comma and the role.",
        height=80,
        persist_state="page",
    )
    draw_fault(wrong.get("participants"))


def draw_own_numbers_form(
    *,
    key: str,
    faults: Mapping[str, str] | None = None,
    quote_currency: str = "",
    is_expanded: bool = False,
) -> None:
    """Draw the fields for the buyer's own target and budget and, where its currency is known, for what the
    supplier asks now; `read_people_form` returns what was entered."""
    wrong = faults or {}
    with st.expander(
        "Your own numbers", expanded=is_expanded or bool(wrong.keys() & {"target", "budget", "quote"})
    ):
        st.caption(
            "Optional: the numbers are calculated where there are comparable purchases. What you enter here"
            " is used instead and marked as yours. In the quote's currency, before tax, for the whole term."
        )
        fields = [("target", "Target"), ("budget", "Budget (walk away above this)")]
        if quote_currency:
            fields.append(("quote", f"What the supplier asks now, in {quote_currency}"))
        for column, (name, label) in zip(st.columns(len(fields)), fields, strict=True):
            with column:
                draw_amount_input(label, key=f"{key}/{name}")
                draw_fault(wrong.get(name))


def read_people_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, (*TEXT_FIELDS, "target", "budget", "quote"))


def _draw_text_input(
    label: str, name: str, key: str, faults: Mapping[str, str], *, is_email: bool = False
) -> None:
    st.text_input(
        label,
        key=f"{key}/{name}",
        type="email" if is_email else "default",
        max_chars=254,
        persist_state="page",
    )
    draw_fault(faults.get(name))
