"""A real worker is killed again and again while negotiations are started, told, decided and ended: what holds
of them without a kill holds all the same, and every event arrives."""

import contextlib
import random
import time
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.background import db_writer as watching
from app.service.background import task_runner
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.database.tables import event, task
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.worker import periodic_jobs
from app.service.worker.worker import run_worker
from app.settings import Settings
from tests.service.background.worker_fixture import in_a_process, until
from tests.service.conftest import key_for
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.negotiation.invariants import ExpectedNegotiation, check_invariants
from tests.service.negotiation.market_fixture import create_market
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_attachments import quote_document
from tests.service.webhooks.receivers import serving, status

SILENCE_SECONDS = 1.5
NEGOTIATIONS = 4
QUOTE = quote_document()
EVENTS = (
    "negotiation.summary.updated",
    "negotiation.escalation.created",
    "negotiation.escalation.updated",
)


def work(settings: Settings) -> None:
    """The worker in earnest, in a hurry."""
    task_runner.BACKOFF = (timedelta(seconds=0.05),) * 4
    watching.POLL_SECONDS = 0.1
    periodic_jobs.TIMERS_SECONDS = 0.2
    run_worker(settings)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The supplier is silent after moments, and a receiver on this machine may be called."""
    changes = {
        "supplier_silence_days": SILENCE_SECONDS / 86_400,
        "webhook_allow": (ip_network("127.0.0.0/8"),),
    }
    return settings.model_copy(update=changes)


class Dealings:
    """Random calls, and what must come of them."""

    def __init__(self, driver: NegotiationDriver, chance: random.Random) -> None:
        self.driver = driver
        self.chance = chance
        self.expected: dict[str, ExpectedNegotiation] = {}

    def do_something(self) -> None:
        if len(self.expected) < NEGOTIATIONS or self.chance.random() < 0.02:
            self._start()
            return
        negotiation_id = self.chance.choice(list(self.expected))
        kind = self.chance.choices(
            ["quote", "message", "decision", "agreement", "cancellation", "file"], [10, 3, 4, 1, 0.3, 1]
        )[0]
        if kind == "file":
            self._attach(negotiation_id)
        else:
            self._tell(negotiation_id, kind)

    def _start(self) -> None:
        without: dict[str, Any] = {"scope": None}
        negotiation_id = self.driver.start(**({} if self.chance.random() < 0.8 else without))
        self.expected[negotiation_id] = ExpectedNegotiation("planning")

    def _attach(self, negotiation_id: str) -> None:
        expected = self.expected[negotiation_id]
        path = f"/v1/negotiation/{negotiation_id}/attach"
        answer = self.driver.api.post(path, files={"file": ("quote.docx", QUOTE)})
        assert answer.status_code == (409 if expected.ended else 201)
        expected.attached = expected.attached or not expected.ended

    def _tell(self, negotiation_id: str, kind: str) -> None:
        chance, expected = self.chance, self.expected[negotiation_id]
        price = chance.randrange(100, 4000)
        payload: dict[str, Any] = {
            "quote": {"amount": price, "currency": "USD"},
            "message": {"from": "Sam", "text": "Hello"},
            "decision": {
                "decision": chance.choice(["accept", "counter", "go_ahead", "other"]),
                "amount": 500,
            },
            "agreement": {"amount": price, "currency": "USD"},
            "cancellation": {},
        }[kind]
        number = f"{kind}{chance.randrange(8)}"
        body = {
            "timestamp": f"2026-11-{chance.randrange(1, 20):02}T12:00:00Z",
            "externalId": number,
            "source": "model",
            "schema": {"$id": f"urn:svc:{kind}:1"},
            "payload": payload,
        }
        path = f"/v1/negotiation/{negotiation_id}/external-update"
        answer = self.driver.api.post(path, json=body).status_code
        earlier = expected.updates.get(number)
        if earlier is not None:
            assert answer == (204 if earlier == body else 409)
        elif expected.ended:
            assert answer == 409
        elif answer == 204:
            self._took(expected, kind, number, body)
        else:
            # The worker moves it on at moments of its own: one decides too late, or agrees too soon.
            assert answer == 409
            assert kind in {"decision", "agreement"}

    def _took(self, expected: ExpectedNegotiation, kind: str, number: str, body: dict[str, Any]) -> None:
        expected.updates[number] = body
        if kind == "quote":
            at = datetime.fromisoformat(body["timestamp"])
            expected.offers["model", number] = (at, body["payload"]["amount"])
        elif kind == "agreement":
            expected.agreed, expected.status = body["payload"]["amount"], "complete"
        elif kind == "cancellation":
            expected.status = "cancelled"


def owed(context: Context) -> int:
    """Pieces of work that are not done yet."""
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(task)) or 0


def kill_in_the_middle(settings: Settings, *, calls: int, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    service = create_service(settings)
    context = CONTEXT.get(service)
    migrate(context.database)
    with contextlib.ExitStack() as stack:
        api = stack.enter_context(TestClient(service))
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        receiver = stack.enter_context(serving(status(200)))
        api.post("/v1/webhooks", json={"url": receiver.url, "events": EVENTS}).raise_for_status()
        dealings = Dealings(NegotiationDriver(api, context, create_market(context), FakeClock()), chance)
        at_work = stack.enter_context(contextlib.ExitStack())
        at_work.enter_context(in_a_process(work, settings))
        for _ in range(kills):
            for _ in range(calls // kills):
                dealings.do_something()
            time.sleep(chance.uniform(0, 1))
            at_work.close()  # SIGKILL
            at_work.enter_context(in_a_process(work, settings))
        until(lambda: not owed(context))
        # A timer may still fire; what it tells of arrives as well.
        until(
            lambda: _announced_ids(context) <= {one.headers["webhook-id"] for one in list(receiver.received)}
        )
        at_work.close()
        check_invariants(dealings.driver, dealings.expected)


def _announced_ids(context: Context) -> set[str]:
    with context.database.reading() as connection:
        return set(connection.scalars(sa.select(event.c.id).where(event.c.type.in_(EVENTS))))


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_killing_the_worker_loses_and_repeats_nothing(settings: Settings) -> None:
    kill_in_the_middle(settings, calls=30, kills=1, seed=1)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_killing_the_worker_many_times_loses_and_repeats_nothing(settings: Settings) -> None:
    kill_in_the_middle(settings, calls=1500, kills=30, seed=30)
