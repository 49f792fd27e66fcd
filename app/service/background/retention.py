"""Deletes old rows in small steps, so that no table grows for ever and no writer waits long."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Table

from app.service.context import Context
from app.service.database.letters import TO_COLLEAGUES
from app.service.database.tables import (
    approval,
    attempt,
    comment,
    delivery,
    event,
    idempotent_call,
    inbox_message,
    letter,
    webhook,
)

BATCH_SIZE = 500
MAX_DAYS = 365 * 1000
IDEMPOTENCY_RETENTION = timedelta(hours=24)
MOST_ANSWERS = 10_000
"""Stored answers of a key or person that stay within that time, the newest."""
APPROVAL_RETENTION = timedelta(days=90)


def delete_old(context: Context) -> int:
    """Deletes webhook records, letters to colleagues and comments older than their settings, answers to
    repeated calls that are older than a day or too many, approvals that ended; how many rows.

    A delivery's age counts from its last attempt, and from when it was last asked for again. What is still to
    be sent to a webhook that is on is kept however old it is, with its event.
    """
    now = context.clock()
    settings = context.settings
    before = now - timedelta(days=settings.webhook_retention_days)
    letters_before = now - timedelta(days=settings.mail_retention_days)
    comments_before = now - timedelta(days=settings.comment_retention_days or MAX_DAYS)
    return (
        _delete_old_deliveries(context, before)
        + _delete_old_events(context, before)
        + _delete(context, inbox_message, inbox_message.c.received_at < before)
        + _delete(context, idempotent_call, idempotent_call.c.started_at < now - IDEMPOTENCY_RETENTION)
        + _delete_most_answers(context)
        + _delete(context, approval, approval.c.expires_at < now - APPROVAL_RETENTION)
        + _delete(
            context,
            letter,
            sa.and_(TO_COLLEAGUES, letter.c.next_at.is_(None), letter.c.created_at < letters_before),
        )
        + _delete(context, comment, comment.c.created_at < comments_before)
    )


def _delete_old_deliveries(context: Context, before: datetime) -> int:
    called = sa.select(webhook.c.id).where(webhook.c.enabled, webhook.c.deleted_at.is_(None))
    ended = (
        sa.select(delivery.c.id)
        .where(
            delivery.c.updated_at < before,
            delivery.c.next_at.is_(None) | delivery.c.webhook_id.not_in(called),
        )
        .limit(BATCH_SIZE)
        # Asked for again in this moment, it is not ended: a row that is locked is left for the next time.
        .with_for_update(skip_locked=True)
    )
    forgotten = 0
    while True:
        with context.database.writing() as connection:
            ids = list(connection.scalars(ended))
            if not ids:
                return forgotten
            connection.execute(sa.delete(attempt).where(attempt.c.delivery_id.in_(ids)))
            connection.execute(sa.delete(delivery).where(delivery.c.id.in_(ids)))
        forgotten += len(ids)


def _delete_old_events(context: Context, before: datetime) -> int:
    has_no_delivery = ~sa.exists().where(delivery.c.event_id == event.c.id)
    old = sa.select(event.c.id).where(event.c.created_at < before, has_no_delivery).limit(BATCH_SIZE)
    old = old.with_for_update(skip_locked=True)  # another worker deletes it, or it is being sent again
    forgotten = 0
    while True:
        with context.database.writing() as connection:
            ids = list(connection.scalars(old))
            if not ids:
                return forgotten
            # A delivery that was added before the lock shows only to a later statement than the lock's.
            unsent = sa.delete(event).where(event.c.id.in_(ids), has_no_delivery)
            forgotten += connection.execute(unsent).rowcount


def _delete_most_answers(context: Context) -> int:
    """Deletes the older answers of those who have too many: each call may have one, also of a reader."""
    holder, started_at = idempotent_call.c.api_key_id, idempotent_call.c.started_at
    too_many = sa.select(holder).group_by(holder).having(sa.func.count() > MOST_ANSWERS)
    with context.database.reading() as connection:
        last = {
            one: connection.scalar(
                sa.select(started_at)
                .where(holder == one)
                .order_by(started_at.desc())
                .offset(MOST_ANSWERS)
                .limit(1)
            )
            for one in connection.scalars(too_many).all()
        }
    return sum(
        _delete(context, idempotent_call, (holder == one) & (started_at <= at)) for one, at in last.items()
    )


def _delete(context: Context, table: Table, condition: ColumnElement[bool]) -> int:
    key = sa.tuple_(*table.primary_key.columns)
    some = sa.select(*table.primary_key.columns).where(condition).limit(BATCH_SIZE)
    some = some.with_for_update(skip_locked=True)  # another worker deletes what it has locked
    forgotten = 0
    while True:
        with context.database.writing() as connection:
            deleted = connection.execute(sa.delete(table).where(key.in_(some))).rowcount
        if not deleted:
            return forgotten
        forgotten += deleted
