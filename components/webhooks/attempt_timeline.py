"""The attempts to deliver an event, and when the next one is due."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

import streamlit as st

from app.contract.webhooks import DeliveryAttempt, WebhookEvent
from components.formatting.datetimes import format_duration, format_local_seconds
from components.formatting.escape_markdown import escape_markdown
from components.webhooks.curl_command import HIDDEN, is_secret
from components.webhooks.response_advice import explain_response, format_status

_SCROLLS_FROM = 600
"""Characters from which a body scrolls in a box of its own."""


def get_time_to_next_attempt(record: WebhookEvent, now: datetime) -> timedelta | None:
    """Return the time until the next attempt, zero once it is due; None where there is none."""
    if record.next_attempt_at is None or record.status in {"succeeded", "failed"}:
        return None
    return max(record.next_attempt_at - now, timedelta())


def draw_next_attempt(record: WebhookEvent, now: datetime, zone: tzinfo) -> None:
    """Draw the time left until the next attempt; nothing where there is none."""
    left = get_time_to_next_attempt(record, now)
    if left is None:
        return
    when = f"in {format_duration(left)}" if left else "due"
    st.markdown(
        f":orange[:material/schedule:] **{int(record.attempts) + 1}.** "
        f"{format_local_seconds(record.next_attempt_at, zone)}, {when}"
    )


def draw_attempt_timeline(attempts: Sequence[DeliveryAttempt], zone: tzinfo) -> None:
    """Draw the attempts, latest first, each with its explanation and the response's headers and body."""
    if not attempts:
        st.caption("No attempt yet.")
    for attempt in reversed(attempts):
        is_success = attempt.outcome == "succeeded"
        mark = ":green[:material/check_circle:]" if is_success else ":red[:material/cancel:]"
        with st.expander(
            f"{mark} **{attempt.number}.** {format_local_seconds(attempt.started_at, zone)}, "
            f"{_describe_outcome(attempt)}, {attempt.duration_ms:,} ms"
        ):
            if not is_success:
                word = escape_markdown(attempt.outcome.replace("_", " "))
                detail = f": {escape_markdown(attempt.detail)}" if attempt.detail else ""
                st.markdown(f"**{word}**{detail}")
                st.markdown(escape_markdown(explain_response(attempt.response_status, attempt.outcome)))
            draw_response(attempt)


def draw_response(attempt: DeliveryAttempt) -> None:
    """Draw the headers and the beginning of the body of the response, if there was one."""
    if attempt.response_headers:
        st.code(
            "\n".join(
                f"{name}: {HIDDEN if is_secret(name) else value}"
                for name, value in attempt.response_headers.items()
            ),
            language=None,
            wrap_lines=True,
        )
    if attempt.response_body:
        tall = 200 if len(attempt.response_body) > _SCROLLS_FROM else "content"
        st.code(attempt.response_body, language=None, wrap_lines=True, height=tall)
    elif attempt.response_status:
        st.caption("The response had no body.")


def _describe_outcome(attempt: DeliveryAttempt) -> str:
    if attempt.response_status:
        return format_status(attempt.response_status)
    return escape_markdown(attempt.outcome.replace("_", " "))
