"""The form that registers a webhook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

import streamlit as st
from pydantic import ValidationError

from app.contract.events import EVENT_NAMES, EVENTS, EventName
from app.contract.webhooks import NewWebhook
from components.elements.form_fields import draw_fault, get_text, read_fields, set_default
from components.formatting.escape_markdown import escape_markdown


@dataclass(frozen=True)
class EnteredWebhook:
    """What was entered. `body` is None while there are faults; these are by field: `url`, `events`, "" for
    the form as a whole."""

    body: NewWebhook | None
    faults: Mapping[str, str]


def validate_webhook(url: str, events: Sequence[str]) -> EnteredWebhook:
    """Return the webhook to register, or the faults. Only the service decides whether the address may be
    called."""
    faults: dict[str, str] = {}
    address = url.strip()
    try:
        parts = urlsplit(address)
        complete = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        complete = False
    if not complete:
        faults["url"] = "A whole address that starts with https:// or http://."
    chosen = [name for name in EVENT_NAMES if name in events]
    if not chosen:
        faults["events"] = "Choose at least one."
    if faults:
        return EnteredWebhook(None, faults)
    try:
        return EnteredWebhook(NewWebhook(url=address, events=cast(list[EventName], chosen)), {})
    except ValidationError as refusal:
        return EnteredWebhook(None, {"": "; ".join(error["msg"] for error in refusal.errors())})


def draw_webhook_form(*, key: str, faults: Mapping[str, str] | None = None) -> EnteredWebhook:
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
    return read_webhook_form(key=key)


def read_webhook_form(*, key: str) -> EnteredWebhook:
    """Return what the form under `key` holds at this moment, for a callback that sends it."""
    typed = read_fields(key, ("url", *EVENT_NAMES))
    return validate_webhook(get_text(typed, "url"), [name for name in EVENT_NAMES if typed[name]])


def clear_webhook_address(*, key: str) -> None:
    """Empty the address of the form after it was registered."""
    st.session_state.pop(f"{key}/url", None)


def example() -> None:
    draw_webhook_form(key="example-webhook", faults={"url": "A whole address is needed."})
