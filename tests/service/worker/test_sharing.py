"""Two workers share the webhooks with backlogs, whoever joins, leaves or has a wrong clock (PostgreSQL)."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database import clock
from app.service.database.tables import delivery, webhook
from app.settings import Settings
from tests.service.background.worker_fixture import in_a_process, until, work, worker
from tests.service.webhooks.receivers import Received, serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.parametrize("database_url", ["postgresql"], indirect=True),
]
ENDPOINTS, EVENTS = 6, 400


async def answer_slowly(received: Received, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.3)
    await status(200)(received, writer)


def holders(context: Context) -> list[int]:
    """How many webhooks each worker has, those of nobody left out."""
    with context.database.reading() as connection:
        ids = connection.scalars(sa.select(webhook.c.worker_id).where(webhook.c.worker_id.is_not(None)))
        return sorted(Counter(ids).values())


def test_a_worker_that_joins_gets_its_part_and_what_it_had_goes_back_when_it_is_killed(
    context: Context, settings: Settings
) -> None:
    with serving(answer_slowly) as told:
        ids = [a_webhook(context, told.url)[0] for _ in range(ENDPOINTS)]
        events = [event for id in ids for event in happen(context, id, EVENTS)]
        with worker(settings):
            until(lambda: holders(context) == [ENDPOINTS])
            with worker(settings):
                until(lambda: holders(context) == [ENDPOINTS // 2, ENDPOINTS // 2])
            until(lambda: all(states(context, id) == {"succeeded": EVENTS} for id in ids))
        received = Counter(each.headers["webhook-id"] for each in list(told.received))
        assert received.keys() == set(events)


def test_workers_that_start_together_share_at_once(context: Context, settings: Settings) -> None:
    with serving(answer_slowly) as told:
        ids = [a_webhook(context, told.url)[0] for _ in range(ENDPOINTS)]
        with worker(settings), worker(settings):
            until(lambda: len(load_worker_ids(context)) == 2)
            for id in ids:
                happen(context, id, EVENTS)
            until(lambda: holders(context) == [ENDPOINTS // 2, ENDPOINTS // 2])


def load_worker_ids(context: Context) -> list[str]:
    with context.database.reading() as connection:
        return list(connection.scalars(sa.text("SELECT id FROM worker")))


def work_early(settings: Settings) -> None:
    """A worker on a host whose clock is an hour ahead."""
    machine_clock = clock.utc_now
    clock.DatabaseClock.__init__.__defaults__ = (lambda: machine_clock() + timedelta(hours=1),)
    work(settings)


def work_late(settings: Settings) -> None:
    machine_clock = clock.utc_now
    clock.DatabaseClock.__init__.__defaults__ = (lambda: machine_clock() - timedelta(hours=1),)
    work(settings)


@pytest.mark.parametrize("run", [work_early, work_late])
def test_a_wrong_clock_sends_nothing_early_and_nothing_late(
    context: Context, settings: Settings, run: Callable[[Settings], None]
) -> None:
    with serving(status(200)) as told:
        later, _ = a_webhook(context, told.url)
        happen(context, later)
        with context.database.writing() as connection:
            in_half_an_hour = context.clock() + timedelta(minutes=30)
            connection.execute(sa.update(delivery).values(next_at=in_half_an_hour))
        now, _ = a_webhook(context, told.url)
        happen(context, now)
        with in_a_process(run, settings):
            until(lambda: states(context, now) == {"succeeded": 1})
            happen(context, now)
            until(lambda: states(context, now) == {"succeeded": 2})
            assert states(context, later) == {"pending": 1}
