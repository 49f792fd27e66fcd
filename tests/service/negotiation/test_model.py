"""A model of a negotiation against the real service: random starts, updates (repeated, late, contradictory),
decisions, attached files, timers and clock steps, with a worker that is killed in the middle of its work.

No forbidden move, no offer lost or doubled, an event for every change, savings as plainly recomputed; the
three numbers move only by a person or new evidence.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,  # pyright: ignore[reportUnknownVariableType]
)
from starlette.testclient import TestClient

from tests.service.conftest import key_for
from tests.service.negotiation.conftest import RunningService
from tests.service.negotiation.fake_clock import NOW
from tests.service.negotiation.invariants import ExpectedNegotiation, check_invariants
from tests.service.negotiation.market_fixture import create_market
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_attachments import quote_document

AMOUNTS = st.integers(1, 3000).map(lambda cents: cents * 1.25)
"""Around what the market's product costs: above the walk-away, within the target and between."""
HOURS = st.integers(-400, 0)
QUOTE = quote_document()
NUMBERS = ("opening", "target", "walkAway")


class Killed(BaseException):
    """The worker is gone."""


class NegotiationMachine(RuleBasedStateMachine):
    """One organisation's negotiations. `make` opens a service on an empty store."""

    make: Any = None
    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.opened = self.make()
        self.driver: NegotiationDriver = self.opened.__enter__()
        self.expected: dict[str, ExpectedNegotiation] = {}

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)

    @initialize(target=ids)
    def begin(self) -> str:
        """One that has its strategy: most of what can happen comes after."""
        negotiation_id = self._start(with_scope=True)
        self.work()
        return negotiation_id

    @precondition(lambda self: len(self.expected) < 3)
    @rule(target=ids, with_scope=st.booleans())
    def start(self, with_scope: bool) -> str:
        return self._start(with_scope=with_scope)

    def _start(self, *, with_scope: bool) -> str:
        body: dict[str, Any] = {} if with_scope else {"scope": None}
        negotiation_id = self.driver.start(**body)
        self.expected[negotiation_id] = ExpectedNegotiation("planning")
        self.expected[negotiation_id].seen.append("planning")
        return negotiation_id

    @rule()
    def work(self) -> None:
        self.driver.run_tasks()
        self._follow()

    @rule()
    def work_and_be_killed_before_the_commit(self) -> None:
        """The transaction of the work is lost whole."""
        with self.driver.failing_commits(Killed), suppress(Killed):
            self.driver.run_tasks()
        self._follow()

    @rule(negotiation_id=ids, amount=AMOUNTS, ago=HOURS, number=st.integers(0, 9), days=st.integers(-2, 9))
    def quote(self, negotiation_id: str, amount: float, ago: int, number: int, days: int) -> None:
        valid = (self.driver.clock.now + timedelta(days=days)).date().isoformat()
        self._send(
            negotiation_id, "quote", f"q{number}", ago, amount=amount, currency="USD", validUntil=valid
        )

    @rule(negotiation_id=ids, ago=HOURS, number=st.integers(0, 3))
    def message(self, negotiation_id: str, ago: int, number: int) -> None:
        self._send(negotiation_id, "message", f"m{number}", ago, **{"from": "Sam", "text": "Hello"})

    @rule(
        negotiation_id=ids,
        word=st.sampled_from(["accept", "counter", "walk_away", "go_ahead", "other"]),
        number=st.integers(0, 5),
        which=st.integers(0, 3) | st.none(),
    )
    def decide(self, negotiation_id: str, word: str, number: int, which: int | None) -> None:
        payload: dict[str, Any] = {"decision": word, "amount": 500}
        waiting = self.driver.escalations(negotiation_id)
        if which is not None and waiting:
            payload["escalationId"] = waiting[which % len(waiting)]["id"]
        self._send(negotiation_id, "decision", f"d{number}", 0, **payload)

    @rule(
        negotiation_id=ids,
        amounts=st.lists(AMOUNTS, min_size=3, max_size=3).map(sorted),
        named=st.sets(st.sampled_from(NUMBERS), min_size=1),
        number=st.integers(0, 3),
    )
    def type_numbers(self, negotiation_id: str, amounts: list[float], named: set[str], number: int) -> None:
        """Refused where they are not in order with those that stand."""
        chosen = dict(zip(NUMBERS, amounts, strict=True))
        typed = {name: chosen[name] for name in NUMBERS if name in named}
        before = self.driver.timeline(negotiation_id)["strategy"]
        known = {name: before[name]["amount"] for name in NUMBERS if name in before}
        after = [value for name in NUMBERS if (value := {**known, **typed}.get(name)) is not None]
        expected = self.expected[negotiation_id]
        if after != sorted(after) and not expected.ended and f"s{number}" not in expected.updates:
            body = self._body("strategy", f"s{number}", 0, {**typed, "note": "The board said so"})
            assert self._post(negotiation_id, body) == 422
            return
        if self._send(negotiation_id, "strategy", f"s{number}", 0, **typed, note="The board said so"):
            expected.typed |= typed

    @rule(negotiation_id=ids, number=st.integers(0, 9), correction=st.integers(0, 3))
    def withdraw(self, negotiation_id: str, number: int, correction: int) -> None:
        expected = self.expected[negotiation_id]
        quoted = f"q{number}"
        if ("model", quoted) not in expected.offers or ("model", quoted) in expected.withdrawn:
            return
        if self._send(negotiation_id, "correction", f"w{correction}", 0, externalId=quoted, withdrawn=True):
            expected.withdrawn.add(("model", quoted))

    @rule(negotiation_id=ids)
    def make_anew(self, negotiation_id: str) -> None:
        """With the same evidence the numbers are the same, unless a quote was in hand when they were made."""
        answer = self.driver.api.post(f"/v1/negotiation/{negotiation_id}/strategy", json={})
        waits = self.expected[negotiation_id].status == "planning"
        assert answer.status_code == (409 if waits or self.expected[negotiation_id].ended else 200)

    @rule(negotiation_id=ids, amount=AMOUNTS, ago=HOURS)
    def agree(self, negotiation_id: str, amount: float, ago: int) -> None:
        self._send(negotiation_id, "agreement", "a", ago, amount=amount, currency="USD")

    @rule(negotiation_id=ids)
    def cancel(self, negotiation_id: str) -> None:
        self._send(negotiation_id, "cancellation", "c", 0)

    @rule(negotiation_id=ids)
    def attach(self, negotiation_id: str) -> None:
        path = f"/v1/negotiation/{negotiation_id}/attach"
        answer = self.driver.api.post(path, files={"file": ("quote.docx", QUOTE)})
        expected = self.expected[negotiation_id]
        assert answer.status_code == (409 if expected.ended else 201)
        expected.attached = expected.attached or not expected.ended

    @rule(negotiation_id=ids)
    def wrong(self, negotiation_id: str) -> None:
        """Refused whatever the state, and without a trace."""
        before = self.driver.timeline(negotiation_id)["entries"]
        for payload in ({"amount": 0, "currency": "USD"}, {"amount": 5, "currency": "EUR1"}, {}):
            body = self._body("quote", "wrong", 0, payload)
            assert self._post(negotiation_id, body) == 422
        assert self.driver.timeline(negotiation_id)["entries"] == before

    @precondition(lambda self: self.expected)
    @rule(hours=st.integers(1, 80))
    def wait(self, hours: int) -> None:
        self.driver.clock.advance(hours=hours)
        self.driver.fire_timers()
        self._follow()

    def _body(self, kind: str, number: str, ago: int, payload: dict[str, Any]) -> dict[str, Any]:
        happened = NOW + timedelta(hours=ago)
        return {
            "timestamp": f"{happened:%Y-%m-%dT%H:%M:%SZ}",
            "externalId": number,
            "source": "model",
            "schema": {"$id": f"urn:svc:{kind}:1"},
            "payload": payload,
        }

    def _post(self, negotiation_id: str, body: dict[str, Any]) -> int:
        path = f"/v1/negotiation/{negotiation_id}/external-update"
        return self.driver.api.post(path, json=body).status_code

    def _send(self, negotiation_id: str, kind: str, number: str, ago: int, **payload: Any) -> bool:
        """Whether it was new and taken."""
        expected = self.expected[negotiation_id]
        body = self._body(kind, number, ago, payload)
        status = self._post(negotiation_id, body)
        earlier = expected.updates.get(number)
        if earlier is not None:
            assert status == (204 if earlier == body else 409)
            return False
        if expected.ended:
            assert status == 409
            return False
        if kind == "agreement":
            assert status == (204 if expected.status == "active" else 409)
        elif kind != "decision":
            assert status == 204
        assert status in {204, 409}
        if status == 204:
            expected.updates[number] = body
            if kind == "quote":
                at = datetime.fromisoformat(body["timestamp"])
                expected.offers["model", number] = (at, payload["amount"])
            if kind == "agreement":
                expected.agreed = payload["amount"]
        self._follow()
        return status == 204

    def _follow(self) -> None:
        """Every negotiation has moved along the table, or not at all."""
        for negotiation_id, expected in self.expected.items():
            expected.status = self.driver.status(negotiation_id)

    @invariant()
    def holds(self) -> None:
        check_invariants(self.driver, self.expected)


@contextmanager
def open_driver(service: RunningService) -> Iterator[NegotiationDriver]:
    """A running service on an emptied store, with a market."""
    with TemporaryDirectory() as folder:
        service.reset(Path(folder))
        with TestClient(service.app) as api:
            api.headers["Authorization"] = f"Bearer {key_for(service.context)}"
            yield NegotiationDriver(api, service.context, create_market(service.context), service.clock)


def run(examples: int, steps: int, service: RunningService) -> None:
    class Machine(NegotiationMachine):
        @staticmethod
        def make() -> Any:
            return open_driver(service)

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


@pytest.mark.campaign
def test_the_service_follows_the_model(service: RunningService) -> None:
    run(4 if service.context.database.is_sqlite else 2, 25, service)


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_the_service_follows_the_model_over_many_runs(service: RunningService) -> None:
    run(200, 60, service)
