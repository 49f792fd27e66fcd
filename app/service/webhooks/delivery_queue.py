"""The queue of due deliveries and the results of attempts, as an endpoint worker reads and writes them
(SQL)."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam
from yarl import URL

from app.service.access.audit import WEBHOOK_TURNED_OFF, Subject, record_outcome
from app.service.background.db_writer import RefusedChange
from app.service.database.dialect import has_lateral, notify_workers
from app.service.database.faults import is_refusal
from app.service.database.tables import delivery, event, webhook, worker
from app.service.vault import InvalidToken, Vault
from app.service.webhooks.attempt_writer import (
    AttemptDetail,
    DueDelivery,
    FinishedAttempt,
    record_attempts,
)
from app.service.webhooks.endpoint_sharing import DueEndpoint
from app.service.webhooks.sending import Message
from app.service.webhooks.signing import InvalidSecret, RetiredSecret, Signer, decode_secret, read_retired

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a webhook's events go now. Without a key nothing can be signed, so nothing is sent."""

    url: URL
    signer: Signer
    failing_since: datetime | None
    slow_until: datetime | None


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """The first `limit` of what is due to a webhook, at least, without those deliveries of them that are
    `held`. With a limit of 0 only the endpoint is read."""

    webhook_id: str
    limit: int
    excluded_ids: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """What is due now, the longest due first, or else when something will be. `endpoint` is None when the
    webhook was deleted, is off, or is another worker's. `more`: there was more due than asked for."""

    endpoint: Endpoint | None
    deliveries: Sequence[DueDelivery]
    next_at: datetime | None
    more: bool


@dataclass(frozen=True, slots=True)
class SlowDelivery:
    """A delivery whose request has been under way long enough to be worth showing."""

    delivery_id: str
    now: datetime


@dataclass(frozen=True, slots=True)
class EndpointChanged:
    """New values of a webhook's row, unless somebody turned it off or deleted it meanwhile."""

    webhook_id: str
    values: dict[str, Any]
    turned_off_at: datetime | None = None
    """When they turn it off."""


@dataclass(frozen=True, slots=True)
class EndpointReleased:
    """A webhook that this worker sends to no more, so that another one may."""

    webhook_id: str


QueueUpdate = FinishedAttempt | SlowDelivery | EndpointChanged | EndpointReleased


_NOW = bindparam("now", type_=delivery.c.next_at.type)
_OF_WEBHOOK = delivery.c.webhook_id == bindparam("webhook_id")

_DUE = (
    sa.select(sa.literal(1))
    .where(delivery.c.webhook_id == webhook.c.id, delivery.c.next_at <= _NOW)
    .correlate(webhook)
    .limit(bindparam("most"))
    .subquery()
)
_WORKER = bindparam("me", type_=webhook.c.worker_id.type)
_MAY_BE_TAKEN = (
    webhook.c.worker_id.is_(None)
    | (webhook.c.worker_id == _WORKER)
    | webhook.c.worker_id.not_in(sa.select(worker.c.id))
)
_HOLDER = worker.alias("holder")
_LATE = sa.exists().where(delivery.c.webhook_id == webhook.c.id, delivery.c.next_at <= bindparam("late"))
_ENDPOINTS_DUE = (
    sa.select(
        webhook.c.id,
        sa.case(
            (
                _MAY_BE_TAKEN,
                sa.select(sa.func.count()).select_from(_DUE).correlate(webhook).scalar_subquery(),
            ),
            else_=0,
        ),
        _HOLDER.c.id,
        _LATE,
    )
    .select_from(webhook.outerjoin(_HOLDER, _HOLDER.c.id == webhook.c.worker_id))
    .where(
        webhook.c.enabled,
        webhook.c.deleted_at.is_(None),
        webhook.c.slow_until.is_(None) | (webhook.c.slow_until <= _NOW),
        sa.exists().where(delivery.c.webhook_id == webhook.c.id, delivery.c.next_at <= _NOW),
    )
)

LATE_AFTER = timedelta(seconds=1)
"""After which something that is due counts as late: a worker sends within milliseconds when it can."""


def load_due_endpoints(
    connection: Connection, *, worker_id: str, now: datetime, most: int = 1
) -> list[DueEndpoint]:
    """The webhooks that something is due to, counted up to `most` in their index for those that this worker
    has or may take."""
    values = {"now": now, "late": now - LATE_AFTER, "most": most, "me": worker_id}
    return [DueEndpoint(*row) for row in connection.execute(_ENDPOINTS_DUE, values)]


def load_workers(connection: Connection) -> list[str]:
    """The living workers that take what is due."""
    return list(connection.scalars(sa.select(worker.c.id).where(worker.c.takes_work)))


_CLAIMABLE = (
    sa.select(webhook.c.id)
    .where(webhook.c.id.in_(bindparam("webhook_ids", expanding=True)), _MAY_BE_TAKEN)
    .with_for_update(skip_locked=True)  # another worker takes it in this moment
)
_CLAIM = (
    sa.update(webhook)
    .where(webhook.c.id.in_(_CLAIMABLE), sa.exists().where(worker.c.id == _WORKER))
    .values(worker_id=_WORKER)
    .returning(webhook.c.id)
)


def claim_endpoints(connection: Connection, webhook_ids: Sequence[str], worker_id: str) -> list[str]:
    """Takes the webhooks for a worker; returns those that no other living worker has."""
    claimed = connection.scalars(_CLAIM, {"webhook_ids": list(webhook_ids), "me": worker_id})
    return list(claimed)


def _first(of_webhook: sa.ColumnElement[bool]) -> sa.Select[Any, Any, Any, Any, Any, Any]:
    """The deliveries are cut off before their events are looked up: without statistics of a queue that has
    just filled, PostgreSQL would look up the event of each that is due."""
    return (
        sa.select(
            delivery.c.id.label("delivery_id"),
            delivery.c.event_id,
            delivery.c.attempts,
            delivery.c.step,
            delivery.c.schedule_round,
            delivery.c.next_at,
        )
        .where(of_webhook, delivery.c.next_at <= _NOW)
        .order_by(delivery.c.next_at)
        .limit(bindparam("limit"))
    )


def _deliveries_with_endpoint(first: sa.FromClause) -> sa.Select[*tuple[Any, ...]]:
    """The endpoint comes with each row, and alone when nothing is due: one question is sooner answered than
    two."""
    return (
        sa.select(
            webhook.c.id,
            webhook.c.url,
            webhook.c.secret,
            webhook.c.retired_secrets,
            webhook.c.failing_since,
            webhook.c.slow_until,
            *(first.c[name] for name in ("delivery_id", "event_id", "attempts", "step", "schedule_round")),
            event.c.body,
            event.c.test,
        )
        .select_from(webhook.outerjoin(first, sa.true()).outerjoin(event, event.c.id == first.c.event_id))
        .where(webhook.c.enabled, webhook.c.deleted_at.is_(None), webhook.c.worker_id == _WORKER)
        .order_by(first.c.next_at)
    )


_DUE_TO_ONE = _deliveries_with_endpoint(_first(_OF_WEBHOOK).subquery()).where(
    webhook.c.id == bindparam("webhook_id")
)
_DUE_TO_SEVERAL = _deliveries_with_endpoint(
    _first(delivery.c.webhook_id == webhook.c.id).correlate(webhook).lateral()
).where(webhook.c.id.in_(bindparam("webhook_ids", expanding=True)))
_NEXT = sa.select(sa.func.min(delivery.c.next_at)).where(_OF_WEBHOOK, delivery.c.next_at > _NOW)

REQUESTS_AT_ONCE = 8
"""So that what is held in memory at once stays small: each may want hundreds of rows."""


def load_batches(
    connection: Connection, vault: Vault, requests: Sequence[BatchRequest], *, worker_id: str, now: datetime
) -> list[Batch]:
    """What is due to each webhook that is asked for, if it is this worker's."""
    known = {"me": worker_id, "now": now}
    if not has_lateral(connection):
        # SQLite answers a question in a tenth of the time, so that one for each webhook is no loss.
        return [
            _batch(connection, vault, want, _rows_of_one(connection, want, known), now) for want in requests
        ]
    batches: dict[str, Batch] = {}
    # Those that only ask about their endpoint stay together: as many rows are read as one of a group wants.
    ordered = sorted(requests, key=lambda want: want.limit)
    for start in range(0, len(ordered), REQUESTS_AT_ONCE):
        group = ordered[start : start + REQUESTS_AT_ONCE]
        rows = _rows_of_several(connection, group, known)
        for want in group:
            batches[want.webhook_id] = _batch(connection, vault, want, rows[want.webhook_id], now)
    return [batches[want.webhook_id] for want in requests]


def _rows_of_one(connection: Connection, want: BatchRequest, known: Mapping[str, Any]) -> Sequence[Any]:
    asked = {**known, "webhook_id": want.webhook_id, "limit": want.limit}
    return connection.execute(_DUE_TO_ONE, asked).all()


def _rows_of_several(
    connection: Connection, wanted: Sequence[BatchRequest], known: Mapping[str, Any]
) -> Mapping[str, Sequence[Any]]:
    limit = max(want.limit for want in wanted)
    asked = {**known, "webhook_ids": [want.webhook_id for want in wanted], "limit": limit}
    rows: dict[str, list[Any]] = {want.webhook_id: [] for want in wanted}
    for row in connection.execute(_DUE_TO_SEVERAL, asked):
        rows[row[0]].append(row)
    return rows


def _batch(
    connection: Connection, vault: Vault, want: BatchRequest, rows: Sequence[Any], now: datetime
) -> Batch:
    if not rows:
        return Batch(None, (), None, more=False)
    first = rows[0]
    signer = _signer(vault, first.secret, read_retired(first.retired_secrets, now))
    endpoint = Endpoint(URL(first.url), signer, first.failing_since, first.slow_until)
    if not want.limit:
        return Batch(endpoint, (), None, more=False)
    if first.delivery_id is None:
        rows = ()
    due = [
        DueDelivery(id, Message(event_id, body.encode(), test), attempts, tried, schedule_round)
        for *_, id, event_id, attempts, tried, schedule_round, body, test in rows
        if id not in want.excluded_ids
    ]
    # Who has something to send asks again when it is sent.
    next_at = None if due else connection.scalar(_NEXT, {"webhook_id": want.webhook_id, "now": now})
    return Batch(endpoint, due, next_at, more=len(rows) >= want.limit)


def _signer(vault: Vault, secret: bytes, retired: Sequence[RetiredSecret]) -> Signer:
    sealed = [secret, *(one.sealed for one in reversed(retired))]
    try:
        return Signer([decode_secret(vault.open(secret).decode()) for secret in sealed])
    except (InvalidToken, InvalidSecret):
        return Signer(())


_MARK_DELIVERING = (
    sa.update(delivery)
    .where(delivery.c.id == bindparam("delivery"), delivery.c.status == "pending")
    .values(status="delivering", updated_at=bindparam("now"))
)


def write_updates(connection: Connection, updates: Sequence[QueueUpdate], worker_id: str) -> None:
    """Writes entries of a worker, in the caller's transaction. Raises RefusedChange, or the store's own
    error, when one of them cannot be written."""
    under_way = [
        {"delivery": entry.delivery_id, "now": entry.now}
        for entry in updates
        if isinstance(entry, SlowDelivery)
    ]
    if under_way:
        connection.execute(_MARK_DELIVERING, under_way)
    attempted = [entry for entry in updates if isinstance(entry, FinishedAttempt)]
    if attempted:
        record_attempts(connection, attempted, worker_id)
    for entry in updates:
        if isinstance(entry, EndpointChanged | EndpointReleased):
            _change_endpoint(connection, entry, worker_id)


def _change_endpoint(
    connection: Connection, entry: EndpointChanged | EndpointReleased, worker_id: str
) -> None:
    change = sa.update(webhook).where(webhook.c.id == entry.webhook_id, webhook.c.worker_id == worker_id)
    if isinstance(entry, EndpointReleased):
        connection.execute(change.values(worker_id=None))
        notify_workers(connection)
    else:
        still_on = (webhook.c.enabled, webhook.c.deleted_at.is_(None))
        changed = change.where(*still_on).values(entry.values).returning(webhook.c.organisation_id)
        organisation_id = connection.scalar(changed)
        if organisation_id is not None and entry.turned_off_at is not None:
            subject = Subject(organisation_id, entry.webhook_id)
            record_outcome(connection, WEBHOOK_TURNED_OFF, subject, entry.turned_off_at)


def write_update(connection: Connection, update: QueueUpdate, worker_id: str) -> None:
    """Writes one entry. What the store cannot hold of an attempt is left out: its answer, or the whole record
    of it, but never what it makes of its delivery, which would be sent again."""
    if not isinstance(update, FinishedAttempt):
        write_updates(connection, [update], worker_id)
        return
    for detail in (AttemptDetail.FULL, AttemptDetail.WITHOUT_ANSWER):
        try:
            with connection.begin_nested():
                record_attempts(connection, [update], worker_id, detail)
            return
        except Exception as error:
            if isinstance(error, RefusedChange) or not is_refusal(error):
                raise
    log.error("An attempt of delivery %s cannot be recorded.", update.delivery.delivery_id)
    record_attempts(connection, [update], worker_id, AttemptDetail.RESULT)
