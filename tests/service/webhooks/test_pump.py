"""What a pump does with an endpoint that answers well, badly or not at all, on both stores."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from standardwebhooks import Webhook

from app.service.background.desk import Desk
from app.service.context import Context
from app.service.database.tables.webhooks import attempt, delivery, webhook
from app.service.webhooks import store
from app.service.webhooks.ledger import Entry, apply, endpoints_due
from app.service.webhooks.pump import ENOUGH, MAX_UNRECORDED
from app.service.webhooks.pumps import Pumps
from app.service.webhooks.signing import encode_secret
from tests.service.webhooks.owing import a_webhook, an_organisation, happen, states
from tests.service.webhooks.receivers import Answering, Received, drip, endpoint, flood, hang, reset, status


def impatient(context: Context, *schedule: float) -> Context:
    """The context with a short schedule, and the loopback allowed."""
    settings = context.settings.model_copy(
        update={"retry_schedule": schedule or (0, 0.05, 0.05), "webhook_allow": (ip_network("127.0.0.0/8"),)}
    )
    return replace(context, settings=settings)


@asynccontextmanager
async def delivering(context: Context, *, seconds: float = 2.0) -> AsyncGenerator[Pumps]:
    """Pumps that are started for whatever is due, as a worker does it, without the durable engine."""
    running: set[asyncio.Task[None]] = set()

    def found(due: dict[str, int]) -> None:
        for id in pumps.stir(due):
            running.add(asyncio.create_task(pumps.run(id)))

    desk: Desk[Entry, dict[str, int]] = Desk(
        context.database,
        apply=apply,
        look=lambda connection: endpoints_due(connection, context.clock(), ENOUGH),
        found=found,
    )
    pumps = Pumps(context, desk, timeout=seconds, linger=5)
    desk.open()
    try:
        yield pumps
    finally:
        await pumps.stop()
        await asyncio.gather(*running)
        await desk.close()


async def until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(condition):
        assert time.monotonic() < end, "it did not come about in time"
        await asyncio.sleep(0.02)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def row_of(context: Context, webhook_id: str) -> sa.Row[Any]:
    with context.database.reading() as connection:
        return connection.execute(sa.select(webhook).where(webhook.c.id == webhook_id)).one()


def outcomes(context: Context, webhook_id: str) -> list[str]:
    query = sa.select(attempt.c.outcome).join(delivery).where(delivery.c.webhook_id == webhook_id)
    with context.database.reading() as connection:
        return list(connection.scalars(query.order_by(attempt.c.number)))


def test_every_event_arrives_once_signed_and_is_recorded(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(200, "", "thanks")) as told:
            id, secret = a_webhook(context, told.url)
            ids = happen(context, id, 300)
            async with delivering(context):
                await until(lambda: states(context, id) == {"succeeded": 300})
            assert sorted(each.headers["webhook-id"] for each in told.received) == sorted(ids)
            for each in told.received:
                Webhook(secret).verify(each.body, each.headers)
        with context.database.reading() as connection:
            kept = connection.execute(sa.select(attempt)).all()
        assert len(kept) == 300
        assert {(row.number, row.outcome, row.response_status, row.response_body) for row in kept} == {
            (1, "succeeded", 200, "thanks")
        }

    run(work())


def test_what_is_committed_while_a_pump_lingers_arrives_within_moments(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            async with delivering(context):
                happen(context, id)
                await until(lambda: states(context, id) == {"succeeded": 1})
                began = time.monotonic()
                await asyncio.to_thread(happen, context, id)
                await until(lambda: len(told.received) == 2)
                # Far below the sweep's second on SQLite, where the commit is noticed; there it has 5 ms.
                assert time.monotonic() - began < (0.9 if context.database.is_sqlite else 3)

    run(work())


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
        assert row_of(context, id).disabled_reason == "Nothing but failures for five days."

    run(work())


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
            assert endpoints_due(connection, context.clock()) == {}

    run(work())


def test_no_endpoint_holds_up_another(context: Context) -> None:
    context = impatient(context, 0, 60)

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


def test_at_most_sixteen_requests_are_in_flight_for_an_endpoint(context: Context) -> None:
    context = impatient(context)
    open_now = 0
    most = 0

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0.01)
        open_now -= 1
        await status(200)(received, writer)

    async def work() -> None:
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 200)
            async with delivering(context):
                await until(lambda: states(context, id) == {"succeeded": 200})
        assert most == 16

    run(work())


def test_stopping_finishes_and_records_what_is_in_flight_and_begins_nothing_new(context: Context) -> None:
    context = impatient(context)

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        await status(200)(received, writer)

    async def work() -> None:
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 100)
            async with delivering(context):
                await until(lambda: len(told.received) >= 16)
            received = len(told.received)
            assert received <= 32
        assert states(context, id) == {"succeeded": received, "pending": 100 - received}

    run(work())


def test_a_delivery_that_takes_a_while_is_shown_as_under_way(context: Context) -> None:
    context = impatient(context, 0)

    async def work() -> None:
        async with endpoint(hang) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id)
            async with delivering(context, seconds=1.5):
                await until(lambda: states(context, id) == {"delivering": 1})
                await until(lambda: states(context, id) == {"failed": 1})
        assert outcomes(context, id) == ["timed_out"]

    run(work())


def test_a_private_address_is_refused_by_default_and_the_record_says_so(context: Context) -> None:
    context = replace(
        impatient(context, 0), settings=context.settings.model_copy(update={"retry_schedule": (0,)})
    )

    async def work() -> None:
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id)
            async with delivering(context):
                await until(lambda: states(context, id) == {"failed": 1})
            assert told.received == []
        assert outcomes(context, id) == ["address_refused"]

    run(work())


def test_while_a_secret_is_rotated_both_are_signed_with(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(200)) as told:
            id, old = a_webhook(context, told.url)
            new = encode_secret(b"n" * 32)
            row = row_of(context, id)
            with context.database.writing() as connection:
                store.change_webhook(
                    connection,
                    id,
                    secret=context.vault.seal(new.encode()),
                    previous_secret=row.secret,
                    previous_secret_until=context.clock() + timedelta(hours=1),
                )
            happen(context, id)
            async with delivering(context):
                await until(lambda: states(context, id) == {"succeeded": 1})
            [received] = told.received
            Webhook(old).verify(received.body, received.headers)
            Webhook(new).verify(received.body, received.headers)

    run(work())


def test_an_answer_that_the_store_cannot_hold_does_not_hold_up_the_rest(context: Context) -> None:
    context = impatient(context)

    async def answer(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\nx-odd: \xff\xfe\r\n\r\n\x00\xff\xfe\xed\xa0\x80"
        )

    async def work() -> None:
        async with endpoint(answer) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 20)
            async with delivering(context):
                await until(lambda: states(context, id) == {"succeeded": 20})

    run(work())


def test_the_clock_stepping_back_loses_nothing(context: Context) -> None:
    real = context.clock
    behind = timedelta(0)
    context = replace(impatient(context), clock=lambda: real() - behind)

    async def work() -> None:
        nonlocal behind
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            async with delivering(context):
                happen(context, id)
                await until(lambda: states(context, id) == {"succeeded": 1})
                behind = timedelta(hours=3)
                await asyncio.to_thread(happen, context, id, 10)
                await until(lambda: states(context, id) == {"succeeded": 11})

    run(work())


def test_while_nothing_can_be_written_sending_waits_and_then_goes_on(context: Context) -> None:
    context = impatient(context)
    failing = True

    def apply_or_fail(connection: sa.Connection, entries: list[Entry]) -> None:
        if failing:
            raise OperationalError("INSERT", {}, OSError("database or disk is full"))
        apply(connection, entries)

    async def work() -> None:
        nonlocal failing
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 300)
            desk: Desk[Entry, None] = Desk(
                context.database, apply=apply_or_fail, look=lambda _: None, found=lambda _: None
            )
            pumps = Pumps(context, desk, linger=1)
            desk.open()
            running = asyncio.create_task(pumps.run(id))
            await asyncio.sleep(1)
            assert len(told.received) <= MAX_UNRECORDED + 16
            failing = False
            await until(lambda: states(context, id) == {"succeeded": 300})
            assert len(told.received) == 300
            await pumps.stop()
            await running
            await desk.close()

    run(work())
