"""The frame of the benchmarks measures what it says; the campaign reaches every goal."""

import json
import re
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import found
from tests.benchmarks.figures import Figure, as_json, show
from tests.benchmarks.load import Target, UnexpectedAnswer, requests_a_second
from tests.client.scripted import Received, Says, ScriptedService


@pytest.mark.parametrize(
    ("figure", "goal", "met"),
    [
        (Figure("s", "n", 0.3, "ratio", at_least=0.3), "≥ 0.3", True),
        (Figure("s", "n", 0.29, "ratio", at_least=0.3), "≥ 0.3", False),
        (Figure("s", "n", 60, "ms", at_most=60), "≤ 60", True),
        (Figure("s", "n", 61, "ms", at_most=60), "≤ 60", False),
        (Figure("s", "n", 5, "requests/s"), "", True),
    ],
)
def test_a_figure_is_held_against_its_goal(figure: Figure, goal: str, met: bool) -> None:
    assert (figure.goal, figure.is_met) == (goal, met)


def test_figures_are_shown_to_people_and_machines(capsys: pytest.CaptureFixture[str]) -> None:
    figures = [Figure("reads", "list page", 1234.5, "requests/s", note="103 bytes")]
    show(figures)
    assert "1,234" in capsys.readouterr().out
    record = json.loads(as_json(figures, full=True))
    assert record["full"] is True
    assert record["figures"][0]["value"] == 1234.5
    assert record["figures"][0]["met"] is True


def test_every_benchmark_can_be_imported_and_is_found_by_its_run() -> None:
    files = Path(__file__).parent.glob("[a-z]*.py")
    runs = {file.stem for file in files if re.search(r"^def run\(", file.read_text(), re.M)}
    assert runs == set(found())
    assert "reads" in runs


@pytest.mark.campaign
def test_the_load_generator_counts_answers_and_takes_turns() -> None:
    service = ScriptedService()
    try:
        service.reply = lambda request: Says(200, b"x" * (70_000 if "large" in request.target else 10))
        host, _, port = service.address.removeprefix("http://").partition(":")
        targets = [Target("/large?{n}", {"x-who": "load"}), Target("/small", {})]
        rates = requests_a_second(host, int(port), targets, rounds=2, seconds=0.2, connections=2)
        received = service.received
    finally:
        service.close()
    assert [len(rounds) for rounds in rates] == [2, 2]
    assert all(rate > 5 for rounds in rates for rate in rounds)
    large = [request.target for request in received if "large" in request.target]
    assert len(set(large)) == len(large)
    assert {request.headers.get("x-who") for request in received} == {"load", None}
    turns = [request.path for number, request in enumerate(received) if changes(received, number)]
    assert turns == ["/large", "/small"] * 3


def changes(received: list[Received], number: int) -> bool:
    return number == 0 or received[number].path != received[number - 1].path


@pytest.mark.campaign
def test_an_answer_that_is_none_stops_the_measuring() -> None:
    service = ScriptedService()
    try:
        service.script(Says(503, b"busy"))
        host, _, port = service.address.removeprefix("http://").partition(":")
        with pytest.raises(UnexpectedAnswer, match="503"):
            requests_a_second(host, int(port), [Target("/", {})], rounds=1, seconds=0.1)
    finally:
        service.close()


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_every_figure_reaches_its_goal(capsys: pytest.CaptureFixture[str]) -> None:
    figures = [figure for run in found().values() for figure in run(True)]
    with capsys.disabled():
        show(figures)
    assert [figure for figure in figures if not figure.is_met] == []
