"""Rows of webhooks, deliveries and attempts, as `store` reads them."""

from datetime import datetime
from typing import Any, NamedTuple


class StoredWebhook(NamedTuple):
    """A webhook. The secrets are encrypted; `retired_secrets` is read by the module of that name."""

    id: str
    url: str
    events: list[str]
    secret: bytes
    retired_secrets: list[dict[str, str]] | None
    enabled: bool
    disabled_reason: str | None
    slow_until: datetime | None
    created_at: datetime


class StoredDelivery(NamedTuple):
    """The delivery of one event to one webhook. `body` is the delivered event as text."""

    id: str
    event_id: str
    status: str
    attempts: int
    response_status: int
    next_at: datetime | None
    last_attempt_at: datetime | None
    successful_at: datetime | None
    created_at: datetime
    updated_at: datetime
    body: str


class StoredAttempt(NamedTuple):
    """One attempt of a delivery; without a response its headers and body are None."""

    number: int
    started_at: datetime
    duration_ms: int
    outcome: str
    detail: str | None
    request_headers: dict[str, Any]
    response_status: int
    response_headers: dict[str, Any] | None
    response_body: str | None
