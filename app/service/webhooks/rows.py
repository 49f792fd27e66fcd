"""Rows of webhooks and deliveries, as `store` reads them."""

from datetime import datetime
from typing import NamedTuple


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
    """The delivery of one event to one webhook. `body` is the delivered event as text, `event_type` its
    name."""

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
    event_type: str
