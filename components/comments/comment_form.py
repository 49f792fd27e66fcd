"""The form of a comment."""

from collections.abc import Mapping

import streamlit as st

from app.contract.comments import MAX_COMMENT
from components.elements.form_fields import draw_fault

FIELDS = ("text",)


def draw_comment_form(
    *,
    key: str,
    mail_available: bool,
    faults: Mapping[str, str] | None = None,
    disabled_reason: str | None = None,
) -> None:
    """Draw the field, which cannot be written into where there is a `disabled_reason`, and who gets mail."""
    st.text_area(
        "Your comment",
        key=f"{key}/text",
        height=100,
        max_chars=MAX_COMMENT,
        placeholder="Everybody in your organisation can read it.",
        disabled=disabled_reason is not None,
        help=disabled_reason,
        persist_state="page",
    )
    draw_fault((faults or {}).get("text"))
    if disabled_reason is None:
        st.caption(
            "To name somebody, write @ and their name or address as it is on record. They get one mail."
            if mail_available
            else "This workspace has no mail server: who is named with @ gets no mail."
        )
