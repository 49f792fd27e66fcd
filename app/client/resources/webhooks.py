"""Addresses that are told of events, and the records of their deliveries: `/v1/webhooks`.

These endpoints take the key only, never the end user (part 5 of the interface).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, Unpack

from app.client.errors import Answer
from app.client.paging import MOST_RECORDS
from app.client.reply import record
from app.client.request import Call, format_instant, list_query
from app.client.resources.resource import Resource
from app.contract.events import EventName
from app.contract.page import MAX_LIMIT
from app.contract.webhooks import (
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

Result = TypeVar("Result")

Registered = list[Webhook]
Attempts = list[DeliveryAttempt]
Arrived = list[InboxMessage]

_webhook = record(Webhook)
_webhooks = record(list[Webhook])
_records = record(list[WebhookEvent])
_record = record(WebhookEventWithData)
_deleted = record(DeletedWebhook)
_detail = record(WebhookDetail)
_rotated = record(RotatedSecret)
_sent = record(SentAgain)
_sent_since = record(RedeliveredSince)
_attempts = record(list[DeliveryAttempt])
_arrived = record(list[InboxMessage])


@dataclass(frozen=True, slots=True)
class EventPage:
    """Records of deliveries, newest first; `more` says that older ones follow."""

    data: list[WebhookEvent]
    more: bool


class Webhooks(Resource):
    """Registrations, deliveries, and what has been tried."""

    def list(self) -> Registered:
        """Every registration of the organisation, newest first, without secrets."""
        return self._ask(Call("GET", "/v1/webhooks", (), _webhooks, speaker="key"))

    def create(self, url: str, events: Sequence[EventName], *, idempotency_key: str | None = None) -> Webhook:
        """Registers `url` for `events`. The answer alone holds the secret: keep it."""
        body = NewWebhook(url=url, events=[*events])
        return self._ask(
            Call(
                "POST",
                "/v1/webhooks",
                (),
                _webhook,
                json=body.wire(),
                speaker="key",
                idempotency_key=idempotency_key,
            )
        )

    def delete(self, webhook_id: str) -> DeletedWebhook:
        """Ends a registration. NotFound if there is none, or a lost answer's first try has ended it."""
        return self._ask(Call("DELETE", "/v1/webhooks/{}", (webhook_id,), _deleted, speaker="key"))

    def events(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[DeliveryQuery],
    ) -> EventPage:
        """Records of a webhook's deliveries: the newest 1,000, unless filters and paging (additions of ours)
        ask otherwise. `response_class` is 2 for 2xx and so on, 0 for no answer; `until` is not included.
        ValueError for a time without a zone."""
        template, asked = "/v1/webhooks/{}/events", list_query(query, limit, offset)
        return self._ask(Call("GET", template, (webhook_id,), _event_page, query=asked, speaker="key"))

    def iter_events(
        self, webhook_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[DeliveryQuery]
    ) -> Iterator[WebhookEvent]:
        """Every record of a webhook's deliveries, page by page; ends with the first page that has no next."""
        offset = 0
        while offset < MOST_RECORDS:
            page = self.events(webhook_id, limit=page_size, offset=offset, **query)
            yield from page.data
            offset += len(page.data)
            if not page.more or not page.data:
                return

    def event(self, webhook_id: str, event_id: str) -> WebhookEventWithData:
        """One record with the latest request as it was sent."""
        return self._ask(
            Call("GET", "/v1/webhooks/{}/events/{}", (webhook_id, event_id), _record, speaker="key")
        )

    # Additions of ours: a deployment may lack them, see `openapi.offered_operations`.

    def get(self, webhook_id: str) -> WebhookDetail:
        """A registration with whether it is enabled and how its deliveries fare."""
        return self._ask(Call("GET", "/v1/webhooks/{}", (webhook_id,), _detail, speaker="key"))

    def update(self, webhook_id: str, *, enabled: bool) -> WebhookDetail:
        """Turns deliveries to a webhook on or off."""
        body = WebhookChange(enabled=enabled)
        return self._ask(
            Call("PATCH", "/v1/webhooks/{}", (webhook_id,), _detail, json=body.wire(), speaker="key")
        )

    def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> RotatedSecret:
        """A new secret, shown once; the old one signs along for 24 hours."""
        return self._send("/v1/webhooks/{}/secret", (webhook_id,), _rotated, idempotency_key)

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> SentAgain:
        """Sends a test event. Conflict while the webhook is off."""
        return self._send("/v1/webhooks/{}/test", (webhook_id,), _sent, idempotency_key)

    def attempts(self, webhook_id: str, event_id: str) -> Attempts:
        """Each attempt to deliver an event, the first first, with request, answer and duration."""
        template = "/v1/webhooks/{}/events/{}/attempts"
        return self._ask(Call("GET", template, (webhook_id, event_id), _attempts, speaker="key"))

    def redeliver(self, webhook_id: str, event_id: str, *, idempotency_key: str | None = None) -> SentAgain:
        """Delivers an event again under the same id. Conflict while the webhook is off."""
        template = "/v1/webhooks/{}/events/{}/redeliver"
        return self._send(template, (webhook_id, event_id), _sent, idempotency_key)

    def redeliver_since(
        self, webhook_id: str, since: datetime, *, idempotency_key: str | None = None
    ) -> RedeliveredSince:
        """Delivers again what did not succeed since then. ValueError unless `since` has a zone."""
        body = RedeliverSince.model_validate({"since": format_instant(since)}).wire()
        template = "/v1/webhooks/{}/events/redeliver"
        return self._send(template, (webhook_id,), _sent_since, idempotency_key, body)

    def open_inbox(self, *, idempotency_key: str | None = None) -> Webhook:
        """Registers the deployment's built-in inbox for every event."""
        return self._send("/v1/webhooks/inbox", (), _webhook, idempotency_key)

    def inbox(self, webhook_id: str) -> Arrived:
        """What arrived in a built-in inbox, newest first. NotFound where the webhook is none."""
        return self._ask(Call("GET", "/v1/webhooks/{}/inbox", (webhook_id,), _arrived, speaker="key"))

    def _send(
        self,
        template: str,
        values: tuple[str, ...],
        read: Callable[[Answer], Result],
        idempotency_key: str | None,
        body: dict[str, Any] | None = None,
    ) -> Result:
        return self._ask(
            Call("POST", template, values, read, json=body, speaker="key", idempotency_key=idempotency_key)
        )


def _event_page(answer: Answer) -> EventPage:
    link = answer.headers.get("link", "").lower().replace(" ", "")
    return EventPage(_records(answer), more='rel="next"' in link or "rel=next" in link)
