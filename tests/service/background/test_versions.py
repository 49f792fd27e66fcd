"""Workers of several versions share a database: each does the tasks that it knows and leaves the others. One
of the workers leads."""

import time
from datetime import timedelta

import pytest

from app.service.background import membership
from app.service.background.membership import Registration
from app.service.background.task_turns import WORKING, RunningTasks
from app.service.background.tasks import (
    enqueue_task,
    finish_task,
    list_kinds_without_worker,
    load_waiting_tasks,
)
from app.service.context import Context
from app.service.database.clock import DatabaseClock, utc_now
from app.service.health import check_database
from tests.service.background.task_claims import register_worker

pytestmark = pytest.mark.both_stores

OLD, NEW = ("extract",), ("extract", "hologram")


def register(context: Context, slot: str, kinds: tuple[str, ...]) -> Registration:
    registration = Registration(context.database, slot, context.clock, task_kinds=kinds)
    registration.register()
    return registration


def waiting_kinds(context: Context, worker: Registration, kinds: tuple[str, ...]) -> list[str]:
    running = RunningTasks(dict.fromkeys(kinds, WORKING))
    with context.database.reading() as connection:
        waiting = load_waiting_tasks(
            connection, running.has_kind(WORKING), worker_id=worker.id, now=context.clock(), most=9
        )
    return [each.kind for each in waiting]


def kinds_without_worker(context: Context) -> list[str]:
    with context.database.reading() as connection:
        return list_kinds_without_worker(connection, context.clock())


def test_a_task_that_a_version_does_not_know_is_left_to_one_that_does_and_told(context: Context) -> None:
    old = register(context, "old", OLD)
    with context.database.writing() as connection:
        for kind in NEW:
            enqueue_task(connection, kind=kind, subject_id="1", organisation_id=None, now=context.clock())
    assert waiting_kinds(context, old, OLD) == ["extract"]
    assert kinds_without_worker(context) == ["hologram"]
    assert check_database(context) == ("ok", "degraded")
    new = register(context, "new", NEW)
    assert sorted(waiting_kinds(context, new, NEW)) == ["extract", "hologram"]
    assert kinds_without_worker(context) == []
    assert check_database(context) == ("ok", "ok")
    new.deregister()
    assert kinds_without_worker(context) == ["hologram"]
    with context.database.writing() as connection:
        finish_task(connection, kind="hologram", subject_id="1")
    assert check_database(context) == ("ok", "ok")


@pytest.mark.campaign
def test_one_worker_leads_and_another_one_once_it_ends_or_is_silent(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_AFTER_SECONDS", 0.4)
    takes_work = True
    first = Registration(context.database, "first", context.clock, takes_work=lambda: takes_work)
    first.register()
    second, third = register_worker(context, "second"), register_worker(context, "third")

    def leading() -> list[Registration]:
        for each in (first, second, third):
            each.confirm()
            each.check_others()
        return [each for each in (first, second, third) if each.leads()]

    assert leading() == [first]
    takes_work = False  # it ends
    assert leading() == [second]
    second.check_others()
    third.check_others()
    for _ in range(3):  # the second stands still
        time.sleep(0.2)
        third.confirm()
        third.check_others()
    assert not second.leads()
    assert third.leads()


@pytest.mark.campaign
def test_a_worker_on_a_host_whose_clock_is_an_hour_off_is_alive_and_removes_nobody(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_AFTER_SECONDS", 0.4)
    early = DatabaseClock(lambda: utc_now() + timedelta(hours=1))
    late = DatabaseClock(lambda: utc_now() - timedelta(hours=1))
    workers = [Registration(context.database, "early", early), Registration(context.database, "late", late)]
    for worker, clock in zip(workers, (early, late), strict=True):
        clock.synchronise(context.database)
        worker.register()
    for _ in range(4):
        for worker in workers:
            assert worker.confirm()
            worker.check_others()
        time.sleep(0.2)
    if context.database.takes_several_workers:
        assert abs(early() - late()) < timedelta(seconds=30)
        assert check_database(context)[1] == "ok"
