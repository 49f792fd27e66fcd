"""A worker whose database is away or hangs, or whose place another one takes, gets over it by itself."""

import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.service.context import Context
from app.settings import Settings
from tests.service.background.worker_fixture import lines, until, worker
from tests.service.tcp_proxy import TcpProxy, proxy_to
from tests.service.webhooks.receivers import serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states
from tests.service.worker.stalling import answer, ids_received
from tests.service.worker.test_worker import ask


@pytest.fixture
def proxy(settings: Settings) -> Generator[TcpProxy]:
    if settings.database_url is None:
        pytest.skip("a file cannot be away")
    address = urlsplit(settings.database_url)
    with proxy_to(address.hostname or "", address.port or 0) as proxy:
        yield proxy


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_worker_goes_on_when_the_database_is_back(
    context: Context, settings: Settings, proxy: TcpProxy
) -> None:
    address = urlsplit(settings.database_url or "")
    behind = settings.model_copy(
        update={
            "database_url": address._replace(netloc=f"parley@127.0.0.1:{proxy.port}").geturl(),
            "database_timeout": 1,
        }
    )
    with serving(status(200)) as told, worker(behind) as process:
        id, _ = a_webhook(context, told.url)
        happen(context, id, 10)
        until(lambda: states(context, id) == {"succeeded": 10})

        proxy.refuse()
        happen(context, id, 10)
        away = ask(context, "note")
        time.sleep(2)
        proxy.accept()
        until(lambda: states(context, id) == {"succeeded": 20})
        until(lambda: lines(settings, away) == ["done"])

        proxy.stall()
        happen(context, id, 10)
        hanging = ask(context, "note")
        time.sleep(8)  # longer than any of its waits
        proxy.flow()
        until(lambda: states(context, id) == {"succeeded": 30})
        until(lambda: lines(settings, hanging) == ["done"])
        assert process.is_alive()


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_worker_whose_slot_is_taken_ends(context: Context, settings: Settings) -> None:
    """The file that holds the slot is deleted, so a second worker can start on the same SQLite file."""
    count = 600
    with serving(answer) as told, worker(settings) as first:
        id, _ = a_webhook(context, told.url)
        events = happen(context, id, count)
        until(lambda: len(told.received) > count // 6)
        [lock] = Path(settings.data_dir).glob("*-worker.lock")
        lock.unlink()
        with worker(settings):
            first.join(60)
            assert first.exitcode == 1
            until(lambda: states(context, id) == {"succeeded": count})
        received = Counter(ids_received(told))
        assert received.keys() == set(events)
        # What the first sent until it noticed and could not record: on a busy machine that takes a while.
        assert sum(received.values()) - count < 2 * count // 3
