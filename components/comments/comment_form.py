"""The form of a comment."""

from collections.abc import Mapping

import streamlit as st

from app.contract.comments import MAX_COMMENT
from components.elements.form_fields import draw_fault

FIELDS = ("text",)


def draw_comment_form(
    *, key: str, faults: Mapping[str, str] | None = None, disabled_reason: str | None = None
) -> None:
    """Draw the field, which cannot be written into where there is a `disabled_reason`."""
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


def example() -> None:
    draw_comment_form(key="example-comment", faults={"text": "The comment must not be blank."})
