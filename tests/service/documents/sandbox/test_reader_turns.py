"""Turns among the organisations whose documents are read: no process and no clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.service.background.task_turns import WORKING
from app.service.documents.sandbox.reader_pool import ReadingLimits
from app.service.documents.sandbox.reader_turns import ReaderTurns


def serve(turns: ReaderTurns, waiting: dict[int, str]) -> str:
    """Who gets places now, in their order."""
    served = ""
    while taken := next((number for number in waiting if turns.take(number)), None):
        served += waiting.pop(taken)
    return served


def queue(turns: ReaderTurns, organisations: str) -> dict[int, str]:
    return {turns.begin_waiting(one): one for one in organisations}


@pytest.mark.parametrize("processes", [2, 3, 9])
def test_one_organisation_leaves_a_process_to_others(processes: int) -> None:
    limits = ReadingLimits(processes=processes)
    turns = ReaderTurns(limits.processes, limits.processes_of_one)
    assert serve(turns, queue(turns, "A" * 20)) == "A" * (processes - 1)
    assert serve(turns, queue(turns, "B")) == "B"


def test_there_are_more_processes_than_tasks_of_one_organisation() -> None:
    assert WORKING.places_of_one < ReadingLimits().processes
    assert ReadingLimits().processes_of_one >= 2


def test_a_place_that_gets_free_goes_to_each_in_turn() -> None:
    turns = ReaderTurns(1, 1)
    waiting = queue(turns, "AAAABBC")
    order = ""
    while waiting:
        order += serve(turns, waiting)
        turns.give_back(order[-1])
    assert order == "ABCABAA"


@given(st.lists(st.sampled_from("ABC"), max_size=12), st.integers(1, 4))
def test_no_place_is_lost_and_none_given_twice(organisations: list[str], places: int) -> None:
    turns = ReaderTurns(places, max(1, places - 1))
    waiting = queue(turns, "".join(organisations))
    gone = [number for number in waiting if number % 4 == 0]
    for number in gone:
        del waiting[number]
        turns.end_waiting(number)
    served, left = "", len(waiting)
    while waiting:
        now = serve(turns, waiting)
        assert 0 < len(now) <= places
        served += now
        for one in now:
            turns.give_back(one)
    assert len(served) == left
    assert serve(turns, queue(turns, "A" * places + "B")).count("A") == max(1, places - 1)
