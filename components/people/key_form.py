"""The form that makes an API key."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.access import Role
from components.elements.form_fields import clear_fields, draw_fault, get_text, read_fields
from components.formatting.escape_markdown import escape_markdown

FIELDS = ("name", "role")
ROLE_WORDS: dict[str, str] = {
    "reader": "Reader: sees everything, changes nothing",
    "buyer": "Buyer: works with quotes, negotiations and contracts",
    "admin": "Admin: also webhooks, settings, keys and the audit log",
    "owner": "Owner: everything, and other owners",
}


def draw_key_form(roles: Sequence[Role], *, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the name and the choice of one of `roles`; `faults` are those of the last attempt."""
    wrong = faults or {}
    if wrong.get(""):
        st.error(escape_markdown(wrong[""]), icon=":material/error:")
    st.text_input(
        "What the key is for", key=f"{key}/name", placeholder="Nightly export", max_chars=200, width=480
    )
    draw_fault(wrong.get("name"))
    st.selectbox(
        "What it may do", roles, key=f"{key}/role", format_func=lambda role: ROLE_WORDS[role], width=480
    )


def read_key_form(*, key: str) -> tuple[str, str]:
    """Return the name and the role that the form holds at this moment."""
    typed = read_fields(key, FIELDS)
    return get_text(typed, "name"), get_text(typed, "role")


def clear_key_form(*, key: str) -> None:
    """Empty the name after the key was made. To be called before the form is drawn."""
    clear_fields(key, ("name",))


def example() -> None:
    draw_key_form(("reader", "buyer"), key="example-key", faults={"name": "Enter what the key is for."})
