"""An endpoint that fails is tried again, left alone or turned off, and holds nobody else up."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event as sqlalchemy_event
from standardwebhooks import Webhook

from app.service.context import Context
from app.service.database.tables import audit_entry
from app.service.webhooks import store
from app.service.webhooks.delivery_queue import load_due_endpoints
from app.service.webhooks.endpoint_worker import REFRESH_SECONDS
from tests.service.webhooks.receivers import Answering, Received, drip, endpoint, flood, hang, reset, status
from tests.service.webhooks.webhook_factory import a_webhook, an_organisation, happen, states
from tests.service.webhooks.worker_harness import delivering, impatient, outcomes, row_of, run, until

pytestmark = pytest.mark.both_stores


@pytest.mark.campaign
def test_failures_are_tried_again_under_the_same_id_until_the_schedule_ends(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(500, "", "sorry")) as told:
            id, secret = a_webhook(context, told.url)
            [event_id] = happen(context, id)
            async with delivering(context):
                await until(lambda: states(context, id) == {"failed": 1})
            assert [each.headers["webhook-id"] for each in told.received] == [event_id] * 3
            for each in told.received:
                Webhook(secret).verify(each.body, each.headers)
        assert outcomes(context, id) == ["server_error"] * 3
        row = row_of(context, id)
        assert row.enabled
        assert row.failing_since is not None

    run(work())


@pytest.mark.campaign
def test_a_success_after_failures_ends_the_failing(context: Context) -> None:
    context = impatient(context)
    answers = iter([503, 200])

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        await status(next(answers))(received, writer)

    async def work() -> None:
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id)
            async with delivering(context):
                await until(lambda: states(context, id) == {"succeeded": 1})
        assert outcomes(context, id) == ["server_error", "succeeded"]
        assert row_of(context, id).failing_since is None

    run(work())


@pytest.mark.campaign
def test_gone_turns_the_webhook_off_and_leaves_the_rest_waiting(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(410)) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 100)
            async with delivering(context):
                await until(lambda: not row_of(context, id).enabled)
                await asyncio.sleep(0.2)
            assert len(told.received) <= 16
        assert row_of(context, id).disabled_reason == "The endpoint answered 410 Gone."
        with context.database.reading() as connection:
            entries = connection.execute(sa.select(audit_entry).where(audit_entry.c.object_id == id)).all()
        assert [(one.actor_kind, one.action) for one in entries] == [("service", "service.turnOffWebhook")]
        found = states(context, id)
        assert found["failed"] == len(told.received)
        assert found["pending"] == 100 - found["failed"]

    run(work())


def test_five_days_of_nothing_but_failures_turn_it_off(context: Context) -> None:
    context = impatient(context, 0)

    async def work() -> None:
        async with endpoint(status(500)) as told:
            id, _ = a_webhook(context, told.url)
            with context.database.writing() as connection:
                store.change_webhook(
                    connection, id, failing_since=context.clock() - timedelta(days=5, minutes=1)
                )
            happen(context, id)
            async with delivering(context):
                await until(lambda: not row_of(context, id).enabled)
        assert row_of(context, id).disabled_reason == "All deliveries failed for five days."

    run(work())


@pytest.mark.campaign
def test_an_endpoint_that_asks_for_time_is_left_alone(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(429, "retry-after: 60\r\n")) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 200)
            async with delivering(context):
                await until(lambda: row_of(context, id).slow_until is not None)
                await asyncio.sleep(0.3)
            # What was in flight when it first asked; not the two hundred.
            assert len(told.received) <= 16
        left = row_of(context, id).slow_until - context.clock()
        assert timedelta(seconds=50) < left <= timedelta(seconds=60)
        with context.database.reading() as connection:
            assert load_due_endpoints(connection, worker_id="another", now=context.clock()) == []

    run(work())


@pytest.mark.campaign
def test_no_endpoint_holds_up_another(context: Context) -> None:
    context = impatient(
        context, 0, 0, 0, 60
    )  # a machine that stands still for seconds costs an attempt or two

    async def work() -> None:
        bad: list[Answering] = [hang, drip, flood, reset]
        async with (
            endpoint(status(200)) as healthy,
            endpoint(bad[0]) as first,
            endpoint(bad[1]) as second,
            endpoint(bad[2]) as third,
            endpoint(bad[3]) as fourth,
        ):
            owner = an_organisation(context)
            ids = [a_webhook(context, each.url, owner)[0] for each in (first, second, third, fourth, healthy)]
            happen(context, ids[0], 40)
            async with delivering(context, seconds=1.0):
                await until(lambda: states(context, ids[4]) == {"succeeded": 40}, 25)
                assert states(context, ids[0]).get("succeeded") is None
            assert len(healthy.received) == 40

    run(work())


@pytest.mark.campaign
def test_an_endpoint_that_hangs_is_not_looked_at_for_what_happens_elsewhere(context: Context) -> None:
    if not context.database.is_sqlite:
        pytest.skip("without the worker's listener only the sweep sees PostgreSQL's commits")
    context = impatient(context)
    looked = 0

    async def work() -> None:
        async with endpoint(hang) as hung, endpoint(status(200)) as told:
            stuck, _ = a_webhook(context, hung.url)
            id, _ = a_webhook(context, told.url)
            happen(context, stuck, 40)

            @sqlalchemy_event.listens_for(context.database.engine, "before_cursor_execute")
            def count(*call: Any) -> None:
                nonlocal looked
                looked += "JOIN event" in call[2] and stuck in str(call[3])

            async with delivering(context, seconds=1.5):
                await until(lambda: len(hung.received) == 16)
                for number in range(20):
                    await asyncio.to_thread(happen, context, id)
                    await until(lambda number=number: len(told.received) > number)
            assert 1 <= looked <= 5

    run(work())


@pytest.mark.campaign
def test_an_endpoint_at_work_notices_within_moments_that_it_was_turned_off(context: Context) -> None:
    context = impatient(context)

    async def answer_slowly(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await status(200)(received, writer)

    async def work() -> None:
        async with endpoint(answer_slowly) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 300)
            async with delivering(context):
                await until(lambda: len(told.received) >= 16)
                with context.database.writing() as connection:
                    store.change_webhook(connection, id, enabled=False)
                await asyncio.sleep(REFRESH_SECONDS + 0.4)
                received = len(told.received)
                assert received < 300
                await asyncio.sleep(0.3)
                assert len(told.received) == received

    run(work())
