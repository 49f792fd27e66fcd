"""Registrations of addresses for events, and the records of their deliveries: `/v1/webhooks`.

These endpoints take the key only, never the end user.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Unpack

from ...contract.events import EventName
from ...contract.page import MAX_LIMIT
from ...contract.webhooks import (
    DeletedWebhook,
    DeliveryAttempt,
    DeliveryQuery,
    InboxMessage,
    NewWebhook,
    RedeliveredSince,
    RedeliverSince,
    RotatedSecret,
    SentAgain,
    Webhook,
    WebhookChange,
    WebhookDetail,
    WebhookEvent,
    WebhookEventWithData,
)
from ..errors import Answer
from ..paging import EventPage, Listing, Piece
from ..reply import read_as
from ..request import Call, format_instant, list_query
from .resource import DispatcherT, Resource, delete, get, iteration, operation, patch, post

Registered = list[Webhook]
Attempts = list[DeliveryAttempt]
Arrived = list[InboxMessage]

_records = read_as(list[WebhookEvent])


class Webhooks(Resource[DispatcherT]):
    """Registrations, deliveries and their attempts."""

    @operation
    def list(self) -> Call[Registered]:
        """Every registration of the organisation, newest first, without secrets."""
        return get("/v1/webhooks", list[Webhook], identity="key")

    @operation
    def create(
        self, url: str, events: Sequence[EventName], *, idempotency_key: str | None = None
    ) -> Call[Webhook]:
        """Register `url` for `events`. Only this answer has the secret: store it."""
        body = NewWebhook(url=url, events=[*events])
        return post("/v1/webhooks", Webhook, body=body, identity="key", key=idempotency_key)

    @operation
    def delete(self, webhook_id: str) -> Call[DeletedWebhook]:
        """Delete a registration. NotFound if there is none, and when an earlier try without an answer deleted
        it."""
        return delete("/v1/webhooks/{}", DeletedWebhook, webhook_id, identity="key")

    @operation
    def events(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[DeliveryQuery],
    ) -> Call[EventPage]:
        """Records of a webhook's deliveries: the newest 1,000, unless filters and paging (extensions)
        ask otherwise. `response_class` is 2 for 2xx and so on, 0 for no answer; `until` is not included.
        ValueError for a time without a zone."""
        return _events(webhook_id, query, limit, offset)

    @iteration
    def iter_events(
        self, webhook_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[DeliveryQuery]
    ) -> Listing[WebhookEvent]:
        """Every record of a webhook's deliveries, page by page; ends with the first page that has no next."""
        return lambda offset, _: _events(webhook_id, query, page_size, offset).then(
            lambda page: Piece(page.data, is_last=not page.more)
        )

    @operation
    def event(self, webhook_id: str, event_id: str) -> Call[WebhookEventWithData]:
        """One record with the latest request as it was sent."""
        return get("/v1/webhooks/{}/events/{}", WebhookEventWithData, webhook_id, event_id, identity="key")

    # Extensions: a deployment may lack them, see `openapi.offered_operations`.

    @operation
    def get(self, webhook_id: str) -> Call[WebhookDetail]:
        """A registration with its state and the success of its deliveries."""
        return get("/v1/webhooks/{}", WebhookDetail, webhook_id, identity="key")

    @operation
    def update(self, webhook_id: str, *, enabled: bool) -> Call[WebhookDetail]:
        """Turn deliveries to a webhook on or off."""
        body = WebhookChange(enabled=enabled)
        return patch("/v1/webhooks/{}", WebhookDetail, webhook_id, body=body, identity="key")

    @operation
    def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> Call[RotatedSecret]:
        """Create a new secret, which is shown once. The old one is also used to sign for 24 hours."""
        return post("/v1/webhooks/{}/secret", RotatedSecret, webhook_id, identity="key", key=idempotency_key)

    @operation
    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> Call[SentAgain]:
        """Send a test event. Conflict while the webhook is off."""
        return post("/v1/webhooks/{}/test", SentAgain, webhook_id, identity="key", key=idempotency_key)

    @operation
    def attempts(self, webhook_id: str, event_id: str) -> Call[Attempts]:
        """Each attempt to deliver an event, oldest first, with request, answer and duration."""
        template = "/v1/webhooks/{}/events/{}/attempts"
        return get(template, list[DeliveryAttempt], webhook_id, event_id, identity="key")

    @operation
    def redeliver(
        self, webhook_id: str, event_id: str, *, idempotency_key: str | None = None
    ) -> Call[SentAgain]:
        """Deliver an event again under the same id. Conflict while the webhook is off."""
        template = "/v1/webhooks/{}/events/{}/redeliver"
        return post(template, SentAgain, webhook_id, event_id, identity="key", key=idempotency_key)

    @operation
    def redeliver_since(
        self, webhook_id: str, since: datetime, *, idempotency_key: str | None = None
    ) -> Call[RedeliveredSince]:
        """Deliver again what failed since then. ValueError unless `since` has a time zone."""
        body = RedeliverSince.model_validate({"since": format_instant(since)})
        template = "/v1/webhooks/{}/events/redeliver"
        return post(template, RedeliveredSince, webhook_id, body=body, identity="key", key=idempotency_key)

    @operation
    def open_inbox(self, *, idempotency_key: str | None = None) -> Call[Webhook]:
        """Register the deployment's built-in inbox for every event."""
        return post("/v1/webhooks/inbox", Webhook, identity="key", key=idempotency_key)

    @operation
    def inbox(self, webhook_id: str) -> Call[Arrived]:
        """The deliveries that a built-in inbox received, newest first. NotFound where the webhook is no
        inbox."""
        return get("/v1/webhooks/{}/inbox", list[InboxMessage], webhook_id, identity="key")


def _events(
    webhook_id: str, query: Mapping[str, object], limit: int | None, offset: int | None
) -> Call[EventPage]:
    template, parameters = "/v1/webhooks/{}/events", list_query(query, limit, offset)
    return Call("GET", template, (webhook_id,), _event_page, query=parameters, identity="key")


def _event_page(answer: Answer) -> EventPage:
    link = answer.headers.get("link", "").lower().replace(" ", "")
    return EventPage(_records(answer), more='rel="next"' in link or "rel=next" in link)
