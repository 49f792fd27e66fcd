"""Messages in the deployment's built-in inbox, as a receiver sees them."""

import json
from collections.abc import Sequence
from datetime import tzinfo
from urllib.parse import urlsplit

import streamlit as st

from app.contract.webhooks import InboxMessage, Webhook
from components.elements.empty_state import draw_empty_state
from components.formatting.datetimes import format_local_seconds
from components.formatting.texts import escape_markdown

MESSAGES_SHOWN = 20


def is_inbox(webhook: Webhook) -> bool:
    """Return whether the webhook sends to the built-in inbox, by its address."""
    return urlsplit(webhook.url).path == f"/inbox/{webhook.id}"


def draw_inbox_messages(messages: Sequence[InboxMessage], zone: tzinfo) -> None:
    """Draw the messages, newest first: whether the signature is valid, the payload, the headers."""
    if not messages:
        draw_empty_state(
            "Nothing has arrived yet", "Send a test, or wait for an event.", icon="mark_email_unread"
        )
    for at, message in enumerate(messages[:MESSAGES_SHOWN]):
        mark = ":red[:material/gpp_bad:]" if message.fault else ":green[:material/verified_user:]"
        with st.expander(
            f"{mark} **{escape_markdown(_get_event_type(message))}**, "
            f"{format_local_seconds(message.received_at, zone)}",
            expanded=at == 0,
        ):
            if message.fault:
                st.markdown(f"**Refused with 401**: {escape_markdown(message.fault)}.")
            else:
                st.markdown("**Accepted with 200**: the signature is valid.")
            payload, headers = st.columns(2, gap="medium")
            payload.code(_indent_json(message.body), language=None, wrap_lines=True)
            headers.code(
                "\n".join(f"{name}: {value}" for name, value in message.headers.items()),
                language=None,
                wrap_lines=True,
            )
    if len(messages) > MESSAGES_SHOWN:
        st.caption(f"The newest {MESSAGES_SHOWN} of {len(messages)} messages kept.")


def _get_event_type(message: InboxMessage) -> str:
    try:
        return str(json.loads(message.body)["eventType"])
    except (ValueError, KeyError, TypeError):
        return "no event"


def _indent_json(body: str) -> str:
    try:
        return json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except ValueError:
        return body
