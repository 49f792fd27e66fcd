"""Addresses that are told of events, and the records of their deliveries: `/v1/webhooks`.

These endpoints take the key only, never the end user (part 5 of the interface).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.client.errors import Answer
from app.client.paging import MOST_RECORDS
from app.client.reply import record
from app.client.request import Call
from app.client.resources.resource import Resource
from app.contract.events import EventName
from app.contract.page import MAX_LIMIT
from app.contract.values import wire_instant
from app.contract.webhooks import DeletedWebhook, NewWebhook, Webhook, WebhookEvent, WebhookEventWithData

Registered = list[Webhook]

_webhook = record(Webhook)
_webhooks = record(list[Webhook])
_records = record(list[WebhookEvent])
_record = record(WebhookEventWithData)
_deleted = record(DeletedWebhook)
_anything = record(dict[str, object])
_attempts = record(list[dict[str, object]])

Attempts = list[dict[str, object]]


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
        status: str | None = None,
        event_type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> EventPage:
        """Records of a webhook's deliveries: the newest 1,000, unless filters and paging (additions of ours)
        ask otherwise."""
        query = {"status": status, "eventType": event_type, "limit": limit, "offset": offset}
        return self._ask(
            Call("GET", "/v1/webhooks/{}/events", (webhook_id,), _event_page, query=query, speaker="key")
        )

    def iter_events(
        self,
        webhook_id: str,
        *,
        status: str | None = None,
        event_type: str | None = None,
        page_size: int = MAX_LIMIT,
    ) -> Iterator[WebhookEvent]:
        """Every record of a webhook's deliveries, page by page; ends with the first page that has no next."""
        offset = 0
        while offset < MOST_RECORDS:
            page = self.events(
                webhook_id, status=status, event_type=event_type, limit=page_size, offset=offset
            )
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

    def get(self, webhook_id: str) -> dict[str, object]:
        """A registration with whether it is enabled and how its deliveries fare."""
        return self._ask(Call("GET", "/v1/webhooks/{}", (webhook_id,), _anything, speaker="key"))

    def update(self, webhook_id: str, *, enabled: bool) -> dict[str, object]:
        """Turns deliveries to a webhook on or off."""
        return self._ask(
            Call(
                "PATCH", "/v1/webhooks/{}", (webhook_id,), _anything, json={"enabled": enabled}, speaker="key"
            )
        )

    def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> dict[str, object]:
        """A new secret, shown once; the old one signs along for 24 hours."""
        return self._send("/v1/webhooks/{}/secret", (webhook_id,), idempotency_key)

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> dict[str, object]:
        """Sends a test event."""
        return self._send("/v1/webhooks/{}/test", (webhook_id,), idempotency_key)

    def attempts(self, webhook_id: str, event_id: str) -> Attempts:
        """Each attempt to deliver an event, with request, answer and duration."""
        return self._ask(
            Call(
                "GET",
                "/v1/webhooks/{}/events/{}/attempts",
                (webhook_id, event_id),
                _attempts,
                speaker="key",
            )
        )

    def redeliver(
        self, webhook_id: str, event_id: str, *, idempotency_key: str | None = None
    ) -> dict[str, object]:
        """Delivers an event again."""
        return self._send("/v1/webhooks/{}/events/{}/redeliver", (webhook_id, event_id), idempotency_key)

    def redeliver_since(
        self, webhook_id: str, since: datetime, *, idempotency_key: str | None = None
    ) -> dict[str, object]:
        """Delivers again what failed since then. ValueError unless `since` has a zone."""
        if since.tzinfo is None:
            raise ValueError("`since` needs a time zone")
        body = {"since": wire_instant(since)}
        return self._send("/v1/webhooks/{}/events/redeliver", (webhook_id,), idempotency_key, body)

    def _send(
        self,
        template: str,
        values: tuple[str, ...],
        idempotency_key: str | None,
        body: dict[str, str] | None = None,
    ) -> dict[str, object]:
        return self._ask(
            Call(
                "POST",
                template,
                values,
                _something,
                json=body,
                speaker="key",
                idempotency_key=idempotency_key,
            )
        )


def _something(answer: Answer) -> dict[str, object]:
    return _anything(answer) if answer.body else {}


def _event_page(answer: Answer) -> EventPage:
    link = answer.headers.get("link", "").lower().replace("'", '"').replace(" ", "")
    return EventPage(_records(answer), more='rel="next"' in link or "rel=next" in link)
