"""An S3 store says which of its settings is wrong, and waits for nobody for ever."""

import io
import socket
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from app.service.storage.file_storage import FileSavedBefore, FileStorage, StorageFault, StorageProblem
from app.service.storage.s3 import S3Storage
from tests.service.storage.seaweed import BUCKET, Seaweed
from tests.service.storage.stores import empty_s3_storage, seaweed, seaweed_server

__all__ = ["seaweed", "seaweed_server"]

DIGEST = sha256(b"content").hexdigest()
EACH: tuple[Callable[[FileStorage], object], ...] = (
    lambda files: files.save("0a", io.BytesIO(b"content"), DIGEST),
    lambda files: files.read("0a", DIGEST),
    lambda files: files.stat("0a"),
    lambda files: list(files.list_files()),
    lambda files: files.delete("0a"),
    lambda files: files.identify(may_mark=True),
    lambda files: files.probe(),
)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"AWS_SECRET_ACCESS_KEY": "wrong"}, "correct AWS_SECRET_ACCESS_KEY"),
        ({"AWS_ACCESS_KEY_ID": "nobody"}, "correct AWS_ACCESS_KEY_ID"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "nothing answers there; correct AWS_ENDPOINT_URL"),
    ],
)
def test_it_says_which_setting_is_wrong(
    seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str], words: str
) -> None:
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    files = empty_s3_storage()
    for attempt in EACH[:4] if "AWS_ENDPOINT_URL" in wrong else EACH:
        with pytest.raises(StorageFault) as fault:
            attempt(files)
        assert str(fault.value).startswith("the bucket files at http://127.0.0.1:")
        assert "\n" not in str(fault.value)
    with pytest.raises(StorageFault, match=words):
        files.probe()
    assert not files.is_writable()


def test_it_says_that_there_is_no_such_bucket(seaweed: Seaweed) -> None:
    files = S3Storage("elsewhere", "", timeout=5)
    for attempt in (EACH[0], EACH[1], EACH[3], EACH[5], EACH[6]):
        with pytest.raises(StorageFault, match="there is no bucket elsewhere") as fault:
            attempt(files)
        assert fault.value.problem is StorageProblem.REFUSED


@pytest.mark.parametrize("endpoint", ["127.0.0.1:8333", "s3://files", "http://no such host", "http://a:b"])
def test_an_endpoint_that_is_no_address_is_named(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    with pytest.raises(StorageFault, match="is no address of an S3 store; write AWS_ENDPOINT_URL"):
        S3Storage(BUCKET, "", timeout=1)


def test_an_empty_variable_is_none(seaweed: Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ENDPOINT_URL_S3", "AWS_SESSION_TOKEN", "AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.setenv(name, "")
    files = empty_s3_storage()
    files.probe()
    assert seaweed.endpoint in files.place


def test_two_prefixes_share_nothing(seaweed: Seaweed) -> None:
    one, other = empty_s3_storage(), empty_s3_storage()
    one.save("0a", io.BytesIO(b"content"), DIGEST)
    assert one.identify(may_mark=True) != other.identify(may_mark=True)
    assert other.stat("0a") is None
    assert list(other.list_files()) == []


def test_a_store_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        _name(monkeypatch, silent.getsockname()[1])
        files = S3Storage(BUCKET, "", timeout=1)
        began = time.monotonic()
        with pytest.raises(StorageFault, match="did not answer in time") as fault:
            files.save("0a", io.BytesIO(b"content"), DIGEST)
        assert fault.value.problem is StorageProblem.AWAY
        assert time.monotonic() - began < 4


class _Answers(BaseHTTPRequestHandler):
    """A store of which only the answers to writes matter."""

    status = 507
    there = False
    put_at_once: list[str | None]

    def do_PUT(self) -> None:
        condition = self.headers.get("If-None-Match")
        self.rfile.read(int(self.headers["Content-Length"]))
        self.put_at_once.append(condition)
        self._answer(self.status if condition or self.status == 507 else 200)

    def do_HEAD(self) -> None:
        self._answer(200 if self.there else 404)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Length", "0"),
            ("ETag", '"1"'),
            ("Last-Modified", "Mon, 23 Nov 2026 06:00:00 GMT"),
        ):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def other_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Answers]]:
    answers = type("Answers", (_Answers,), {"put_at_once": []})
    server = HTTPServer(("127.0.0.1", 0), answers)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    _name(monkeypatch, server.server_port)
    yield answers
    server.shutdown()
    thread.join()
    server.server_close()


def _name(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "parley")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "parley-secret")


def test_a_full_store_is_named(other_store: type[_Answers]) -> None:
    with pytest.raises(StorageFault, match="no room left") as fault:
        S3Storage(BUCKET, "", timeout=5).save("0a", io.BytesIO(b"content"), DIGEST)
    assert fault.value.problem is StorageProblem.FULL
    assert len(other_store.put_at_once) == 1, "the caller tries again, not the store"


def test_a_store_without_conditional_writes_is_asked_first(other_store: type[_Answers]) -> None:
    other_store.status = 501
    files = S3Storage(BUCKET, "", timeout=5)
    files.save("0a", io.BytesIO(b"content"), DIGEST)
    assert other_store.put_at_once == ["*", None]
    other_store.there = True
    with pytest.raises(FileSavedBefore):
        files.save("0a", io.BytesIO(b"content"), DIGEST)
    assert other_store.put_at_once == ["*", None, "*"]
