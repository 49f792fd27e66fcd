"""A long computation waits for shorter calls of other organisations, for a part of the time at most."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from app.service.access.capacity import LONG_SECONDS, PIECE_SECONDS, TIMES_PIECE, ShortCalls, give_way


def compute(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def wait_after_a_piece(before: float = LONG_SECONDS, piece: float = 4 * PIECE_SECONDS) -> float:
    """The seconds for which a computation waits after another piece."""
    give_way()
    compute(before)
    give_way()
    compute(piece)
    began = time.monotonic()
    give_way()
    return time.monotonic() - began


def count_nobody(_: ShortCalls, stack: ExitStack) -> None:
    del stack


def count_own(calls: ShortCalls, stack: ExitStack) -> None:
    stack.enter_context(calls.count("long"))


def count_one_that_ended(calls: ShortCalls, _: ExitStack) -> None:
    with calls.count("other"):
        pass


def count_a_long_one(calls: ShortCalls, stack: ExitStack) -> None:
    stack.enter_context(calls.count("other"))
    wait_after_a_piece()


def test_it_waits_while_another_one_calls_for_a_few_times_its_piece() -> None:
    calls = ShortCalls()
    with calls.count("other"), calls.count("long"):
        waited = wait_after_a_piece()
    assert waited >= 4 * PIECE_SECONDS * TIMES_PIECE * 0.9


@pytest.mark.campaign
@pytest.mark.parametrize("count", [count_nobody, count_own, count_one_that_ended, count_a_long_one])
def test_it_waits_for_no_call_of_its_own_none_that_ended_and_none_as_long(
    count: Callable[[ShortCalls, ExitStack], None],
) -> None:
    calls = ShortCalls()
    with ExitStack() as stack:
        count(calls, stack)
        stack.enter_context(calls.count("long"))
        waited = wait_after_a_piece()
    assert waited < 4 * PIECE_SECONDS * TIMES_PIECE


def test_a_short_one_waits_for_nobody() -> None:
    calls = ShortCalls()
    with calls.count("other"), calls.count("short"):
        assert wait_after_a_piece(0, PIECE_SECONDS) < PIECE_SECONDS * TIMES_PIECE


def test_outside_of_a_call_nothing_waits() -> None:
    calls = ShortCalls()
    with calls.count("other"):
        pass
    assert wait_after_a_piece() < 4 * PIECE_SECONDS * TIMES_PIECE
