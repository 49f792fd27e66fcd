"""The form that makes an API key."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

import streamlit as st

from app.contract.access import Role
from components.elements.form_fields import clear_fields, draw_fault, get_text, read_fields
from components.formatting.escape_markdown import escape_markdown

FIELDS = ("name", "role", "last_day", "networks")
ROLE_WORDS: dict[str, str] = {
    "reader": "Reader: sees everything, changes nothing",
    "buyer": "Buyer: works with quotes, negotiations and contracts",
    "admin": "Admin: also webhooks, settings, keys and the audit log",
    "owner": "Owner: everything, and other owners",
}


class KeyForm(NamedTuple):
    """What the form holds: the last day and the networks may be missing."""

    name: str
    role: str
    last_day: date | None
    networks: tuple[str, ...]


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
    st.date_input(
        "Last day",
        None,
        key=f"{key}/last_day",
        min_value="today",
        help="It works until the end of this day (UTC). Empty: until somebody revokes it.",
        width=480,
    )
    st.text_input(
        "Networks that it works from",
        key=f"{key}/networks",
        placeholder="192.0.2.0/24, 2001:db8::/32",
        help="Addresses or networks with commas between them. Empty: from anywhere.",
        max_chars=1000,
        width=480,
    )
    draw_fault(wrong.get("networks"))


def read_key_form(*, key: str) -> KeyForm:
    """Return what the form holds at this moment."""
    typed = read_fields(key, FIELDS)
    last_day = typed["last_day"]
    return KeyForm(
        get_text(typed, "name"),
        get_text(typed, "role"),
        last_day if isinstance(last_day, date) else None,
        tuple(get_text(typed, "networks").replace(",", " ").split()),
    )


def clear_key_form(*, key: str) -> None:
    """Empty the form but for the role after the key was made. To be called before it is drawn."""
    clear_fields(key, ("name", "last_day", "networks"))
