"""The one way an event comes to be: with the change that caused it, in the same transaction."""

import json
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.events import DeliveredEvent, EventName
from app.contract.model import Reply
from app.service.background.wakeup import hint
from app.service.database.tables.webhooks import delivery, event, webhook
from app.service.ids import new_id


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
    """Writes the event and one delivery, due at once, for each webhook of the organisation that listens.
    With `only_webhook` that one gets it, whatever it listens to. Returns the event's id, which is also the
    `webhook-id` that receivers see.

    An event that nobody listens to is kept all the same: a webhook that was off, or is registered later, can
    ask for what it missed (`redeliver since`) for as long as events are retained.
    """
    event_id = new_id()
    body = DeliveredEvent(event_type=name, data=data.wire()).wire()
    connection.execute(
        sa.insert(event).values(
            id=event_id,
            organisation_id=organisation_id,
            type=name,
            body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
            test=test,
            created_at=now,
        )
    )
    listening = [only_webhook] if only_webhook else _listening(connection, organisation_id, name)
    owe(connection, event_id=event_id, webhook_ids=listening, now=now)
    return event_id


def owe(connection: Connection, *, event_id: str, webhook_ids: list[str], now: datetime) -> None:
    """Adds a delivery of the event, due at once, for each of the webhooks."""
    if not webhook_ids:
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
            for webhook_id in webhook_ids
        ],
    )
    hint(connection)


def _listening(connection: Connection, organisation_id: str, name: str) -> list[str]:
    rows = connection.execute(
        sa.select(webhook.c.id, webhook.c.events).where(
            webhook.c.organisation_id == organisation_id,
            webhook.c.enabled,
            webhook.c.deleted_at.is_(None),
        )
    )
    return [row.id for row in rows if name in row.events]
