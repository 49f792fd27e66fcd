"""How a webhook's deliveries fared in the past day."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import streamlit as st

from app.contract.webhooks import MOST_MEASURED, DeliveryHour, WebhookDetail
from components import specimens
from components.figure import BAD, GOOD, Figure, draw_figure
from components.moments import ago
from components.money import quantity
from components.plain import plain


def draw_webhook_health(webhook: WebhookDetail, now: datetime) -> None:
    """Why it is off, when it is; then rates, times and the attempts by the hour."""
    if not webhook.enabled:
        why = f" {plain(webhook.disabled_reason)}" if webhook.disabled_reason else ""
        st.warning(f"**Turned off: nothing is sent.**{why}", icon=":material/pause_circle:")
    if webhook.slow_until and webhook.slow_until > now:
        st.info(f"It asked for a pause: the next delivery is {ago(webhook.slow_until, now)}.")
    if webhook.previous_secret_until and webhook.previous_secret_until > now:
        st.info(f"The secret before still signs along; it ends {ago(webhook.previous_secret_until, now)}.")
    health = webhook.health
    with st.container(horizontal=True):
        newest = health.attempts >= MOST_MEASURED
        label = "Newest attempts" if newest else "Attempts in 24 hours"
        st.metric(label, quantity(health.attempts), width="content")
        if health.success_rate is not None:
            st.metric("Succeeded", f"{health.success_rate:.1%}".replace("%", " %"), width="content")
        if health.median_ms is not None and health.p95_ms is not None:
            st.metric("Median", f"{health.median_ms:,} ms", width="content")
            st.metric("95 in 100 within", f"{health.p95_ms:,} ms", width="content")
        st.metric("Still to be sent", quantity(health.waiting), width="content")
    if health.attempts and health.hours:
        said = f"{quantity(health.attempts)} attempts of the past 24 hours, by the hour"
        draw_figure(figure(health.hours), key=f"attempts-{webhook.id}", alt=said, height=110)
    if health.last_failure_at:
        word = plain((health.last_failure or "failed").replace("_", " "))
        st.caption(f"Last failure {ago(health.last_failure_at, now)}: {word}.")


def figure(hours: Sequence[DeliveryHour]) -> Figure:
    """Attempts by the hour: those that succeeded, and on top those that failed."""
    began = [hour.began_at.isoformat() if hour.began_at else None for hour in hours]
    return {
        "data": [
            _bars("succeeded", began, [hour.succeeded for hour in hours], GOOD),
            _bars("failed", began, [hour.failed for hour in hours], BAD),
        ],
        "layout": {
            "barmode": "stack",
            "bargap": 0.3,
            "xaxis": {"type": "date", "fixedrange": True, "showgrid": False},
            "yaxis": {"visible": False, "fixedrange": True},
            "margin": {"l": 8, "r": 8, "t": 4, "b": 8},
        },
    }


def _bars(name: str, began: list[str | None], counts: list[int], colour: str) -> dict[str, Any]:
    hover = f"%{{x|%H:%M}}: %{{y}} {name}<extra></extra>"
    return {"type": "bar", "x": began, "y": counts, "marker": {"color": colour}, "hovertemplate": hover}


def example() -> None:
    draw_webhook_health(specimens.webhook_detail(), specimens.NOON)
