"""Deliveries: the list, and one in full with request, response, and every attempt."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import streamlit as st

from app.contract.webhooks import DeliveryAttempt, WebhookEvent, WebhookEventWithData
from components.elements.record_table import Column, draw_record_table
from components.elements.tabs import draw_tabs
from components.formatting import (
    draw_time,
    escape_markdown,
    format_count,
    format_duration,
    format_local_seconds,
    format_local_time,
    format_relative_time,
    get_reader_zone,
)
from components.webhooks.response_advice import (
    STATUS_STYLES,
    describe_next_step,
    explain_response,
    format_status,
)
from components.webhooks.signature_steps import (
    HIDDEN,
    draw_signature_steps,
    encode_body,
    format_curl,
    is_secret,
    redact_url,
)

_SCROLLS_FROM = 600
"""Characters from which a body scrolls in a box of its own."""


def get_time_to_next_attempt(record: WebhookEvent, now: datetime) -> timedelta | None:
    """Return the time until the next attempt, zero once it is due; None where there is none."""
    if record.next_attempt_at is None or record.status in {"succeeded", "failed"}:
        return None
    return max(record.next_attempt_at - now, timedelta())


def draw_next_attempt(record: WebhookEvent, now: datetime) -> None:
    """Draw the time left until the next attempt; nothing where there is none."""
    left = get_time_to_next_attempt(record, now)
    if left is None:
        return
    when = f"in {format_duration(left)}" if left else "due"
    st.markdown(
        f":orange[:material/schedule:] **{int(record.attempts) + 1}.** "
        f"{format_local_seconds(record.next_attempt_at)}, {when}"
    )


def draw_attempt_timeline(attempts: Sequence[DeliveryAttempt]) -> None:
    """Draw the attempts, latest first, each with its explanation and the response's headers and body."""
    if not attempts:
        st.caption("No attempt yet.")
    for attempt in reversed(attempts):
        is_success = attempt.outcome == "succeeded"
        mark = ":green[:material/check_circle:]" if is_success else ":red[:material/cancel:]"
        with st.expander(
            f"{mark} **{attempt.number}.** {format_local_seconds(attempt.started_at)}, "
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


def draw_delivery_state(record: WebhookEvent, now: datetime) -> None:
    """Draw the status, the number of attempts and the time until the next one."""
    word, icon, colour = STATUS_STYLES.get(record.status, (record.status, "help", "gray"))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(escape_markdown(word), icon=f":material/{icon}:", color=colour)  # pyright: ignore[reportArgumentType]
        st.caption(format_count(int(record.attempts), "attempt"), width="content")
        draw_time(f"created {format_local_time(record.created_at)}", record.created_at)
    st.markdown(f"{escape_markdown(describe_next_step(record))} {format_countdown(record, now)}".strip())


def format_countdown(record: WebhookEvent, now: datetime) -> str:
    """Return `Next attempt in 4 min 12 s.`, "" where there is none."""
    left = get_time_to_next_attempt(record, now)
    if left is None:
        return ""
    return f"Next attempt in {format_duration(left)}." if left else "The next attempt is due."


def draw_delivery_detail(
    record: WebhookEventWithData,
    webhook_url: str,
    *,
    key: str,
    now: datetime,
    latest: DeliveryAttempt | None = None,
) -> None:
    """Draw request and response side by side, then the payload, the signature and the curl command. Headers
    and body of the response are in the `latest` attempt, where the deployment keeps attempts."""
    request, answer = st.columns(2, gap="medium")
    with request.container(border=True):
        st.markdown(":material/upload: **Request**")
        path = (record.data.path or "/") + (f"?{record.data.query}" if record.data.query else "")
        st.code(f"POST {redact_url(path)}", language=None, wrap_lines=True)
        _draw_headers(record.data.headers)
    with answer.container(border=True):
        st.markdown(":material/download: **Response**")
        code = int(record.response_status)
        if not code and not record.attempts:
            st.caption("Nothing has been sent yet.")
        else:
            st.code(format_status(code), language=None)
            st.markdown(escape_markdown(explain_response(code, latest.outcome if latest else "")))
            if latest and latest.detail and not code:
                st.caption(escape_markdown(latest.detail))
        if record.last_attempt_at:
            when = format_local_time(record.last_attempt_at)
            ago = format_relative_time(record.last_attempt_at, now)
            draw_time(f"Last attempt {ago}, {when}", record.last_attempt_at)
        if record.successful_at:
            draw_time(f"Accepted {format_local_time(record.successful_at)}", record.successful_at)
        if latest:
            draw_response(latest)
    headers, content = record.data.headers, record.data.body
    body = encode_body(content)

    def draw_command() -> None:
        st.code(format_curl(webhook_url, headers, body), language=None, wrap_lines=True)
        st.caption(
            f"Possible secrets are replaced by `{HIDDEN}`. "
            "Receivers refuse a signature older than five minutes."
        )

    tabs = {
        "Payload": lambda: st.json(content),
        "Raw": lambda: st.code(body.decode(), language=None, wrap_lines=True),
        "Signature": lambda: draw_signature_steps(headers, content, key=key),
        "As curl": draw_command,
    }
    draw_tabs(tabs, key=f"{key}-tab")


def _draw_headers(headers: Mapping[str, object]) -> None:
    if not headers:
        st.caption("Headers appear after the first attempt.")
        return
    draw_record_table(
        list(headers.items()),
        {
            "Header": Column(lambda one: one[0]),
            "Value": Column(lambda one: HIDDEN if is_secret(one[0]) else str(one[1])),
        },
        alt="Headers of the request",
    )


STATES: Mapping[str, str | None] = {
    "Any state": None,
    **{word.capitalize(): state for state, (word, _, _) in STATUS_STYLES.items()},
}
STATUS_CLASSES = {"Any response": None, "2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5, "No response": 0}
AGES = {
    "Any time": None,
    "Last hour": timedelta(hours=1),
    "Last day": timedelta(days=1),
    "Last week": timedelta(days=7),
}


def draw_delivery_table(records: Sequence[WebhookEvent], *, webhook_id: str) -> None:
    """Draw the deliveries of the webhook."""
    zone = get_reader_zone()

    def format_seconds(at: datetime | None) -> str | None:
        return None if at is None else format_local_seconds(at, zone)

    draw_record_table(
        records,
        {
            "Created": Column(lambda one: format_seconds(one.created_at) or "unknown"),
            "Event": Column(lambda one: one.event_type, optional=True),
            "State": Column(lambda one: STATUS_STYLES.get(one.status, (one.status, "", ""))[0]),
            "Response": Column(
                lambda one: (
                    format_status(int(one.response_status))
                    if int(one.response_status) or one.attempts
                    else None
                )
            ),
            "Attempts": Column(lambda one: int(one.attempts), "right"),
            "Last attempt": Column(lambda one: format_seconds(one.last_attempt_at)),
            "Next attempt": Column(lambda one: format_seconds(one.next_attempt_at), optional=True),
        },
        link=lambda one: ("webhook", {"id": webhook_id, "event": one.id}),
        alt=f"{len(records)} deliveries, newest first",
    )
