"""Rows as records of the interface. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from yarl import URL

from app.contract.webhooks import (
    DeliveryAttempt,
    DeliveryHealth,
    SentRequest,
    Webhook,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)
from app.service.webhooks.retired_secrets import RetiredSecret
from app.service.webhooks.rows import StoredAttempt, StoredDelivery, StoredWebhook


def build_webhook(row: StoredWebhook) -> Webhook:
    return Webhook.build_from(row)


def build_webhook_detail(
    row: StoredWebhook, health: DeliveryHealth, retired: Sequence[RetiredSecret]
) -> WebhookDetail:
    return WebhookDetail.build_from(
        row, previous_secret_until=retired[-1].until if retired else None, health=health
    )


def build_event(row: StoredDelivery, *, enabled: bool) -> WebhookEvent:
    """The record of a delivery, under its event's id. A webhook that is off has no next attempt."""
    return WebhookEvent.model_validate(_fields(row, enabled))


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
    return WebhookEventWithData.model_validate(_fields(row, enabled) | {"data": data})


def _fields(row: StoredDelivery, enabled: bool) -> dict[str, Any]:
    return {
        "id": row.event_id,
        "attempts": row.attempts,
        "response_status": row.response_status,
        "last_attempt_at": row.last_attempt_at,
        "next_attempt_at": row.next_at if enabled else None,
        "successful_at": row.successful_at,
        "updated_at": row.updated_at,
        "created_at": row.created_at,
        "status": row.status,
    }


def build_attempt(row: StoredAttempt) -> DeliveryAttempt:
    return DeliveryAttempt.build_from(row)
