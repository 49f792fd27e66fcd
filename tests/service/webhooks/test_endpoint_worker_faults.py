"""A store that cannot hold an answer or cannot be written, and a clock that steps back, lose nothing."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from app.service.context import Context
from app.service.webhooks.delivery_queue import QueueUpdate, write_updates
from app.service.webhooks.endpoint_worker import MAX_UNRECORDED
from tests.service.webhooks.receivers import Received, endpoint, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states
from tests.service.webhooks.worker_harness import delivering, impatient, run, until

pytestmark = pytest.mark.campaign


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

    def apply_or_fail(connection: sa.Connection, entries: list[QueueUpdate], worker_id: str) -> None:
        if failing:
            raise OperationalError("INSERT", {}, OSError("database or disk is full"))
        write_updates(connection, entries, worker_id)

    async def work() -> None:
        nonlocal failing
        async with endpoint(status(200)) as told:
            id, _ = a_webhook(context, told.url)
            happen(context, id, 300)
            async with delivering(context, apply=apply_or_fail):
                await asyncio.sleep(1)
                assert len(told.received) <= MAX_UNRECORDED + 16
                failing = False
                await until(lambda: states(context, id) == {"succeeded": 300})
            assert len(told.received) == 300

    run(work())
