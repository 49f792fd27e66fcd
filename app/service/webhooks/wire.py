"""Rows as records of the interface. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from yarl import URL

from app.contract.webhooks import (
    DeliveryHealth,
    SentRequest,
    Webhook,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)
from app.service.webhooks.retired_secrets import RetiredSecret
from app.service.webhooks.rows import StoredDelivery, StoredWebhook


def build_webhook(row: StoredWebhook) -> Webhook:
    """The record without the secret, which only the answer shows that makes it."""
    return Webhook(id=row.id, url=row.url, events=row.events)


def build_webhook_detail(
    row: StoredWebhook, health: DeliveryHealth, retired: Sequence[RetiredSecret]
) -> WebhookDetail:
    return WebhookDetail.build_from(
        row, previous_secret_until=retired[-1].until if retired else None, health=health
    )


def build_event(row: StoredDelivery, *, enabled: bool) -> WebhookEvent:
    """The record of a delivery, under its event's id. A webhook that is off has no next attempt."""
    return WebhookEvent.build_from(row, id=row.event_id, next_attempt_at=row.next_at if enabled else None)


def build_event_with_data(
    row: StoredDelivery, *, enabled: bool, url: str, request_headers: dict[str, Any]
) -> WebhookEventWithData:
    target = URL(url)
    parsed: dict[str, Any] = {}
    for name in target.query:
        values = target.query.getall(name)
        parsed[name] = values[0] if len(values) == 1 else values
    data = SentRequest(
        headers=request_headers,
        body=json.loads(row.body),
        query=target.raw_query_string,
        parsed_query=parsed,
        path=target.raw_path,
    )
    return WebhookEventWithData.build_from(build_event(row, enabled=enabled), data=data)
