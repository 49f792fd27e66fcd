"""The time of a deployment, on hosts whose clocks are set differently."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import Any

import pytest
from sqlalchemy import event

from app.service.context import Context
from app.service.database.clock import DatabaseClock, utc_now
from app.service.start_checks import require_ready

pytestmark = pytest.mark.both_stores

HOUR = timedelta(hours=1)
CLOSE = timedelta(seconds=30)


def test_hosts_whose_clocks_differ_agree_on_what_is_due(context: Context) -> None:
    late = replace(context, clock=DatabaseClock(lambda: utc_now() - HOUR))
    early = replace(context, clock=DatabaseClock(lambda: utc_now() + HOUR))
    assert early.clock() - late.clock() > HOUR
    require_ready(late)
    require_ready(early)
    if context.database.takes_several_workers:
        assert abs(late.clock() - early.clock()) < CLOSE
        assert abs(late.clock() - utc_now()) < CLOSE
    else:  # one machine has one clock
        assert early.clock() - late.clock() > HOUR


def test_a_clock_that_is_set_back_changes_nothing_while_the_process_runs(context: Context) -> None:
    wrong_by = timedelta()

    def machine_clock() -> datetime:
        return utc_now() + wrong_by

    host = replace(context, clock=DatabaseClock(machine_clock))
    host.synchronise_clock()
    before = host.clock()
    wrong_by = -HOUR
    if context.database.takes_several_workers:
        assert before <= host.clock() < before + CLOSE
    else:
        assert host.clock() < before


def test_an_answer_that_came_late_once_makes_no_clock_wrong(context: Context) -> None:
    context.synchronise_clock()
    right = replace(context, clock=DatabaseClock())
    right.synchronise_clock()
    delays: Iterator[float] = chain([0.4], repeat(0.0))

    def answer_late(*_: Any) -> None:
        time.sleep(next(delays))

    event.listen(context.database.engine, "after_cursor_execute", answer_late)
    host = replace(context, clock=DatabaseClock())
    host.synchronise_clock()
    assert abs(host.clock() - right.clock()) < timedelta(seconds=0.1)


def test_a_clock_that_a_test_moves_stays_where_it_was_put(context: Context) -> None:
    noon = datetime.fromisoformat("2020-02-02T12:00:00+00:00")
    moved = replace(context, clock=lambda: noon)
    require_ready(moved)
    assert moved.clock() == noon
