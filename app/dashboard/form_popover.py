"""A form behind a button: a popover that closes once what the form holds is on record."""

from collections.abc import Iterable
from typing import Literal

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from app.dashboard.record_change import end_change
from app.dashboard.session_values import is_form_saved


def form_popover(
    label: str,
    *,
    form: str,
    icon: str,
    type: Literal["primary", "secondary", "tertiary"] = "tertiary",
) -> PopoverContainer:
    """Draw the button that opens the form `form`, and return where the form is to be drawn."""
    key = f"{form}-popover"
    if is_form_saved(form).pop():
        st.session_state[key] = False
    return st.popover(label, key=key, icon=icon, type=type, width="content", on_change="rerun")


def close_form(form: str, names: Iterable[str]) -> None:
    """End the change that the form's fields `names` hold, and close its popover at the next drawing."""
    end_change(form, names)
    is_form_saved(form).set(True)
