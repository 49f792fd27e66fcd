"""What is owed to an endpoint and what came of it, as a pump reads and writes it (SQL)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from sqlalchemy.exc import DataError
from yarl import URL

from app.service.database.tables.webhooks import delivery, event, webhook
from app.service.vault import InvalidToken, Vault
from app.service.webhooks.recording import Attempted, Owed, record
from app.service.webhooks.sending import Message
from app.service.webhooks.signing import InvalidSecret, Signer, decode_secret


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a webhook's events go now. Without a key nothing can be signed, so nothing is sent."""

    url: URL
    signer: Signer
    failing_since: datetime | None
    slow_until: datetime | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What is due now, the longest due first, and when there will be more. `endpoint` is None when the
    webhook was deleted or is off. `more`: there was more due than asked for."""

    endpoint: Endpoint | None
    owed: Sequence[Owed]
    next_at: datetime | None
    more: bool


@dataclass(frozen=True, slots=True)
class InFlight:
    """A delivery whose request has been under way long enough to be worth showing."""

    delivery_id: str
    now: datetime


@dataclass(frozen=True, slots=True)
class EndpointChanged:
    """New values of a webhook's row, unless somebody turned it off or deleted it meanwhile."""

    webhook_id: str
    values: dict[str, Any]


Entry = Attempted | InFlight | EndpointChanged


def endpoints_due(connection: Connection, now: datetime) -> list[str]:
    """The webhooks that something is due for. Looks once into the index for each webhook, however much is
    owed to it."""
    waiting = sa.exists().where(delivery.c.webhook_id == webhook.c.id, delivery.c.next_at <= now)
    left_alone = webhook.c.slow_until.is_not(None) & (webhook.c.slow_until > now)
    query = sa.select(webhook.c.id).where(
        webhook.c.enabled, webhook.c.deleted_at.is_(None), ~left_alone, waiting
    )
    return list(connection.scalars(query))


_OWED = (
    sa.select(
        delivery.c.id,
        delivery.c.event_id,
        delivery.c.attempts,
        delivery.c.step,
        event.c.body,
        event.c.test,
    )
    .join(event, event.c.id == delivery.c.event_id)
    .where(delivery.c.webhook_id == bindparam("webhook_id"), delivery.c.next_at <= bindparam("now"))
    .order_by(delivery.c.next_at, delivery.c.id)
    .limit(bindparam("limit"))
)


def due(
    connection: Connection,
    vault: Vault,
    webhook_id: str,
    *,
    now: datetime,
    limit: int,
    held: Collection[str] = (),
) -> Batch:
    """The first `limit` of what is due to a webhook, without those deliveries of them that are `held`."""
    row = connection.execute(
        sa.select(webhook).where(
            webhook.c.id == webhook_id, webhook.c.enabled, webhook.c.deleted_at.is_(None)
        )
    ).first()
    if row is None:
        return Batch(None, (), None, more=False)
    endpoint = Endpoint(URL(row.url), _signer(vault, row, now), row.failing_since, row.slow_until)
    rows = connection.execute(_OWED, {"webhook_id": webhook_id, "now": now, "limit": limit}).all()
    owed = [
        Owed(id, Message(event_id, body.encode(), test), attempts, tried)
        for id, event_id, attempts, tried, body, test in rows
        if id not in held
    ]
    next_at = connection.scalar(
        sa.select(sa.func.min(delivery.c.next_at)).where(
            delivery.c.webhook_id == webhook_id, delivery.c.next_at > now
        )
    )
    return Batch(endpoint, owed, next_at, more=len(rows) == limit)


def _signer(vault: Vault, row: sa.Row[Any], now: datetime) -> Signer:
    sealed = [row.secret]
    if row.previous_secret is not None and row.previous_secret_until > now:
        sealed.append(row.previous_secret)
    try:
        return Signer([decode_secret(vault.open(secret).decode()) for secret in sealed])
    except (InvalidToken, InvalidSecret):
        return Signer(())


_UNDER_WAY = (
    sa.update(delivery)
    .where(delivery.c.id == bindparam("delivery"), delivery.c.status == "pending")
    .values(status="delivering", updated_at=bindparam("now"))
)


def apply(connection: Connection, entries: Sequence[Entry]) -> None:
    """Writes entries, in the caller's transaction. An answer that the store cannot hold is left out rather
    than let it keep the others from being recorded."""
    under_way = [
        {"delivery": entry.delivery_id, "now": entry.now} for entry in entries if isinstance(entry, InFlight)
    ]
    if under_way:
        connection.execute(_UNDER_WAY, under_way)
    attempted = [entry for entry in entries if isinstance(entry, Attempted)]
    if attempted:
        try:
            with connection.begin_nested():
                record(connection, attempted)
        except (DataError, ValueError):
            for entry in attempted:
                _record_one(connection, entry)
    for entry in entries:
        if isinstance(entry, EndpointChanged):
            connection.execute(
                sa.update(webhook)
                .where(webhook.c.id == entry.webhook_id, webhook.c.enabled, webhook.c.deleted_at.is_(None))
                .values(entry.values)
            )


def _record_one(connection: Connection, entry: Attempted) -> None:
    try:
        with connection.begin_nested():
            record(connection, [entry])
    except (DataError, ValueError):
        record(connection, [entry], with_answers=False)
