"""Requests as they come over a socket: HEAD, bodies that nobody should read, callers that wait or leave."""

import time
from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from app.client.api_client import ApiClient
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.ids import new_id
from app.service.main import create_service
from app.service.scopes.jobs import extract_document
from app.service.webhooks.inbox import MAX_BODY
from app.settings import Settings
from tests.http_server.test_protocol import PATIENCE, dial, problem
from tests.service.conftest import key_for
from tests.service.documents.pdf_builder import slow_to_draw
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.running_service import serving

ANNOUNCED = b"content-length: 40000000\r\n"
"""A body that is never sent: an answer shows that nobody waited for it."""
FORM = b"content-type: multipart/form-data; boundary=x\r\n"


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"inbox": True, "max_upload": 1_000_000})


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    with serving(app) as address:
        yield address


def ask(address: str, head: bytes) -> bytes:
    """The answer to a request of which only the head is sent."""
    with dial(address) as connection:
        connection.sendall(head + b"host: x\r\n\r\n")
        connection.settimeout(PATIENCE)
        return connection.recv(1 << 16)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /v1/health HTTP/1.1\r\nhost: a\r\n", 400),
        (b"GET /v1/health HTTP/1.1\r\n", 200),
        (b"GET /v1/health HTTP/1.0\r\n", 200),
    ],
    ids=["two", "one", "1.0"],
)
def test_a_request_has_one_host(address: str, head: bytes, status: int) -> None:
    assert int(ask(address, head)[9:12]) == status


def test_a_request_without_host_is_a_400_problem(address: str) -> None:
    for head, status in ((b"HTTP/1.1\r\n", 400), (b"HTTP/1.0\r\n", 200)):
        with dial(address) as connection:
            connection.sendall(b"GET /v1/health " + head + b"\r\n")
            answer = connection.recv(1 << 16)
        assert int(answer[9:12]) == status
        assert (b"one Host header" in answer) == (status == 400)


def test_a_head_leaves_the_connection_as_it_was(address: str) -> None:
    with httpx.Client(base_url=address) as client:
        for _ in range(2):
            head = client.head("/v1/health")
            assert head.status_code == 200
            assert head.content == b""
            got = client.get("/v1/health")
            assert got.headers["content-length"] == head.headers["content-length"] == str(len(got.content))


def test_the_client_asks_whether_the_service_is_up_and_goes_on(address: str, context: Context) -> None:
    with ApiClient(address, api_key=key_for(context)) as client:
        assert client.health.is_up()
        assert client.health.is_up()
        assert client.catalog.companies().pagination.total == 0


REFUSALS = [
    ("none", "/v1/files/upload", FORM + ANNOUNCED, 401),
    ("unknown", "/v1/files/upload", FORM + ANNOUNCED, 401),
    ("read only", "/v1/files/upload", FORM + ANNOUNCED, 403),
    ("full", "/v1/files/upload", FORM + ANNOUNCED, 413),
    ("full", "/v1/files/upload", FORM + ANNOUNCED + b"expect: 100-continue\r\n", 413),
    ("full", "/v1/scope", FORM + ANNOUNCED, 415),
    ("full", "/v1/scope", ANNOUNCED, 413),
    ("full", "/v1/scope", b"content-type: text/plain\r\ncontent-length: 9\r\n", 415),
    ("none", "/inbox/{missing}", FORM + ANNOUNCED, 404),
    ("none", "/inbox/{opened}", FORM + ANNOUNCED, 413),
    ("none", "/inbox/{opened}", b"content-length: %d\r\n" % (MAX_BODY + 1), 413),
]
"""Key, path, head, and the status that comes although none of the body does."""


def test_what_is_refused_is_refused_before_its_body(address: str, context: Context) -> None:
    full = {"Authorization": f"Bearer {key_for(context)}"}
    opened = httpx.post(f"{address}/v1/webhooks/inbox", headers=full).json()["id"]
    keys = {
        "none": b"",
        "unknown": b"x-api-key: parley_unknown\r\n",
        "read only": b"x-api-key: %s\r\n" % key_for(context, read_only=True).encode(),
        "full": b"x-api-key: %s\r\n" % key_for(context).encode(),
    }
    for key, path, head, status in REFUSALS:
        path = path.format(opened=opened, missing=new_id()).encode()
        answer = ask(address, b"POST %s HTTP/1.1\r\n" % path + keys[key] + head)
        assert answer.startswith(b"HTTP/1.1 %d " % status), (key, path, head, answer)


def test_over_the_rate_limit_no_body_is_read(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"rate_limit": 1}), FakeClock())
    context = CONTEXT.get(app)
    provide_schema(context.database)
    key = key_for(context)
    upload = b"POST /v1/files/upload HTTP/1.1\r\nx-api-key: %s\r\n" % key.encode()
    with serving(app) as address:
        assert httpx.get(f"{address}/v1/scope", headers={"X-API-Key": key}).status_code == 200
        assert ask(address, upload + FORM + ANNOUNCED).startswith(b"HTTP/1.1 429 ")
    context.close()


def test_the_servers_own_refusals_are_problem_documents(address: str) -> None:
    answer = ask(address, b"GET /v1/health HTTP/1.1\r\n" + b"x: %s\r\n" % (b"y" * 100_000))
    assert problem(answer)["status"] == 431


def test_a_caller_that_leaves_in_the_middle_of_a_body_is_no_error(
    address: str, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    with dial(address) as connection:
        head = (
            b"POST /v1/scope HTTP/1.1\r\nx-api-key: %s\r\ncontent-length: 9\r\n\r\n{"
            % key_for(context).encode()
        )
        connection.sendall(head)
    assert httpx.get(f"{address}/v1/health").status_code == 200
    assert not caplog.records


@pytest.mark.campaign
def test_a_drawing_ends_when_its_caller_leaves_and_the_next_is_drawn(address: str, context: Context) -> None:
    key = key_for(context)
    with httpx.Client(base_url=address, headers={"X-API-Key": key}, timeout=PATIENCE) as api:
        slow, quick = (read_document(api, context, slow_to_draw(times)) for times in (3000, 1))
        with dial(address) as leaving:
            path = f"/v1/scope/{slow}/document/pages/1"
            leaving.sendall(f"GET {path} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n".encode())
            time.sleep(1)
        # One organisation has one drawing at a time; the slow one would go on for longer than a call waits.
        assert api.get(f"/v1/scope/{quick}/document/pages/1").status_code == 200


def read_document(api: httpx.Client, context: Context, content: bytes) -> str:
    """The scope of a document that was read."""
    file = {"file": ("quote.pdf", content, "application/pdf")}
    scope_id = api.post("/v1/scope/from-document", files=file).raise_for_status().json()["scopeId"]
    extract_document(context, scope_id)
    return scope_id
