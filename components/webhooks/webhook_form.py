"""The form that registers a webhook."""

from collections.abc import Mapping

import streamlit as st

from app.contract.events import EVENT_NAMES, EVENTS
from components.elements.form_fields import draw_fault, get_text, read_fields, set_default
from components.formatting.escape_markdown import escape_markdown


def draw_webhook_form(*, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw the address and a tick box for each event; `faults` are those of the last attempt."""
    wrong = faults or {}
    if wrong.get(""):
        st.error(escape_markdown(wrong[""]), icon=":material/error:")
    st.text_input(
        "Address",
        key=f"{key}/url",
        type="url",
        placeholder="https://example.com/hooks/parley",
        max_chars=2000,
        persist_state="page",
    )
    draw_fault(wrong.get("url"))
    st.markdown("Events")
    for event in EVENTS:
        widget = f"{key}/{event.event_name}"
        set_default(widget, True)
        st.checkbox(f"`{event.event_name}`", key=widget, help=event.explanation, persist_state="page")
    draw_fault(wrong.get("events"))


def read_webhook_form(*, key: str) -> tuple[str, list[str]]:
    """Return the address and the names of the events that the form under `key` holds at this moment."""
    typed = read_fields(key, ("url", *EVENT_NAMES))
    return get_text(typed, "url"), [name for name in EVENT_NAMES if typed[name]]


def clear_webhook_address(*, key: str) -> None:
    """Empty the address of the form after it was registered."""
    st.session_state.pop(f"{key}/url", None)
