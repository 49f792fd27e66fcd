"""Webhooks: the table, the health of one, its deliveries by the hour, and the built-in inbox."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from html import escape
from typing import Literal
from urllib.parse import urlsplit

import streamlit as st

from app.contract.events import EVENT_NAMES
from app.contract.money import format_quantity
from app.contract.webhooks import (
    MOST_MEASURED,
    DeliveryHealth,
    DeliveryHour,
    InboxMessage,
    Webhook,
    WebhookDetail,
)
from components.elements.empty_state import draw_empty_state
from components.elements.figure import BAD, GOOD
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import Bars, Cell, Column, draw_record_table
from components.formatting import (
    escape_markdown,
    format_duration,
    format_local_seconds,
    format_relative_time,
    get_reader_zone,
)
from components.webhooks.response_advice import explain_response, is_missing_response
from components.webhooks.signature_steps import redact_url

HEIGHT = 72
MIN_BAR_HEIGHT = 2
"""Makes a single failure among thousands visible."""


def draw_hourly_deliveries(hours: Sequence[DeliveryHour], *, alt: str) -> None:
    """Draw a bar for each hour, oldest first, with its figures in a tooltip. `alt` describes the chart for a
    screen reader."""
    most = max((hour.succeeded + hour.failed for hour in hours), default=0) or 1
    zone = get_reader_zone()
    first, last = (_format_hour(hour, zone) for hour in (hours[0], hours[-1]))
    st.html(
        f'<div role="img" aria-label="{escape(alt)}" style="display:flex;gap:4px;height:{HEIGHT}px">'
        + "".join(_render_bar(hour, most, zone) for hour in hours)
        + '</div><div style="display:flex;justify-content:space-between;font-size:0.875rem">'
        f"<span>{first}</span>"
        f'<span><span style="color:{GOOD}" aria-hidden="true">■</span> succeeded&ensp;'
        f'<span style="color:{BAD}" aria-hidden="true">■</span> failed</span>'
        f"<span>{last}</span></div>"
    )


def _render_bar(hour: DeliveryHour, most: int, zone: tzinfo) -> str:
    """Return a column of full height, so that the tooltip appears however low the bar is."""
    succeeded, failed = _get_height(hour.succeeded, most), _get_height(hour.failed, most)
    tooltip = f"{_format_hour(hour, zone)}: {hour.succeeded:,} succeeded, {hour.failed:,} failed"
    column = "flex:1;display:flex;flex-direction:column;justify-content:flex-end"
    parts = ((failed, BAD), (min(succeeded, HEIGHT - failed), GOOD))
    filled = "".join(
        f'<div style="height:{high:g}px;background:{colour}"></div>' for high, colour in parts if high
    )
    return f'<div title="{tooltip}" style="{column}">{filled}</div>'


def _get_height(count: int, most: int) -> float:
    return max(MIN_BAR_HEIGHT, round(HEIGHT * count / most, 1)) if count else 0


def _format_hour(hour: DeliveryHour, zone: tzinfo) -> str:
    return f"{hour.began_at.astimezone(zone):%H:%M}" if hour.began_at else ""


def draw_webhook_health(webhook: WebhookDetail, now: datetime) -> None:
    """Draw why the webhook is off, if it is, then rates, times and attempts by the hour."""
    if not webhook.enabled:
        why = f" {escape_markdown(webhook.disabled_reason)}" if webhook.disabled_reason else ""
        st.warning(f"**Turned off: nothing is sent.**{why}", icon=":material/pause_circle:")
    if webhook.slow_until and webhook.slow_until > now:
        st.info(
            "The receiver asked for a pause: the next delivery is "
            f"{format_relative_time(webhook.slow_until, now)}."
        )
    if webhook.previous_secret_until and webhook.previous_secret_until > now:
        st.info(
            "The previous secret stays valid for another "
            f"{format_duration(webhook.previous_secret_until - now)}."
        )
    health = webhook.health
    draw_metric_row(_list_metrics(webhook.health))
    if health.attempts and health.hours:
        alt = f"{format_quantity(health.attempts)} attempts of the past 24 hours, by the hour"
        draw_hourly_deliveries(health.hours, alt=alt)
    if health.last_failure_at:
        outcome = health.last_failure or "failed"
        advice = f" {escape_markdown(explain_response(0, outcome))}" if is_missing_response(outcome) else ""
        word = escape_markdown(outcome.replace("_", " "))
        st.caption(f"Last failure {format_relative_time(health.last_failure_at, now)}: {word}.{advice}")


def _list_metrics(health: DeliveryHealth) -> list[Metric]:
    is_limited = health.attempts >= MOST_MEASURED
    label = "Newest attempts" if is_limited else "Attempts in 24 hours"
    metrics = [Metric(label, format_quantity(health.attempts))]
    if health.success_rate is not None:
        metrics.append(Metric("Succeeded", f"{health.success_rate:.1%}".replace("%", " %")))
    if health.median_ms is not None and health.p95_ms is not None:
        metrics.append(Metric("Median", f"{health.median_ms:,} ms"))
        metrics.append(Metric("95th percentile", f"{health.p95_ms:,} ms"))
    return [*metrics, Metric("Waiting", format_quantity(health.waiting))]


def draw_webhook_table(
    webhooks: Sequence[Webhook], *, now: datetime, details: Mapping[str, WebhookDetail] | None = None
) -> None:
    """Draw the webhooks. `details` are by id, of those that are known."""
    known = details or {}

    def of_health(
        read: Callable[[DeliveryHealth], Cell], align: Literal["left", "right"] = "left", help: str = ""
    ) -> Column[Webhook]:
        return Column(
            lambda one: read(known[one.id].health) if one.id in known else None,
            align,
            help,
            optional=not known,
        )

    draw_record_table(
        webhooks,
        {
            "Address": Column(lambda one: "Built-in inbox" if is_inbox(one) else redact_url(one.url)),
            "State": Column(lambda one: _describe_state(known.get(one.id)), optional=True),
            "Succeeded": of_health(
                lambda one: None if one.success_rate is None else f"{one.success_rate * 100:.1f} %", "right"
            ),
            "Last failure": of_health(lambda one: _describe_last_failure(one, now)),
            "Median": of_health(lambda one: _format_milliseconds(one.median_ms), "right"),
            "95th percentile": of_health(
                lambda one: _format_milliseconds(one.p95_ms), "right", "95 % of the attempts took no longer"
            ),
            "24 hours": of_health(
                lambda one: Bars([hour.succeeded + hour.failed for hour in one.hours]),
                help="Attempts by the hour",
            ),
            "Events": Column(
                lambda one: "all events" if set(one.events) == set(EVENT_NAMES) else ", ".join(one.events)
            ),
        },
        link=lambda one: ("webhook", {"id": one.id}),
        alt=f"{len(webhooks)} webhooks, newest first",
    )


def _describe_state(detail: WebhookDetail | None) -> str | None:
    return None if detail is None else "on" if detail.enabled else "off"


def _describe_last_failure(health: DeliveryHealth, now: datetime) -> str | None:
    if health.last_failure_at is None:
        return None
    failure = (health.last_failure or "failed").replace("_", " ")
    return f"{failure}, {format_relative_time(health.last_failure_at, now)}"


def _format_milliseconds(duration: float | None) -> str | None:
    return None if duration is None else f"{duration:,.0f} ms"


MESSAGES_SHOWN = 20


def is_inbox(webhook: Webhook) -> bool:
    """Return whether the webhook sends to the built-in inbox, by its address."""
    return urlsplit(webhook.url).path == f"/inbox/{webhook.id}"


def draw_inbox_messages(messages: Sequence[InboxMessage]) -> None:
    """Draw the messages, newest first: whether the signature is valid, the payload, the headers."""
    if not messages:
        draw_empty_state("Nothing has arrived yet", "Send a test, or wait for an event.", "mark_email_unread")
    for at, message in enumerate(messages[:MESSAGES_SHOWN]):
        mark = ":red[:material/gpp_bad:]" if message.fault else ":green[:material/verified_user:]"
        with st.expander(
            f"{mark} **{escape_markdown(_get_event_type(message))}**, "
            f"{format_local_seconds(message.received_at)}",
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
