"""A worker that is stopped, killed or doubled loses nothing."""

import asyncio
import time
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import task
from app.service.database.tables import worker as roll
from app.service.ids import new_id
from app.service.webhooks.endpoint_worker import MAX_UNRECORDED
from app.service.worker.worker import TASKS_GRACE_SECONDS
from app.settings import Settings
from tests.service.background.worker_fixture import lines, until, worker
from tests.service.webhooks.receivers import Endpoint, Received, serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states

pytestmark = pytest.mark.campaign


def ask(context: Context, kind: str) -> str:
    subject = new_id()
    with context.database.writing() as connection:
        enqueue_task(connection, kind=kind, subject_id=subject, organisation_id=None, now=context.clock())
    return subject


def tasks_left(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(task)) or 0


def workers(context: Context) -> list[str]:
    with context.database.reading() as connection:
        return list(connection.scalars(sa.select(roll.c.id)))


def ids_received(told: Endpoint) -> Counter[str]:
    return Counter(each.headers["webhook-id"] for each in list(told.received))


def test_a_worker_delivers_works_off_tasks_and_ends_in_order(context: Context, settings: Settings) -> None:
    async def answer_slowly(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.5)
        await status(200)(received, writer)

    with serving(answer_slowly) as told, worker(settings) as process:
        id, _ = a_webhook(context, told.url)
        noted, doomed = ask(context, "note"), ask(context, "broken")
        happen(context, id)
        until(lambda: states(context, id) == {"succeeded": 1})
        until(lambda: lines(settings, noted) == ["done"])
        until(lambda: tasks_left(context) == 0)
        assert lines(settings, doomed) == ["tried"] * 5 + ["ZeroDivisionError: it never works"]
        assert len(workers(context)) == 1

        slow = ask(context, "slow")
        until(lambda: lines(settings, slow) == ["begun"])
        happen(context, id)
        until(lambda: len(told.received) == 2)
        process.terminate()
        process.join(90)
        assert process.exitcode == 0
        assert states(context, id) == {"succeeded": 2}
        assert lines(settings, slow) == ["begun", "done"]
        assert tasks_left(context) == 0
        assert workers(context) == []


def test_a_worker_does_not_wait_for_what_may_take_long(context: Context, settings: Settings) -> None:
    with worker(settings) as process:
        endless = ask(context, "endless")
        until(lambda: lines(settings, endless) == ["begun"])
        begun = time.monotonic()
        process.terminate()
        process.join(90)
        assert process.exitcode == 0
        assert time.monotonic() - begun < TASKS_GRACE_SECONDS / 2
    assert tasks_left(context) == 1


def test_a_worker_that_is_killed_loses_neither_deliveries_nor_tasks(
    context: Context, settings: Settings
) -> None:
    count = 800

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.05)
        await status(200)(received, writer)

    with serving(answer) as told:
        id, _ = a_webhook(context, told.url)
        ids = happen(context, id, count)
        with worker(settings) as process:
            until(lambda: len(told.received) > 100)
            slow = ask(context, "slow")
            until(lambda: lines(settings, slow) == ["begun"])
            process.kill()
            process.join()
        time.sleep(0.1)
        before = len(told.received)
        assert before < count, "it was killed too late"
        with worker(settings):
            until(lambda: states(context, id) == {"succeeded": count})
            until(lambda: tasks_left(context) == 0)
        received = ids_received(told)
        assert received.keys() == set(ids)
        assert sum(received.values()) - count <= MAX_UNRECORDED + 16
        assert lines(settings, slow) == ["begun", "begun", "done"]


def test_a_second_worker_waits_its_turn_or_takes_over(context: Context, settings: Settings) -> None:
    with serving(status(200)) as told, worker(settings) as first:
        id, _ = a_webhook(context, told.url)
        until(lambda: len(workers(context)) == 1)
        with worker(settings) as second:
            if context.database.is_sqlite:
                second.join(90)
                assert second.exitcode == 1  # one file, one worker
                return
            until(lambda: len(workers(context)) == 2)
            happen(context, id, 100)
            slow = ask(context, "slow")
            until(lambda: lines(settings, slow)[:1] == ["begun"])
            first.kill()
            first.join()
            happen(context, id, 100)
            until(lambda: states(context, id) == {"succeeded": 200})
            until(lambda: tasks_left(context) == 0)
            assert lines(settings, slow)[-1] == "done"
            until(lambda: len(workers(context)) == 1)


def test_a_worker_refuses_a_database_that_is_behind(tmp_path: Path) -> None:
    with worker(Settings(data_dir=tmp_path)) as process:
        process.join(60)
        assert process.exitcode == 1
    assert not (tmp_path / "parley-worker.lock").exists()
