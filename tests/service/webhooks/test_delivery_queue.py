"""What is due to many webhooks, asked for at once."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import delivery, webhook
from app.service.ids import new_id
from app.service.webhooks.delivery_queue import REQUESTS_AT_ONCE, BatchRequest, load_batches
from tests.service.webhooks.webhook_factory import a_webhook, happen

pytestmark = pytest.mark.both_stores

WORKER = new_id()


def take(context: Context, webhook_ids: list[str]) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.update(webhook).where(webhook.c.id.in_(webhook_ids)).values(worker_id=WORKER))


@pytest.mark.campaign
def test_each_gets_its_own_and_no_more_than_it_wants(context: Context) -> None:
    ids = [
        a_webhook(context, f"https://{number}.example.com/")[0] for number in range(2 * REQUESTS_AT_ONCE + 3)
    ]
    events = [happen(context, id, 1 + number % 3) for number, id in enumerate(ids)]
    take(context, ids)
    asked = [BatchRequest(id, number % 2 * 2) for number, id in enumerate(ids)]
    with context.database.reading() as connection:
        batches = load_batches(connection, context.vault, asked, worker_id=WORKER, now=context.clock())
    for number, (batch, own) in enumerate(zip(batches, events, strict=True)):
        assert batch.endpoint is not None
        assert batch.endpoint.url.host == f"{number}.example.com"
        assert {owed.message.id for owed in batch.deliveries} <= set(own)
        assert len(batch.deliveries) == min(len(own), number % 2 * 2)


def test_what_is_held_off_or_not_yet_due_is_left_out(context: Context) -> None:
    held, off, later, gone = (a_webhook(context, "https://hooks.example.com/")[0] for _ in range(4))
    for id in (held, off, later):
        happen(context, id, 2)
    soon = context.clock() + timedelta(minutes=5)
    with context.database.writing() as connection:
        connection.execute(sa.update(webhook).where(webhook.c.id == off).values(enabled=False))
        connection.execute(sa.update(webhook).where(webhook.c.id == gone).values(deleted_at=context.clock()))
        connection.execute(sa.update(delivery).where(delivery.c.webhook_id == later).values(next_at=soon))
        first = connection.scalar(sa.select(delivery.c.id).where(delivery.c.webhook_id == held).limit(1))
    assert first is not None
    take(context, [held, off, later, gone])
    asked = [
        BatchRequest(held, 9, {first}),
        BatchRequest(off, 9),
        BatchRequest(later, 9),
        BatchRequest(gone, 9),
    ]
    with context.database.reading() as connection:
        batches = load_batches(connection, context.vault, asked, worker_id=WORKER, now=context.clock())
    assert [len(batch.deliveries) for batch in batches] == [1, 0, 0, 0]
    assert [batch.endpoint is None for batch in batches] == [False, True, False, True]
    assert batches[2].next_at == soon
