"""What is old is forgotten, what is still owed is not."""

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa

from app.service.background.retention import delete_old
from app.service.context import Context
from app.service.database.tables.access import idempotent_call
from app.service.database.tables.webhooks import attempt, delivery, event
from app.service.webhooks import store
from tests.service.webhooks.webhook_factory import a_webhook, happen


def count(context: Context, table: sa.Table) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def end(context: Context, event_id: str) -> None:
    with context.database.writing() as connection:
        connection.execute(
            sa.update(delivery)
            .where(delivery.c.event_id == event_id)
            .values(next_at=None, status="succeeded", attempts=1)
        )
        connection.execute(
            sa.insert(attempt).from_select(
                [
                    "delivery_id",
                    "number",
                    "started_at",
                    "duration_ms",
                    "outcome",
                    "request_headers",
                    "response_status",
                ],
                sa.select(
                    delivery.c.id,
                    sa.literal(1),
                    delivery.c.created_at,
                    sa.literal(5),
                    sa.literal("succeeded"),
                    sa.literal({}, sa.JSON()),
                    sa.literal(200),
                ).where(delivery.c.event_id == event_id),
            )
        )


def test_records_go_after_the_time_that_is_set_and_what_is_owed_stays(context: Context) -> None:
    id, _ = a_webhook(context, "https://example.com/")
    ended, owed, fresh = happen(context, id, 3)
    end(context, ended)
    end(context, fresh)
    later = replace(context, clock=lambda: context.clock() + timedelta(days=31))
    with context.database.writing() as connection:
        connection.execute(
            sa.update(delivery).where(delivery.c.event_id == fresh).values(updated_at=later.clock())
        )
    delete_old(context)
    assert (count(context, event), count(context, delivery), count(context, attempt)) == (3, 3, 2)
    delete_old(later)
    with context.database.reading() as connection:
        left = set(connection.scalars(sa.select(delivery.c.event_id)))
    assert left == {owed, fresh}
    assert (count(context, event), count(context, attempt)) == (2, 1)


def test_what_waits_for_a_webhook_that_is_off_or_gone_goes_too(context: Context) -> None:
    off, _ = a_webhook(context, "https://example.com/")
    gone, _ = a_webhook(context, "https://example.com/")
    happen(context, off)
    happen(context, gone)
    with context.database.writing() as connection:
        store.change_webhook(connection, off, enabled=False)
        store.delete_webhook(connection, gone, context.clock())
    delete_old(replace(context, clock=lambda: context.clock() + timedelta(days=31)))
    assert (count(context, event), count(context, delivery)) == (0, 0)


def test_stored_answers_go_after_a_day(context: Context) -> None:
    now = context.clock()
    with context.database.writing() as connection:
        for hours in (1, 23, 25, 48):
            connection.execute(
                sa.insert(idempotent_call).values(
                    api_key_id="k",
                    path="/v1/webhooks",
                    idempotency_key=str(hours),
                    body_digest="d",
                    started_at=now - timedelta(hours=hours),
                )
            )
    delete_old(context)
    with context.database.reading() as connection:
        left = connection.scalars(sa.select(idempotent_call.c.idempotency_key))
        assert sorted(left, key=int) == ["1", "23"]


def test_what_was_touched_lately_stays_however_old_it_is(context: Context) -> None:
    id, _ = a_webhook(context, "https://example.com/")
    [event_id] = happen(context, id)
    later = replace(context, clock=lambda: context.clock() + timedelta(days=31))
    with context.database.writing() as connection:
        row = connection.execute(sa.select(delivery).where(delivery.c.event_id == event_id)).one()
        store.reschedule_deliveries(connection, [row.id], later.clock())
        store.change_webhook(connection, id, enabled=False)
    delete_old(later)
    assert (count(context, event), count(context, delivery)) == (1, 1)
