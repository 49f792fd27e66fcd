"""A worker knows by its own row and its own clock whether it still has its place."""

import time

import pytest
import sqlalchemy as sa

from app.service.background import membership
from app.service.background.membership import Registration
from app.service.context import Context
from app.service.database.tables import worker
from tests.service.background.task_claims import register_worker

pytestmark = pytest.mark.both_stores

SILENT_SECONDS = 0.8


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "SILENT_AFTER_SECONDS", SILENT_SECONDS)


def ids(context: Context) -> set[str]:
    with context.database.reading() as connection:
        return set(connection.scalars(sa.select(worker.c.id)))


def look_twice(registration: Registration) -> None:
    """At the others, with a while in between that is longer than any may be silent."""
    registration.check_others()
    time.sleep(SILENT_SECONDS * 1.1)
    registration.check_others()


def test_whoever_takes_the_slot_takes_the_place(context: Context) -> None:
    first = register_worker(context)
    second = register_worker(context)
    assert ids(context) == {second.id}
    assert not first.confirm()
    assert not first.is_certain()
    assert second.confirm()
    assert second.is_certain()


def test_without_a_heartbeat_a_worker_is_certain_for_less_long_than_others_wait(context: Context) -> None:
    one = register_worker(context)
    assert one.is_certain()
    time.sleep(SILENT_SECONDS * 0.8)
    assert not one.is_certain()
    assert one.confirm()  # nobody has taken over
    assert one.is_certain()


@pytest.mark.campaign
def test_a_worker_that_is_silent_is_removed_and_one_that_is_not_stays(context: Context) -> None:
    one, silent, lively = (register_worker(context, slot) for slot in ("one", "silent", "lively"))
    one.check_others()
    time.sleep(SILENT_SECONDS * 1.1)
    assert lively.confirm()
    one.check_others()
    assert ids(context) == {one.id, lively.id}
    assert not silent.confirm()


def test_a_worker_that_stood_still_itself_removes_nobody(context: Context) -> None:
    one, other = register_worker(context, "one"), register_worker(context, "other")
    one.check_others()
    for _ in range(4):
        time.sleep(SILENT_SECONDS / 3)
        assert other.confirm()
    one.check_others()
    assert ids(context) == {one.id, other.id}
    look_twice(one)
    assert ids(context) == {one.id}


def test_who_left_is_not_there(context: Context) -> None:
    one = register_worker(context)
    one.deregister()
    assert ids(context) == set()
