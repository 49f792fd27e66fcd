"""Who looks after a scope or a negotiation, and the form that names another."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.owners import Owner
from components.elements.form_inputs import draw_text_field
from components.formatting.escape_markdown import escape_markdown
from components.formatting.shortening import shorten_text

FIELDS = ("name", "email")
_LONGEST_NAME = 60


def describe_owners(owners: Sequence[Owner]) -> str:
    """Return `Owner: Bea Buyer and 1 more` in Markdown."""
    if not owners:
        return "No owner"
    others = f" and {len(owners) - 1} more" if len(owners) > 1 else ""
    return f"Owner: {escape_markdown(shorten_text(owners[0].name, _LONGEST_NAME))}{others}"


def read_values(owners: Sequence[Owner]) -> dict[str, str | None]:
    """Return what the fields hold of the owners on record: the first of them."""
    first = owners[0] if owners else None
    return {"name": first.name if first else None, "email": first.email if first else None}


def draw_owner_form(owners: Sequence[Owner], *, key: str, faults: Mapping[str, str]) -> None:
    """Draw the fields of the first owner, and name the others."""
    draw_text_field("Owner", "name", key, faults, placeholder="Nobody", most=200)
    draw_text_field("Owner's email", "email", key, faults, placeholder="name@example.com", most=254)
    others = ", ".join(owner.name for owner in owners[1:])
    if others:
        st.caption(f"Besides: {escape_markdown(others)}. They stay.")
    st.caption("Who is named gets one mail, where there is an address and a mail server.")
