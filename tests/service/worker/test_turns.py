"""Organisations take turns: one that asks for much, or for what hangs, keeps no other one waiting."""

from collections.abc import Sequence
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.background.task_turns import CORES, FETCHING, IMPORTING, LEARNING, WORKING, RunningTasks
from app.service.background.tasks import ClaimedTask, WaitingTask
from app.service.worker.handlers import HANDLERS
from app.service.worker.worker import run_worker
from app.settings import Settings
from tests.service.background.worker_fixture import in_a_process, until
from tests.service.webhooks.receivers import hang, serving, status

QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\nNet total,,,1000.00\n"
HANGING = 30
BACKLOG = 24
KINDS = {kind: handler.queue for kind, handler in HANDLERS.items()}


def work(settings: Settings) -> None:
    run_worker(settings.model_copy(update={"fetch_allow": (ip_network("127.0.0.0/8"),)}))


def upload(api: TestClient) -> str:
    answer = api.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)})
    assert answer.status_code == 201, answer.text
    return answer.json()["scopeId"]


def fetch(api: TestClient, url: str) -> str:
    answer = api.post("/v1/scope/from-document", json={"fileUrl": url})
    assert answer.status_code == 201, answer.text
    return answer.json()["scopeId"]


def status_of(api: TestClient, scope_id: str) -> str:
    return api.get(f"/v1/scope/{scope_id}").json()["documentProcessing"]["status"]


@pytest.mark.campaign
def test_addresses_that_hang_and_a_backlog_keep_no_other_organisation_waiting(
    app: FastAPI, api: TestClient, stranger: TestClient, settings: Settings
) -> None:
    with (
        serving(hang) as silent,
        serving(status(200, "content-type: text/csv\r\n", QUOTE.decode()), path="/quote.csv") as site,
    ):
        hanging = [fetch(api, silent.url) for _ in range(HANGING)]
        backlog = [upload(api) for _ in range(BACKLOG)]
        one = upload(stranger)
        fetched = fetch(stranger, site.url)
        with in_a_process(work, settings):
            until(lambda: status_of(stranger, one) == "completed")
            unread = [status_of(api, id) for id in backlog]
            assert unread.count("completed") < BACKLOG / 2
            until(lambda: status_of(stranger, fetched) == "completed")
            until(lambda: len(silent.received) == FETCHING.places_of_one)
            until(lambda: all(status_of(api, id) == "completed" for id in backlog))
        assert len(silent.received) == FETCHING.places_of_one
        assert {status_of(api, id) for id in hanging} == {"pending", "processing"}


def waiting(organisations: str, kind: str = "extract") -> list[WaitingTask]:
    return [WaitingTask(kind, f"{number}", one) for number, one in enumerate(organisations)]


def begin(running: RunningTasks, chosen: Sequence[WaitingTask]) -> list[ClaimedTask]:
    begun = [
        ClaimedTask(
            each.kind, each.subject_id, each.organisation_id, "w", 1, datetime(2026, 1, 1, tzinfo=UTC)
        )
        for each in chosen
    ]
    for each in begun:
        running.begin(each)
    return begun


def test_places_go_round_between_organisations() -> None:
    running = RunningTasks(KINDS)
    chosen = running.choose(WORKING, waiting("AAAAAAAABBBC"))
    assert [each.organisation_id for each in chosen[:3]] == ["A", "B", "C"]
    assert len(chosen) == WORKING.places


def test_one_place_after_another_goes_to_each_in_turn() -> None:
    running = RunningTasks(KINDS)
    left = waiting("AAAABBCC", "learn")
    order = ""
    while left:
        [chosen] = running.choose(LEARNING, left)
        [task] = begin(running, [chosen])
        assert running.choose(LEARNING, left) == []
        running.end(task)
        left.remove(chosen)
        order += chosen.organisation_id or ""
    assert order == "ABCABCAA"


def test_what_other_workers_do_for_an_organisation_counts() -> None:
    running = RunningTasks(KINDS)
    [chosen] = running.choose(LEARNING, waiting("AAB", "learn"), {"A": 1})
    assert chosen.organisation_id == "B"


def test_one_organisation_never_has_all_places() -> None:
    running = RunningTasks(KINDS)
    begun = begin(running, running.choose(WORKING, waiting("A" * 50)))
    assert len(begun) == CORES
    assert running.choose(WORKING, waiting("A" * 50)) == []
    [other] = running.choose(WORKING, waiting("A" * 50 + "B"))
    assert other.organisation_id == "B"


def test_the_imports_of_one_organisation_are_done_one_after_the_other() -> None:
    running = RunningTasks(KINDS)
    begun = begin(running, running.choose(IMPORTING, waiting("AAAB", "import")))
    assert [each.organisation_id for each in begun] == ["A", "B"]


def test_what_waits_for_others_takes_no_place_of_reading() -> None:
    running = RunningTasks(KINDS)
    fetches = waiting("ABCDE" * 10, "fetch_document")
    begin(running, running.choose(FETCHING, fetches))
    assert running.count_free_places(FETCHING) == 0
    assert running.count_free_places(WORKING) == WORKING.places


@pytest.mark.parametrize("kind", HANDLERS)
def test_every_kind_of_task_has_places(kind: str) -> None:
    running = RunningTasks(KINDS)
    [task] = begin(running, [WaitingTask(kind, "1", None)])
    queue = KINDS[kind]
    assert running.count_free_places(queue) == queue.places - 1
    assert running.choose(queue, [WaitingTask(kind, "1", None)]) == [], "it runs already"
    running.end(task)
    assert running.count_free_places(queue) == queue.places
