"""A worker that ends in order is alive for the others until its tasks have ended."""

import time

import pytest
import sqlalchemy as sa

from app.service.background import membership
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.tables import worker
from app.settings import Settings
from tests.service.background.task_claims import register_worker
from tests.service.background.worker_fixture import SILENT_SECONDS, lines, until
from tests.service.background.worker_fixture import worker as running_worker

pytestmark = pytest.mark.both_stores


@pytest.mark.campaign
def test_nobody_takes_the_task_of_a_worker_that_ends(
    context: Context, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_AFTER_SECONDS", SILENT_SECONDS)
    with context.database.writing() as connection:
        enqueue_task(connection, kind="long", subject_id="1", organisation_id=None, now=context.clock())
    with running_worker(settings) as process:
        until(lambda: lines(settings, "1") == ["begun"])
        [one] = ids(context)
        process.terminate()
        other = register_worker(context, "other")
        while lines(settings, "1") == ["begun"]:
            assert one in ids(context)
            other.confirm()
            other.check_others()
            time.sleep(0.1)
        until(lambda: ids(context) == {other.id})
        process.join(20)
        assert process.exitcode == 0
    assert lines(settings, "1") == ["begun", "done"]


def ids(context: Context) -> set[str]:
    with context.database.reading() as connection:
        return set(connection.scalars(sa.select(worker.c.id)))
