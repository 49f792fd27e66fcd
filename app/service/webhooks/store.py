"""Webhooks, their records and attempts, as the interface reads and changes them (SQL)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.page import PageRequest
from app.contract.webhooks import MOST_MEASURED, DeliveryAttempt, DeliveryQuery, Webhook
from app.service.access.quotas import lock_organisation, require_room
from app.service.context import Context
from app.service.database.dialect import notify_workers
from app.service.database.rows import count_rows
from app.service.database.tables import attempt, delivery, event, webhook
from app.service.database.visibility import counted
from app.service.ids import new_id
from app.service.webhooks.delivery_metrics import MeasuredAttempt
from app.service.webhooks.outbox import schedule_deliveries
from app.service.webhooks.signing import new_secret

REDELIVERED_AT_ONCE = 10_000
MEASURED_TIME = timedelta(hours=24)


class StoredWebhook(NamedTuple):
    """A webhook. The secrets are encrypted; `retired_secrets` is read by `signing`."""

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


def add_webhook(
    connection: Connection,
    context: Context,
    organisation_id: str,
    url: str,
    events: Iterable[str],
    *,
    sample: bool = False,
    id: str | None = None,
) -> Webhook:
    """Registers the address with a new secret, which only the record that is returned shows. Raises
    ApiProblem 409 when the organisation has as many as it may."""
    secret = new_secret()
    made = Webhook(id=id or new_id(), url=url, events=[*events], secret=secret)
    lock_organisation(connection, organisation_id)
    registered = webhook.c.organisation_id == organisation_id, webhook.c.deleted_at.is_(None)
    require_room(
        count_rows(connection, webhook, *registered),
        context.settings.max_webhooks,
        things="webhooks",
        setting="PARLEY_MAX_WEBHOOKS",
        way_out="Delete one first",
    )
    connection.execute(
        sa.insert(webhook).values(
            id=made.id,
            organisation_id=organisation_id,
            url=url,
            events=made.events,
            secret=context.vault.seal(secret.encode()),
            enabled=True,
            sample=sample,
            created_at=context.clock(),
        )
    )
    return made


_WEBHOOK = sa.select(*(webhook.c[name] for name in StoredWebhook._fields)).where(
    webhook.c.deleted_at.is_(None)
)


def load_webhooks(connection: Connection, organisation_id: str, page: PageRequest) -> list[StoredWebhook]:
    """The organisation's webhooks, the newest first."""
    rows = connection.execute(
        _WEBHOOK.where(counted(webhook.c, organisation_id))
        .order_by(webhook.c.created_at.desc(), webhook.c.id.desc())
        .limit(page.limit)
        .offset(page.offset)
    )
    return [StoredWebhook(*row) for row in rows]


def find_webhook(
    connection: Connection, organisation_id: str | None, webhook_id: str
) -> StoredWebhook | None:
    """The webhook, unless it is deleted or another's; of whatever organisation with None."""
    query = _WEBHOOK.where(webhook.c.id == webhook_id)
    if organisation_id is not None:
        query = query.where(webhook.c.organisation_id == organisation_id)
    row = connection.execute(query).first()
    return None if row is None else StoredWebhook(*row)


def delete_webhook(connection: Connection, webhook_id: str, now: datetime) -> None:
    """Ends a webhook and forgets its secrets; its records go with retention."""
    change_webhook(connection, webhook_id, deleted_at=now, secret=b"", retired_secrets=None)


def lock_webhook(connection: Connection, webhook_id: str) -> None:
    """Makes what is read of the webhook hold until the transaction ends."""
    connection.execute(sa.select(webhook.c.id).where(webhook.c.id == webhook_id).with_for_update())


def change_webhook(connection: Connection, webhook_id: str, **values: Any) -> None:
    connection.execute(sa.update(webhook).where(webhook.c.id == webhook_id).values(**values))
    notify_workers(connection)


_DELIVERY = sa.select(
    *(delivery.c[name] for name in StoredDelivery._fields if name in delivery.c), event.c.body, event.c.type
).join(event, event.c.id == delivery.c.event_id)
_ATTEMPT = sa.select(*(attempt.c[name] for name in DeliveryAttempt.model_fields))


def load_deliveries(
    connection: Connection, webhook_id: str, query: DeliveryQuery, page: PageRequest
) -> list[StoredDelivery]:
    """The webhook's deliveries, the newest first."""
    rows = connection.execute(
        _DELIVERY.where(delivery.c.webhook_id == webhook_id, *_conditions(query))
        .order_by(delivery.c.created_at.desc(), delivery.c.id.desc())
        .limit(page.limit)
        .offset(page.offset)
    )
    return [StoredDelivery(*row) for row in rows]


def _conditions(query: DeliveryQuery) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if status := query.get("status"):
        conditions.append(delivery.c.status == status)
    if event_type := query.get("event_type"):
        conditions.append(event.c.type == event_type)
    if (response_class := query.get("response_class")) is not None:
        first = response_class * 100
        conditions.append(delivery.c.response_status.between(first, first + 99 if first else 0))
    if since := query.get("since"):
        conditions.append(delivery.c.created_at >= since)
    if until := query.get("until"):
        conditions.append(delivery.c.created_at < until)
    return conditions


def find_delivery(connection: Connection, webhook_id: str, event_id: str) -> StoredDelivery | None:
    row = connection.execute(
        _DELIVERY.where(delivery.c.webhook_id == webhook_id, delivery.c.event_id == event_id)
    ).first()
    return None if row is None else StoredDelivery(*row)


def load_attempts(connection: Connection, delivery_id: str) -> list[DeliveryAttempt]:
    """The attempts of a delivery, the first first."""
    rows = connection.execute(_ATTEMPT.where(attempt.c.delivery_id == delivery_id).order_by(attempt.c.number))
    return [DeliveryAttempt.build_from(row) for row in rows]


def find_latest_attempt(connection: Connection, delivery_id: str) -> DeliveryAttempt | None:
    row = connection.execute(
        _ATTEMPT.where(attempt.c.delivery_id == delivery_id).order_by(attempt.c.number.desc()).limit(1)
    ).first()
    return None if row is None else DeliveryAttempt.build_from(row)


def reschedule_deliveries(connection: Connection, delivery_ids: Sequence[str], now: datetime) -> int:
    """Makes the deliveries due now and begins their schedule anew. Returns how many there are: retention may
    have deleted some of them meanwhile."""
    rescheduled = connection.execute(
        sa.update(delivery)
        .where(delivery.c.id.in_(delivery_ids))
        .values(
            status="pending",
            step=0,
            schedule_round=delivery.c.schedule_round + 1,
            next_at=now,
            updated_at=now,
        )
    )
    notify_workers(connection)
    return rescheduled.rowcount


def redeliver_since(
    connection: Connection,
    organisation_id: str,
    webhook_id: str,
    events: Sequence[str],
    since: datetime,
    now: datetime,
) -> int:
    """Sends again what has not succeeded since then, and what came while the webhook was off. Returns how
    many events; at most 10,000, the oldest first."""
    failed = list(
        connection.scalars(
            sa.select(delivery.c.id)
            .where(
                delivery.c.webhook_id == webhook_id,
                delivery.c.created_at >= since,
                delivery.c.successful_at.is_(None),
            )
            .order_by(delivery.c.created_at, delivery.c.id)
            .limit(REDELIVERED_AT_ONCE)
        )
    )
    rescheduled = sum(
        reschedule_deliveries(connection, failed[start : start + 500], now)
        for start in range(0, len(failed), 500)
    )
    told = sa.exists().where(delivery.c.webhook_id == webhook_id, delivery.c.event_id == event.c.id)
    missed = list(
        connection.scalars(
            sa.select(event.c.id)
            .where(
                event.c.organisation_id == organisation_id,
                event.c.created_at >= since,
                event.c.type.in_(events),
                ~event.c.test,
                ~told,
            )
            .order_by(event.c.created_at, event.c.id)
            .limit(REDELIVERED_AT_ONCE - len(failed))
            # Retention deletes no event that is locked, and what it is deleting is left out here.
            .with_for_update(read=True, key_share=True, skip_locked=True)
        )
    )
    schedule_deliveries(connection, [(webhook_id, event_id) for event_id in missed], now=now)
    return rescheduled + len(missed)


def count_waiting(connection: Connection, webhook_id: str) -> int:
    """How many deliveries are still to be made."""
    return count_rows(
        connection, delivery, delivery.c.webhook_id == webhook_id, delivery.c.next_at.is_not(None)
    )


def load_measured_attempts(connection: Connection, webhook_id: str, now: datetime) -> list[MeasuredAttempt]:
    """Beginning, duration and outcome of the attempts of the past 24 hours, the newest first; at most the
    newest 5,000."""
    rows = connection.execute(
        sa.select(attempt.c.started_at, attempt.c.duration_ms, attempt.c.outcome)
        .join(delivery, delivery.c.id == attempt.c.delivery_id)
        .where(delivery.c.webhook_id == webhook_id, attempt.c.started_at >= now - MEASURED_TIME)
        .order_by(delivery.c.created_at.desc(), attempt.c.number.desc())
        .limit(MOST_MEASURED)
    )
    return [(row.started_at, row.duration_ms, row.outcome) for row in rows]
