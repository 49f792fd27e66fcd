"""The outbox: an event is written with the change that caused it, in one transaction. What the service did by
itself is told in one place, to webhooks and in the audit log. The records of the
background and the history of a thing are read from what is written here and beside it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.events import DeliveredEvent, Event
from app.service.access.audit import Outcome, Subject, write_outcomes
from app.service.database.dialect import notify_workers
from app.service.database.tables import delivery, webhook
from app.service.database.tables import event as event_table
from app.service.ids import new_id


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """An event that is to be delivered: to `only_webhook`, whatever that is registered for, or else to each
    webhook of the organisation that is registered for it. Receivers see `id` as the `webhook-id`."""

    organisation_id: str
    event: Event
    test: bool = False
    only_webhook: str | None = None
    id: str = field(default_factory=new_id)


def emit(
    connection: Connection,
    event: Event,
    *,
    organisation_id: str,
    now: datetime,
    test: bool = False,
    only_webhook: str | None = None,
) -> str:
    """Writes one event as `emit_all` does; returns its id."""
    outgoing = OutboxEvent(organisation_id, event, test, only_webhook)
    emit_all(connection, [outgoing], now=now)
    return outgoing.id


def emit_all(connection: Connection, events: Sequence[OutboxEvent], *, now: datetime) -> None:
    """Writes the events, and a delivery that is due at once for each webhook that gets one, in their order.

    An event that no webhook is registered for is kept too: a webhook that was off, or is registered later,
    can ask for what it missed (`redeliver since`) for as long as events are retained.
    """
    if not events:
        return
    connection.execute(sa.insert(event_table), [_row(each, now) for each in events])
    subscriptions = _subscriptions(connection, {each.organisation_id for each in events})
    deliveries: list[tuple[str, str]] = []
    for each in events:
        if each.only_webhook is not None:
            deliveries.append((each.only_webhook, each.id))
        else:
            deliveries += [
                (one.webhook_id, each.id)
                for one in subscriptions
                if one.organisation_id == each.organisation_id and each.event.event_name in one.event_names
            ]
    schedule_deliveries(connection, deliveries, now=now)


def schedule_deliveries(
    connection: Connection, deliveries: Sequence[tuple[str, str]], *, now: datetime
) -> None:
    """Adds a delivery that is due at once for each pair of a webhook's id and an event's id."""
    if not deliveries:
        return
    connection.execute(
        sa.insert(delivery),
        [
            {
                "id": new_id(),
                "webhook_id": webhook_id,
                "event_id": event_id,
                "status": "pending",
                "attempts": 0,
                "step": 0,
                "schedule_round": 0,
                "response_status": 0,
                "next_at": now,
                "created_at": now,
                "updated_at": now,
            }
            for webhook_id, event_id in deliveries
        ],
    )
    notify_workers(connection)


def _row(outgoing: OutboxEvent, now: datetime) -> dict[str, object]:
    name = outgoing.event.event_name
    body = DeliveredEvent(event_type=name, data=outgoing.event.wire()).wire()
    return {
        "id": outgoing.id,
        "organisation_id": outgoing.organisation_id,
        "type": name,
        "body": json.dumps(body, ensure_ascii=False, separators=(",", ":")),
        "test": outgoing.test,
        "created_at": now,
    }


class _Subscription(NamedTuple):
    """The events that an enabled webhook is registered for."""

    webhook_id: str
    organisation_id: str
    event_names: list[str]


def _subscriptions(connection: Connection, organisation_ids: set[str]) -> list[_Subscription]:
    rows = connection.execute(
        sa.select(webhook.c.id, webhook.c.organisation_id, webhook.c.events).where(
            webhook.c.organisation_id.in_(organisation_ids),
            webhook.c.enabled,
            webhook.c.deleted_at.is_(None),
        )
    )
    return [_Subscription(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class ToldChange:
    """An outcome of work in the background, what it happened to, and the event that tells of it."""

    outcome: Outcome
    subject: Subject
    event: Event


def record_changes(connection: Connection, changes: Sequence[ToldChange], now: datetime) -> None:
    """Write the events and the entries of the audit log, in the transaction of the changes and in their
    order."""
    emit_all(connection, [OutboxEvent(one.subject.organisation_id, one.event) for one in changes], now=now)
    write_outcomes(connection, [(one.outcome, one.subject) for one in changes], now)
