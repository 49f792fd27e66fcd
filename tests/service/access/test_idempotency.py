"""Idempotency-Key: one call, however often it is made."""

import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from starlette.responses import PlainTextResponse, Response
from starlette.testclient import TestClient

from app.service.access.idempotency import IdempotentCall
from app.service.context import Context
from app.service.database.tables import api_key, file, idempotent_call, webhook
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema

CSV = b"item,quantity,price\nwidget,2,3.50\n"
HOOK = {"url": "http://example.com/hook", "events": ["scope.extracted"]}


def _rows(context: Context, table: sa.Table) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


@pytest.mark.both_stores
def test_the_same_call_gives_the_stored_answer(api: TestClient, context: Context) -> None:
    first = api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    again = api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert _rows(context, webhook) == 1


@pytest.mark.parametrize(
    ("path", "bodies"),
    [
        ("/v1/pricing/preview", ({}, {"pricingDimensions": {}})),
        ("/v1/working-days/preview", ({}, {"weekend": []})),
    ],
)
def test_no_answer_is_stored_of_what_only_reads(
    api: TestClient, context: Context, path: str, bodies: tuple[object, ...]
) -> None:
    for body in bodies:
        answer = api.post(path, json=body, headers={"Idempotency-Key": "a"})
        assert answer.status_code in (200, 400, 422)
        assert "with another body" not in answer.text
        assert "idempotency-replayed" not in answer.headers
    assert _rows(context, idempotent_call) == 0
    assert api.post(path, json={}, headers={"Idempotency-Key": "k" * 300}).status_code == 400


def test_a_stored_answer_is_sealed(api: TestClient, context: Context) -> None:
    secret = api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"}).json()["secret"]
    with context.database.reading() as connection:
        answer = connection.scalar(sa.select(idempotent_call.c.answer))
    assert answer is not None
    assert secret.encode() not in answer


def test_another_body_is_422(api: TestClient) -> None:
    api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    other = api.post(
        "/v1/webhooks", json={**HOOK, "url": "http://example.com/x"}, headers={"Idempotency-Key": "a"}
    )
    assert other.status_code == 422


def test_a_refusal_is_kept_too(api: TestClient) -> None:
    answers = [api.post("/v1/scope", json={}, headers={"Idempotency-Key": "a"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].json()["trace"] == answers[1].json()["trace"]


def test_the_same_key_is_another_call_for_another_caller_and_path(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    for caller in (api, stranger):
        caller.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    api.post("/v1/scope", json={}, headers={"Idempotency-Key": "a"})
    assert _rows(context, webhook) == 2


def test_an_upload_is_the_same_call_whatever_its_boundary(api: TestClient, context: Context) -> None:
    answers = [
        api.post("/v1/files/upload", files={"file": ("q.csv", CSV)}, headers={"Idempotency-Key": "a"})
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert _rows(context, file) == 1


@pytest.mark.both_stores
def test_while_the_first_call_runs_the_second_waits_for_its_answer(context: Context) -> None:
    running, released = threading.Event(), threading.Event()

    def slow() -> Response:
        with context.database.writing():
            running.set()
            assert released.wait(20)
        return PlainTextResponse("first")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(IdempotentCall(context, "key", "/v1/scope", "a", "digest", "1").run, slow)
        assert running.wait(20)
        again = IdempotentCall(context, "key", "/v1/scope", "a", "digest", "2")
        assert again.find_response() is None
        second = pool.submit(again.store_refusal, PlainTextResponse("second"))
        released.set()
        assert (first.result(20).body, second.result(20).body) == (b"first", b"first")


@pytest.mark.campaign
def test_a_first_call_that_runs_for_long_is_409(settings: Settings) -> None:
    """On SQLite it holds the one write lock, so that the second call ends as any other does: 503."""
    app = create_service(settings.model_copy(update={"database_timeout": 1}))
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        with context.database.reading() as connection:
            key_id = connection.scalar(sa.select(api_key.c.id)) or ""
        digest = hashlib.sha256(json.dumps(HOOK, separators=(",", ":")).encode()).hexdigest()
        call = IdempotentCall(context, key_id, "/v1/webhooks", "a", digest, "1")

        def repeat() -> Response:
            with context.database.writing():
                again = api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
            assert again.status_code == (503 if context.database.is_sqlite else 409), again.text
            assert again.headers["retry-after"]
            return PlainTextResponse("first", 201)

        call.run(repeat)
        answer = api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
        assert answer.text == "first"
        assert _rows(context, webhook) == 0


@pytest.mark.campaign
def test_many_at_once_make_one(api: TestClient, context: Context) -> None:
    def call(_: int) -> int:
        return api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(call, range(16)))
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert _rows(context, webhook) == 1


@pytest.mark.both_stores
def test_after_a_day_the_key_may_be_used_again(settings: Settings) -> None:
    now = [datetime(2026, 11, 20, 9, tzinfo=UTC)]
    app = create_service(settings, lambda: now[0])
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, headers={"Authorization": f"Bearer {key_for(context)}"}) as api:
        api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
        now[0] += timedelta(hours=24, seconds=1)
        assert api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"}).status_code == 201
        assert _rows(context, webhook) == 2


def test_a_key_that_is_too_long_is_400(api: TestClient) -> None:
    answer = api.post("/v1/scope", json={}, headers={"Idempotency-Key": "a" * 256})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "Idempotency-Key"


def test_a_replay_says_so_and_has_one_request_id(api: TestClient) -> None:
    for body in (HOOK, {}):
        sent = {"Idempotency-Key": f"key of {len(body)}"}
        first = api.post("/v1/webhooks", json=body, headers={**sent, "X-Request-Id": "the-first"})
        again = api.post("/v1/webhooks", json=body, headers={**sent, "X-Request-Id": "the-second"})
        assert "idempotency-replayed" not in first.headers
        assert again.headers["idempotency-replayed"] == "true"
        assert again.content == first.content
        assert again.headers.get_list("x-request-id") == ["the-first"]
        assert again.headers.get("location") == first.headers.get("location")
        if "trace" in again.json():
            assert again.json()["trace"]["requestId"] == "the-first"
