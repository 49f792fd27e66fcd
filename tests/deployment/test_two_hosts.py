"""Two hosts behind a proxy: people work on one while the other dies, and a new version comes under load."""

import time
from collections.abc import Callable, Generator
from hashlib import md5
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, FilePayload, expect

from app.client import ApiClient
from tests.browser.conftest import settled, sign_in
from tests.deployment.load import Ledger, load
from tests.deployment.two_hosts import HostProcess, TwoHosts, copy_of_another_version, two_hosts
from tests.deployment.watched_receiver import WatchedReceiver, watched_receiver
from tests.service.openid.small_provider import CLIENT_ID, CLIENT_SECRET, small_provider
from tests.service.postgres import fresh_database, server_url
from tests.shared_material import shared

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(900)]

SETTLE_SECONDS = 120
"""Until everything that was promised has been done: a worker that is gone is missed after some seconds."""
BETWEEN_SECONDS = 3.0
NEXT_VERSION = "99.0.0"


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Generator[TwoHosts]:
    server = server_url()
    if server is None:
        pytest.skip("no PostgreSQL: two hosts need one")
    with fresh_database(server) as url, small_provider() as provider:
        settings = {
            "PARLEY_OIDC_ISSUER": provider.issuer,
            "PARLEY_OIDC_CLIENT_ID": CLIENT_ID,
            "PARLEY_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "PARLEY_OIDC_ROLES": "buyers=buyer@Person",
        }
        with two_hosts(tmp_path_factory.mktemp("hosts"), url, environment=settings) as running:
            yield running


@pytest.fixture(scope="module")
def receiver(hosts: TwoHosts) -> Generator[WatchedReceiver]:
    with watched_receiver(hosts.worker_pids) as started:
        yield started


@pytest.fixture(scope="module")
def quote() -> bytes:
    return shared("data/documents/files/en-sliced-invoice.pdf").read_bytes()


def wait_until(condition: Callable[[], object], what: str, seconds: float = SETTLE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.1)


def check_promises(hosts: TwoHosts, receiver: WatchedReceiver, ledger: Ledger, key: str) -> None:
    """Every call was answered in the end; what was promised is there, once."""
    assert ledger.failures == []
    assert min(len(ledger.scopes), len(ledger.events), len(ledger.documents)) > 0
    wait_until(lambda: not receiver.missing(ledger.events), "every event has arrived")
    with ApiClient(hosts.address, api_key=key) as client:

        def all_read() -> bool:
            scopes = [client.scopes.get(one) for one in ledger.documents]
            return all(
                one.document_processing is not None and one.document_processing.status == "completed"
                for one in scopes
            )

        wait_until(all_read, "every document is read")
        listed = [one.id for one in client.scopes.iter()]
    assert sorted(listed) == sorted(ledger.scopes + ledger.documents)


def test_deliveries_leave_from_both_hosts(hosts: TwoHosts, receiver: WatchedReceiver, quote: bytes) -> None:
    key = hosts.organisation_key("Deliveries")
    with load(hosts.address, key, receiver.url, quote) as ledger:
        wait_until(lambda: ledger.events and ledger.scopes and ledger.documents, "one call of each kind")
        before = dict(receiver.senders)
        wait_until(
            lambda: all(receiver.senders[one] > before.get(one, 0) + 10 for one in ("worker-a", "worker-b")),
            f"deliveries from both workers: {receiver.senders}",
            60,
        )
    check_promises(hosts, receiver, ledger, key)
    assert all(receiver.arrivals[event] == 1 for event in ledger.events)


@pytest.mark.browser
def test_a_person_works_on_when_her_host_dies(
    hosts: TwoHosts, window: Callable[..., BrowserContext], quote: bytes
) -> None:
    key = hosts.organisation_key("Person")
    context = window()
    context.set_default_timeout(1000 * SETTLE_SECONDS)
    page = context.new_page()
    page.goto(hosts.address)
    # Leads to the provider, and back to any dashboard.
    page.get_by_role("link", name="Sign in with your company account").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    dashboard = dashboard_of(hosts, context)
    worker = hosts.processes[dashboard.name.replace("dashboard", "worker")]
    worker.stop()
    page.goto(f"{hosts.address}/quotes")
    upload = {"name": "offer.pdf", "mimeType": "application/pdf", "buffer": quote}
    page.locator("input[type=file]").set_input_files([cast(FilePayload, upload)])
    expect(page.get_by_text("offer.pdf").first).to_be_visible()
    with ApiClient(hosts.address, api_key=key) as client:
        wait_until(
            lambda: [one.status for one in client.scopes.iter()] == ["review"],
            "the worker of the other host has read the quote",
        )
    worker.start()

    # The page finds the other dashboard by itself, where the person is signed in too.
    with page.expect_websocket():
        dashboard.kill()
    page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]")
    expect(settled(page).get_by_text("offer.pdf").first).to_be_visible()
    page.get_by_role("link", name="Catalog").first.click()
    expect(page.get_by_role("heading", name="Catalog")).to_be_visible()
    page.goto(f"{hosts.address}/quotes")
    expect(page.get_by_text("offer.pdf").first).to_be_visible()
    assert dashboard_of(hosts, context) is not dashboard
    dashboard.start()

    with_key = sign_in(window().new_page(), hosts.address, key)
    with_key.goto(f"{hosts.address}/quotes")
    expect(with_key.get_by_text("offer.pdf").first).to_be_visible()


def dashboard_of(hosts: TwoHosts, context: BrowserContext) -> HostProcess:
    """The dashboard that the proxy keeps this browser with: nginx names it by the digest of its address."""
    digests = {one.get("value") for one in context.cookies() if one.get("name") == "parley_process"}
    [found] = [
        one
        for one in hosts.of_kind("dashboard")
        if md5(urlsplit(one.health).netloc.encode()).hexdigest() in digests
    ]
    return found


def test_each_process_is_killed_in_turn_and_nothing_is_lost(
    hosts: TwoHosts, receiver: WatchedReceiver, quote: bytes
) -> None:
    key = hosts.organisation_key("Kills")
    with load(hosts.address, key, receiver.url, quote) as ledger:
        for process in hosts.processes.values():
            time.sleep(BETWEEN_SECONDS)
            process.kill()
            time.sleep(BETWEEN_SECONDS)
            process.start()
        time.sleep(BETWEEN_SECONDS)
        # There is one proxy here: callers try again until it is back.
        hosts.proxy.kill()
        hosts.proxy.start()
        time.sleep(BETWEEN_SECONDS)
    check_promises(hosts, receiver, ledger, key)
    again = {event: receiver.arrivals[event] for event in ledger.events if receiver.arrivals[event] > 1}
    # A worker that dies had sent what it could not record any more: that alone is sent again.
    assert max(again.values(), default=1) <= 1 + len(hosts.of_kind("worker")), again


def test_a_new_version_comes_under_load(
    hosts: TwoHosts, receiver: WatchedReceiver, quote: bytes, tmp_path: Path
) -> None:
    key = hosts.organisation_key("Upgrade")
    source = copy_of_another_version(tmp_path, NEXT_VERSION)
    with load(hosts.address, key, receiver.url, quote) as ledger:
        for process in hosts.processes.values():
            time.sleep(BETWEEN_SECONDS)
            process.stop()
            process.source = source
            process.start()
        time.sleep(BETWEEN_SECONDS)
    check_promises(hosts, receiver, ledger, key)
    assert all(receiver.arrivals[event] == 1 for event in ledger.events)
    with ApiClient(hosts.address, api_key=key) as client:
        assert client.health.report().version == NEXT_VERSION
