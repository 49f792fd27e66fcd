"""The one way an event comes to be: with the change that caused it, in the same transaction."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.events import DeliveredEvent, EventName
from app.contract.model import Reply
from app.service.database.tables.webhooks import delivery, event, webhook
from app.service.database.wakeup import hint
from app.service.ids import new_id


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that is to be told. With `only_webhook` that one gets it, whatever it listens to; otherwise
    each webhook of the organisation that listens. `id` is also the `webhook-id` that receivers see."""

    organisation_id: str
    name: EventName
    data: Reply
    test: bool = False
    only_webhook: str | None = None
    id: str = field(default_factory=new_id)


def emit(
    connection: Connection,
    *,
    organisation_id: str,
    name: EventName,
    data: Reply,
    now: datetime,
    test: bool = False,
    only_webhook: str | None = None,
) -> str:
    """Writes one event as `emit_all` does; returns its id."""
    happening = Happening(organisation_id, name, data, test, only_webhook)
    emit_all(connection, [happening], now=now)
    return happening.id


def emit_all(connection: Connection, happenings: Sequence[Happening], *, now: datetime) -> None:
    """Writes the events, and for each webhook that is to get one a delivery, due at once, in their order.

    An event that nobody listens to is kept all the same: a webhook that was off, or is registered later, can
    ask for what it missed (`redeliver since`) for as long as events are retained.
    """
    if not happenings:
        return
    connection.execute(sa.insert(event), [_row(each, now) for each in happenings])
    listening = _listening(connection, {each.organisation_id for each in happenings})
    owed: list[tuple[str, str]] = []
    for each in happenings:
        if each.only_webhook is not None:
            owed.append((each.only_webhook, each.id))
        else:
            owed += [
                (webhook_id, each.id)
                for webhook_id, organisation_id, names in listening
                if organisation_id == each.organisation_id and each.name in names
            ]
    owe(connection, owed, now=now)


def owe(connection: Connection, owed: Sequence[tuple[str, str]], *, now: datetime) -> None:
    """Adds a delivery, due at once, for each pair of a webhook and an event."""
    if not owed:
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
                "response_status": 0,
                "next_at": now,
                "created_at": now,
                "updated_at": now,
            }
            for webhook_id, event_id in owed
        ],
    )
    hint(connection)


def _row(happening: Happening, now: datetime) -> dict[str, object]:
    body = DeliveredEvent(event_type=happening.name, data=happening.data.wire()).wire()
    return {
        "id": happening.id,
        "organisation_id": happening.organisation_id,
        "type": happening.name,
        "body": json.dumps(body, ensure_ascii=False, separators=(",", ":")),
        "test": happening.test,
        "created_at": now,
    }


def _listening(connection: Connection, organisation_ids: set[str]) -> list[tuple[str, str, list[str]]]:
    """Id, organisation and events of each webhook that is on."""
    rows = connection.execute(
        sa.select(webhook.c.id, webhook.c.organisation_id, webhook.c.events).where(
            webhook.c.organisation_id.in_(organisation_ids),
            webhook.c.enabled,
            webhook.c.deleted_at.is_(None),
        )
    )
    return [(row.id, row.organisation_id, row.events) for row in rows]
