"""Two hosts that share no folder: a document that one takes the other reads, from the store of both, which is
killed and comes back in the middle."""

import time
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from app.client import ApiClient
from tests.deployment.two_hosts import TwoHosts, two_hosts
from tests.service.postgres import fresh_database, server_url
from tests.service.storage.seaweed import BUCKET, Seaweed, SeaweedServer, installed

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(600)]

CSV = b"item,quantity,price\nwidget,2,3.50\n"
READ_SECONDS = 90


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[SeaweedServer]:
    program = installed()
    if program is None:
        pytest.skip("SeaweedFS is not installed here")
    server = SeaweedServer(program, tmp_path / "store")
    process = server.start()
    try:
        for name, value in Seaweed(server.endpoint, process, tmp_path).environment.items():
            monkeypatch.setenv(name, value)
        yield server
    finally:
        server.kill()


@pytest.fixture
def hosts(tmp_path: Path, store: SeaweedServer) -> Generator[TwoHosts]:
    server = server_url()
    if server is None:
        pytest.skip("no PostgreSQL: two hosts need one")
    (tmp_path / "hosts").mkdir()
    with (
        fresh_database(server) as url,
        two_hosts(tmp_path / "hosts", url, files_url=f"s3://{BUCKET}/team") as running,
    ):
        yield running


def _address(hosts: TwoHosts, host: str) -> str:
    return hosts.processes[f"service-{host}"].health.removesuffix("/readyz")


def _wait_until_read(client: ApiClient, scope_id: str) -> None:
    deadline = time.monotonic() + READ_SECONDS
    while True:
        processing = client.scopes.get(scope_id).document_processing
        if processing is not None and processing.status == "completed":
            return
        assert time.monotonic() < deadline, processing
        time.sleep(0.2)


def _begin_reading(client: ApiClient) -> str:
    return client.scopes.from_upload(CSV, filename="quote.csv", purchase_type="new_purchase").scope_id


def test_a_document_of_one_host_is_read_by_the_other(hosts: TwoHosts, store: SeaweedServer) -> None:
    assert not list(hosts.settings.data_dir.glob("files/*/*"))
    worker = hosts.processes["worker-a"]
    worker.stop()
    with ApiClient(_address(hosts, "a"), api_key=hosts.key) as client:
        _wait_until_read(client, _begin_reading(client))
        file_id = client.files.upload(CSV, filename="quote.csv").id
    with ApiClient(_address(hosts, "b"), api_key=hosts.key) as other:
        assert other.files.content(file_id).content == CSV
        hosts.processes["worker-b"].stop()
        waiting = _begin_reading(other)
        worker.start()  # with the store there, else it would not start
        _wait_until_read(other, waiting)
        store.kill()
        ready = httpx.get(hosts.processes["service-b"].health, timeout=10)
        assert (ready.status_code, ready.json()["files"]) == (503, "error")
        store.start()
        deadline = time.monotonic() + 30
        while httpx.get(hosts.processes["service-b"].health, timeout=10).status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert other.files.content(file_id).content == CSV
        _wait_until_read(other, _begin_reading(other))
