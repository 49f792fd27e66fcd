"""The health of a webhook: its deliveries in the past day."""

from datetime import datetime, tzinfo

import streamlit as st

from app.contract.money import format_quantity
from app.contract.webhooks import MOST_MEASURED, DeliveryHealth, WebhookDetail
from components.elements.metric_row import Metric, draw_metric_row
from components.formatting.datetimes import format_duration, format_relative_time
from components.formatting.escape_markdown import escape_markdown
from components.webhooks.hourly_deliveries import draw_hourly_deliveries
from components.webhooks.response_advice import explain_response, is_missing_response


def draw_webhook_health(webhook: WebhookDetail, now: datetime, zone: tzinfo) -> None:
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
        draw_hourly_deliveries(health.hours, alt=alt, zone=zone)
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
