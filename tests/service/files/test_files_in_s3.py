"""Files of a service whose store is S3: sent whole and in part, and when the store is gone or its answer is
lost, nothing is half-written and the caller is told."""

import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import file
from app.service.ids import new_id
from app.settings import Settings
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import seaweed, seaweed_server
from tests.service.tcp_proxy import TcpProxy, proxy_to

__all__ = ["seaweed", "seaweed_server"]

CSV = b"item,quantity,price\nwidget,2,3.50\n"


@pytest.fixture
def database_url() -> None:
    """SQLite: the database has no part in it."""


@pytest.fixture
def store(seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch) -> Iterator[TcpProxy]:
    """The network between the service and its store."""
    address = urlsplit(seaweed.endpoint)
    with proxy_to(address.hostname or "", address.port or 0) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{proxy.port}")
        yield proxy


@pytest.fixture
def settings(settings: Settings, store: TcpProxy) -> Settings:
    return settings.model_copy(update={"files_url": f"s3://{BUCKET}/{new_id()}", "files_timeout": 5})


def _upload(api: TestClient) -> str:
    answer = api.post("/v1/files/upload", files={"file": ("a.csv", CSV)})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def _count_rows(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(file)) or 0


def test_a_file_is_sent_whole_and_in_parts(api: TestClient) -> None:
    address = f"/v1/files/{_upload(api)}"
    whole = api.get(address)
    assert whole.content == CSV
    tag = whole.headers["etag"]
    assert api.get(address, headers={"If-None-Match": tag}).status_code == 304
    for asked, content in (("0-3", CSV[:4]), ("-5", CSV[-5:]), ("5-", CSV[5:]), ("0-900", CSV)):
        part = api.get(address, headers={"Range": f"bytes={asked}"})
        assert (part.status_code, part.content) == (206, content)
    several = api.get(address, headers={"Range": "bytes=0-3,5-8"})
    assert several.headers["content-type"].startswith("multipart/byteranges")
    assert CSV[:4] in several.content


@pytest.mark.campaign
def test_a_store_that_goes_away_and_comes_back(
    api: TestClient, context: Context, store: TcpProxy, caplog: pytest.LogCaptureFixture
) -> None:
    file_id = _upload(api)
    store.refuse()
    for answer in (
        api.post("/v1/files/upload", files={"file": ("a.csv", CSV)}),
        api.get(f"/v1/files/{file_id}"),
        api.get(f"/v1/files/{file_id}", headers={"Range": "bytes=0-3"}),
    ):
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("The service cannot use its files now")
    assert f"the bucket {BUCKET} at http://127.0.0.1:{store.port}: nothing answers there" in caplog.text
    assert _count_rows(context) == 1
    health = api.get("/v1/health")
    assert health.status_code == 503
    assert {one["name"]: one["status"] for one in health.json()["services"]}["files"] == "error"
    assert api.get("/readyz").json()["files"] == "error"
    store.accept()
    assert api.get(f"/v1/files/{file_id}").content == CSV
    assert api.get("/readyz").json()["files"] == "ok"


def test_a_file_whose_answer_was_lost_leaves_nothing(
    api: TestClient, context: Context, store: TcpProxy
) -> None:
    _upload(api)
    store.cut_before_next_answer()
    answer = api.post("/v1/files/upload", files={"file": ("b.csv", CSV)})
    assert answer.status_code == 503
    assert _count_rows(context) == len(list(context.files.list_files())) == 1


def test_a_refused_upload_leaves_no_object(api: TestClient, context: Context) -> None:
    answer = api.post("/v1/files/upload", files={"file": ("program", b"MZ\x90\x00 this is a program")})
    assert answer.status_code == 415
    assert list(context.files.list_files()) == []


@pytest.mark.campaign
def test_a_store_that_hangs_holds_up_nobody_for_long(
    api: TestClient, context: Context, store: TcpProxy
) -> None:
    _upload(api)
    store.stall()
    began = time.monotonic()
    assert api.get("/readyz").json()["files"] == "error"
    assert time.monotonic() - began < 2
    assert api.post("/v1/files/upload", files={"file": ("b.csv", CSV)}).status_code == 503
    assert time.monotonic() - began < 15
    assert _count_rows(context) == 1
