"""The worker and the service are killed at random moments in the middle of many deliveries: none is lost.

The service takes events all the while; what it has acknowledged counts as much as what was there before.
"""

import contextlib
import random
import threading
import time
from collections import Counter
from contextlib import AbstractContextManager
from multiprocessing.context import ForkServerProcess

import pytest
import sqlalchemy as sa
from httpx import Client, HTTPError

from app.service.context import Context
from app.service.database.tables import organisation
from app.service.main import serve_service
from app.settings import Settings
from tests.flows.deployment import free_port
from tests.service.background.worker_fixture import in_a_process, until, worker
from tests.service.conftest import key_for
from tests.service.webhooks.receivers import serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states

pytestmark = pytest.mark.both_stores


def service(settings: Settings, port: int) -> AbstractContextManager[ForkServerProcess]:
    """The service in a process of its own."""
    return in_a_process(serve_service, settings, "127.0.0.1", port)


class Caller(threading.Thread):
    """Asks for one event after another and remembers those that the service has acknowledged."""

    def __init__(self, address: str, key: str, webhook_id: str) -> None:
        super().__init__()
        self._client = Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=5)
        self._path = f"/v1/webhooks/{webhook_id}/test"
        self._ended = threading.Event()
        self.acknowledged: list[str] = []

    def run(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(HTTPError):
                answer = self._client.post(self._path)
                if answer.status_code == 201:
                    self.acknowledged.append(answer.json()["eventId"])
            time.sleep(0.02)

    def stop(self) -> None:
        self._ended.set()
        self.join()
        self._client.close()


def kill_in_the_middle(context: Context, settings: Settings, *, count: int, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    key = key_for(context)
    with serving(status(200)) as told, contextlib.ExitStack() as stack:
        with context.database.reading() as connection:
            owner = connection.scalar(sa.select(organisation.c.id))
        webhook_id, _ = a_webhook(context, told.url, owner)
        caller = Caller(address, key, webhook_id)
        caller.start()
        stack.callback(caller.stop)
        running = {
            worker: stack.enter_context(contextlib.ExitStack()),
            service: stack.enter_context(contextlib.ExitStack()),
        }
        running[service].enter_context(service(settings, port))
        running[worker].enter_context(worker(settings))
        owed: list[str] = []
        for number in range(kills):
            owed += happen(context, webhook_id, count // kills)
            begun = len(told.received)
            until(lambda begun=begun: len(told.received) > begun)
            time.sleep(chance.uniform(0, 0.3))
            one = (worker, service)[number % 2]
            running[one].close()  # SIGKILL
            if one is worker:
                running[one].enter_context(worker(settings))
            else:
                running[one].enter_context(service(settings, port))
        until(lambda: bool(caller.acknowledged))
        caller.stop()
        until(lambda: set(states(context, webhook_id)) == {"succeeded"}, 300)
        received = Counter(each.headers["webhook-id"] for each in list(told.received))
        assert set(owed) <= received.keys()
        assert set(caller.acknowledged) <= received.keys()


@pytest.mark.campaign
def test_a_few_kills_lose_nothing(context: Context, settings: Settings) -> None:
    kill_in_the_middle(context, settings, count=400, kills=2, seed=1)


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_twenty_kills_in_twenty_thousand_deliveries_lose_nothing(
    context: Context, settings: Settings
) -> None:
    kill_in_the_middle(context, settings, count=20_000, kills=20, seed=20)
