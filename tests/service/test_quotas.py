"""What an organisation stores has an end, also when several calls come at once, and the refusal says how to
go on."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from app.service.access.keys import create_key
from app.service.access.quotas import sum_up_written
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.running_service import REQUIREMENT

CSV = b"item,quantity,price\nwidget,2,3.50\n"
HOOK = {"url": "http://example.com/hook", "events": ["scope.extracted"]}
START = {"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"}

Call = Callable[[int], httpx.Response]


class Limited:
    """A service with small quotas and a caller of it."""

    def __init__(self, api: TestClient, context: Context) -> None:
        self.api = api
        self.context = context

    def webhook(self, _: int = 0) -> httpx.Response:
        return self.api.post("/v1/webhooks", json=HOOK)

    def upload(self, number: int) -> httpx.Response:
        return self.api.post("/v1/files/upload", files={"file": (f"{number}.csv", CSV)})

    def negotiation(self) -> str:
        started = self.api.post("/v1/negotiation/start", json={**START, "supplier": {"name": "Works"}})
        return started.json()["negotiationId"]

    def update(self, negotiation_id: str, number: int, kind: str = "note", **payload: Any) -> httpx.Response:
        return self.api.post(
            f"/v1/negotiation/{negotiation_id}/external-update",
            json={
                "timestamp": "2026-11-20T09:30:00Z",
                "externalId": f"update {number}",
                "source": "test",
                "schema": {"$id": f"urn:svc:{kind}:1"},
                "payload": payload,
            },
        )


QUOTAS = {"max_webhooks": 3, "max_files": 3, "max_updates": 3}


@pytest.fixture
def limited(settings: Settings) -> Iterator[Limited]:
    app = create_service(settings.model_copy(update=QUOTAS))
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        yield Limited(api, context)


def at_once(call: Call, number: int = 12) -> list[int]:
    with ThreadPoolExecutor(number) as pool:
        return sorted(answer.status_code for answer in pool.map(call, range(number)))


def assert_refused(answer: httpx.Response, *words: str) -> None:
    assert answer.status_code == 409, answer.text
    assert all(word in answer.json()["detail"] for word in (*words, "operator")), answer.text


def test_webhooks_have_a_quota_that_a_deletion_gives_back(limited: Limited) -> None:
    assert at_once(limited.webhook) == [201] * 3 + [409] * 9
    assert_refused(limited.webhook(), "3 webhooks", "PARLEY_MAX_WEBHOOKS", "Delete one")
    refused = limited.api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    assert refused.status_code == 409
    one = limited.api.get("/v1/webhooks").json()[0]["id"]
    assert limited.api.delete(f"/v1/webhooks/{one}").status_code == 200
    made = limited.api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})
    assert made.status_code == 201


def test_requirements_have_a_quota(limited: Limited) -> None:
    limited.context.settings.max_requirements = 3

    def state(_: int) -> httpx.Response:
        return limited.api.post("/v1/requirements", json=REQUIREMENT)

    assert at_once(state, 6) == [201] * 3 + [409] * 3
    assert_refused(state(0), "3 ", "PARLEY_MAX_REQUIREMENTS")


def test_the_inbox_is_one_of_the_webhooks(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"max_webhooks": 1, "inbox": True}))
    provide_schema(CONTEXT.get(app).database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app))}"
        assert [api.post("/v1/webhooks/inbox").status_code for _ in range(2)] == [201, 409]


def test_files_have_a_quota(limited: Limited) -> None:
    assert at_once(limited.upload) == [201] * 3 + [409] * 9
    assert_refused(limited.upload(0), "3 files", "PARLEY_MAX_FILES")
    folder = limited.context.settings.files_dir
    assert len([path for path in folder.glob("*/*") if path.is_file()]) == 3


def test_bytes_of_files_have_a_quota(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"max_file_bytes": 3 * len(CSV)}))
    provide_schema(CONTEXT.get(app).database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(CONTEXT.get(app))}"
        limited = Limited(api, CONTEXT.get(app))
        assert at_once(limited.upload) == [201] * 3 + [409] * 9
        assert_refused(limited.upload(0), "bytes", "PARLEY_MAX_FILE_BYTES")


def test_text_that_calls_write_has_a_quota_and_what_is_stored_is_told(settings: Settings) -> None:
    app = create_service(settings.model_copy(update={"max_written_bytes": 500}))
    context = CONTEXT.get(app)
    provide_schema(context.database)

    def stored() -> dict[str, tuple[int, int]]:
        found = api.get("/v1/usage").json()["bytes"]
        return {one["kind"]: (one["stored"], one["most"]) for one in found}

    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        agreement = {"name": "Milk" * 45}
        size = len(json.dumps(agreement, separators=(",", ":")))
        for times in (1, 2):
            assert api.post("/v1/agreements", json=agreement).status_code == 201
            assert stored()["calls"] == (times * size, 500)
            sum_up_written(context.database)
        for _ in range(2):  # the refusal is not what is repeated, and nothing was written
            refused = api.post("/v1/agreements", json=agreement, headers={"Idempotency-Key": "a"})
            assert_refused(refused, "PARLEY_MAX_WRITTEN_BYTES")
        assert stored()["calls"] == (2 * size, 500)
        assert api.get("/v1/agreements").json()["pagination"]["total"] == 2
        assert api.post("/v1/keys", json={"name": "k" * 150, "role": "reader"}).status_code == 201
        api.post("/v1/files/upload", files={"file": ("a.csv", CSV)}).raise_for_status()
        assert stored()["files"] == (len(CSV), settings.max_file_bytes)


def test_a_quota_is_that_of_the_organisation_alone(limited: Limited) -> None:
    at_once(limited.webhook)
    with limited.context.database.writing() as connection:
        now = limited.context.clock()
        key = create_key(connection, name="b", organisation_name="B", role="owner", now=now)[1]
    answer = limited.api.post("/v1/webhooks", json=HOOK, headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 201


def test_updates_of_a_negotiation_have_a_quota_and_its_end_has_none(limited: Limited) -> None:
    id = limited.negotiation()
    assert at_once(lambda number: limited.update(id, number)) == [204] * 3 + [409] * 9
    assert_refused(limited.update(id, 100), "3 updates", "PARLEY_MAX_UPDATES", "cancellation")
    form = {"file": ("a.csv", CSV)}
    assert_refused(limited.api.post(f"/v1/negotiation/{id}/attach", files=form), "PARLEY_MAX_UPDATES")
    entries = limited.api.get(f"/v1/negotiation/{id}/timeline").json()["entries"]
    assert [entry["kind"] for entry in entries].count("note") == 3
    assert limited.update(id, 101, "agreement", amount=1, currency="USD").status_code == 409
    assert limited.api.get(f"/v1/negotiation/{id}/timeline").json()["entries"] == entries
    assert limited.update(id, 102, "cancellation").status_code == 204


def test_the_timeline_comes_in_pages_of_the_newest(api: TestClient, context: Context) -> None:
    limited = Limited(api, context)
    id = limited.negotiation()
    for number in range(7):
        assert limited.update(id, number, text="x").status_code == 204
    whole = api.get(f"/v1/negotiation/{id}/timeline").json()
    assert whole["pagination"] == {"total": 8, "limit": 100, "offset": 0}
    assert len(whole["entries"]) == 8
    pages = [
        api.get(f"/v1/negotiation/{id}/timeline", params={"limit": 3, "offset": offset}).json()["entries"]
        for offset in (0, 3, 6, 9)
    ]
    assert [len(page) for page in pages] == [3, 3, 2, 0]
    assert [entry for page in pages[::-1] for entry in page] == whole["entries"]
    assert api.get(f"/v1/negotiation/{id}/timeline", params={"limit": 101}).status_code == 400
