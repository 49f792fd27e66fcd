"""An answer is kept for a moment, and never longer than what it says is true in this process."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.catalog import store
from app.service.catalog.response_cache import (
    MAX_AGE_SECONDS,
    MAX_BYTES,
    MAX_RESPONSES,
    CachedResponse,
    ResponseCache,
)
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.database.tables.access import organisation
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for

PAGE = "/v1/catalog/companies?limit=1"
HERE = PAGE.encode()


def ask(api: TestClient, path: str, headers: dict[str, str] | None = None) -> Any:
    return api.get(path, headers=headers)


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def keep(recent: ResponseCache, address: bytes = HERE, body: bytes = b"{}", writes: int = 0) -> None:
    recent.put(address, body, '"tag"', made_at=recent.now(), writes=writes)


def test_an_answer_is_given_again_until_its_moment_is_over() -> None:
    clock = Clock()
    recent = ResponseCache(clock)
    keep(recent)
    clock.time += MAX_AGE_SECONDS
    kept = recent.get(HERE, 0)
    assert kept
    assert (kept.body, kept.tag) == (b"{}", '"tag"')
    clock.time += 0.01
    assert recent.get(HERE, 0) is None
    keep(recent)
    clock.time -= 3600
    assert recent.get(HERE, 0) is None


def test_an_answer_is_renewed_by_one_request_before_its_moment_is_over() -> None:
    clock = Clock()
    recent = ResponseCache(clock)
    keep(recent)
    kept = recent.get(HERE, 0)
    assert kept
    assert not recent.needs_refresh(kept, HERE)
    clock.time += MAX_AGE_SECONDS * 0.6
    assert recent.needs_refresh(kept, HERE)
    with recent.building(HERE, 0):
        assert not recent.needs_refresh(kept, HERE)


def test_an_answer_made_before_a_write_is_not_given_after_it() -> None:
    recent = ResponseCache(Clock())
    keep(recent, writes=4)
    assert recent.get(HERE, 5) is None
    assert recent.get(HERE, 4) is None


def test_only_so_much_is_kept() -> None:
    recent = ResponseCache(Clock())
    for number in range(MAX_RESPONSES + 10):
        keep(recent, str(number).encode())
    assert recent.get(b"9", 0) is None
    assert recent.get(b"10", 0)
    keep(recent, b"large", bytes(MAX_BYTES))
    assert recent.get(b"large", 0)
    assert recent.get(b"10", 0) is None
    keep(recent, b"too large", bytes(MAX_BYTES + 1))
    assert recent.get(b"too large", 0) is None


def test_those_who_ask_while_an_answer_is_made_wait_for_it() -> None:
    recent = ResponseCache(Clock())

    async def ask() -> list[bytes | None]:
        with recent.building(HERE, 0):
            waiting = [asyncio.create_task(recent.wait_for(HERE, 0)) for _ in range(3)]
            await asyncio.sleep(0)
            assert not any(task.done() for task in waiting)
            assert await recent.wait_for(HERE, 1) is None
            keep(recent)
        return [kept and kept.body for kept in await asyncio.gather(*waiting)]

    assert asyncio.run(ask()) == [b"{}"] * 3


def test_nobody_waits_for_an_answer_that_failed() -> None:
    recent = ResponseCache(Clock())

    async def ask() -> object:
        waiting: list[asyncio.Task[CachedResponse | None]] = []
        with suppress(RuntimeError), recent.building(HERE, 0):
            waiting.append(asyncio.create_task(recent.wait_for(HERE, 0)))
            await asyncio.sleep(0)
            raise RuntimeError
        return await waiting[0], await recent.wait_for(HERE, 0)

    assert asyncio.run(ask()) == (None, None)


def test_a_page_read_again_is_the_same_page(api: TestClient) -> None:
    first, again = ask(api, PAGE), ask(api, PAGE)
    assert again.content == first.content
    assert {**again.headers, "x-request-id": ""} == {**first.headers, "x-request-id": ""}
    unchanged = {"If-None-Match": first.headers["etag"]}
    assert ask(api, PAGE, unchanged).status_code == 304


def test_a_kept_page_is_still_guarded(api: TestClient) -> None:
    assert ask(api, PAGE).status_code == 200
    assert ask(api, PAGE, {"Authorization": "Bearer none"}).status_code == 401
    assert ask(api, PAGE, {"x-svc-end-user-ip": "nowhere"}).status_code == 400


def test_a_kept_page_counts_against_the_rate_limit(settings: Settings) -> None:
    service = create_service(settings.model_copy(update={"rate_limit": 3}))
    migrate(CONTEXT.get(service).database)
    key = key_for(CONTEXT.get(service))
    with TestClient(service, headers={"Authorization": f"Bearer {key}"}) as limited:
        answers = [ask(limited, PAGE) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert len({answer.headers["RateLimit"] for answer in answers[:3]}) == 3


def test_head_of_a_kept_page_has_no_body(api: TestClient) -> None:
    page = ask(api, PAGE)
    head: Any = api.head(PAGE)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == page.headers["etag"]


def test_an_error_is_not_kept(api: TestClient) -> None:
    unknown = "/v1/catalog/companies/018f2c5e-7b1a-7c3d-9e4f-000000000001"
    assert ask(api, unknown).json()["trace"] != ask(api, unknown).json()["trace"]


def test_every_writing_transaction_is_counted(context: Context) -> None:
    before = context.database.writes
    with context.database.writing() as connection:
        connection.execute(sa.select(organisation.c.id))
    with context.database.reading() as connection:
        connection.execute(sa.select(organisation.c.id))
    assert context.database.writes == before + 1


def test_an_answer_is_shared_until_an_organisation_has_entries_of_its_own(
    api: TestClient, stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewers: list[str | None] = []
    listed = store.list_companies

    def noting(connection: Any, viewer: str | None, *asked: Any) -> store.StoredPage:
        viewers.append(viewer)
        return listed(connection, viewer, *asked)

    monkeypatch.setattr(store, "list_companies", noting)
    assert ask(api, PAGE).content == ask(stranger, PAGE).content
    assert viewers == [None]
    entry = {"supplier": {"name": "Own"}, "product": {"name": "Thing"}}
    assert api.post("/v1/catalog/entries", json=entry).status_code == 201
    own, others = ask(api, PAGE), ask(stranger, PAGE)
    assert [own.json()["pagination"]["total"], others.json()["pagination"]["total"]] == [1, 0]
    assert len(viewers) == 3
    assert viewers[1] is not None
    assert viewers[2] is None
    # What each holds is confirmed to it alone, from what is kept.
    for caller, held, another in ((api, own, others), (stranger, others, own)):
        assert ask(caller, PAGE, {"If-None-Match": held.headers["etag"]}).status_code == 304
        assert ask(caller, PAGE, {"If-None-Match": another.headers["etag"]}).status_code == 200
    assert len(viewers) == 3


def test_whose_entries_are_kept_is_forgotten_after_a_moment_or_a_write() -> None:
    clock = Clock()
    recent = ResponseCache(clock)
    recent.put_has_own("acme", True, made_at=clock(), writes=1)
    assert recent.get_has_own("acme", 1)
    assert recent.get_has_own("acme", 2) is None
    assert recent.get_has_own("other", 1) is None
    clock.time += MAX_AGE_SECONDS + 0.01
    assert recent.get_has_own("acme", 1) is None
