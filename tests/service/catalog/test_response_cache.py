"""Catalog responses are cached for a short time, and never after a write of this process."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.catalog import store
from app.service.catalog.response_cache import (
    MAX_AGE_SECONDS,
    MAX_BYTES,
    MAX_RESPONSES,
    RESPONSE_CACHE,
    CachedResponse,
    ResponseCache,
)
from app.service.context import Context
from app.service.database.tables import organisation
from app.service.http.conditional_get import EncodedBody
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import FakeClock

PAGE = "/v1/catalog/companies?limit=1"
ADDRESS = PAGE.encode()


def ask(api: TestClient, path: str, headers: dict[str, str] | None = None) -> Any:
    return api.get(path, headers=headers)


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def put_response(
    cache: ResponseCache, address: bytes = ADDRESS, body: bytes = b"{}", writes: int = 0
) -> None:
    cache.put(address, EncodedBody(body, None), '"tag"', made_at=cache.now(), writes=writes)


def test_a_response_is_served_again_until_it_expires() -> None:
    clock = Clock()
    cache = ResponseCache(clock)
    put_response(cache)
    clock.time += MAX_AGE_SECONDS
    cached = cache.get(ADDRESS, 0)
    assert cached
    assert (cached.body.content, cached.tag) == (b"{}", '"tag"')
    clock.time += 0.01
    assert cache.get(ADDRESS, 0) is None


def test_one_request_refreshes_a_response_before_it_expires() -> None:
    clock = Clock()
    cache = ResponseCache(clock)
    put_response(cache)
    cached = cache.get(ADDRESS, 0)
    assert cached
    assert not cache.needs_refresh(cached, ADDRESS)
    clock.time += MAX_AGE_SECONDS * 0.6
    assert cache.needs_refresh(cached, ADDRESS)
    with cache.building(ADDRESS, 0):
        assert not cache.needs_refresh(cached, ADDRESS)


def test_a_response_made_before_a_write_is_not_served_after_it() -> None:
    cache = ResponseCache(Clock())
    put_response(cache, writes=4)
    assert cache.get(ADDRESS, 5) is None
    assert cache.get(ADDRESS, 4) is None


def test_the_cache_is_limited_in_number_and_size() -> None:
    cache = ResponseCache(Clock())
    for number in range(MAX_RESPONSES + 10):
        put_response(cache, str(number).encode())
    assert cache.get(b"9", 0) is None
    assert cache.get(b"10", 0)
    put_response(cache, b"large", bytes(MAX_BYTES))
    assert cache.get(b"large", 0)
    assert cache.get(b"10", 0) is None
    put_response(cache, b"too large", bytes(MAX_BYTES + 1))
    assert cache.get(b"too large", 0) is None


def test_requests_wait_for_a_response_that_is_being_built() -> None:
    cache = ResponseCache(Clock())

    async def ask() -> list[bytes | None]:
        with cache.building(ADDRESS, 0):
            waiting = [asyncio.create_task(cache.wait_for(ADDRESS, 0)) for _ in range(3)]
            await asyncio.sleep(0)
            assert not any(task.done() for task in waiting)
            assert await cache.wait_for(ADDRESS, 1) is None
            put_response(cache)
        return [cached and cached.body.content for cached in await asyncio.gather(*waiting)]

    assert asyncio.run(ask()) == [b"{}"] * 3


def test_no_request_waits_for_a_response_that_failed() -> None:
    cache = ResponseCache(Clock())

    async def ask() -> object:
        waiting: list[asyncio.Task[CachedResponse | None]] = []
        with suppress(RuntimeError), cache.building(ADDRESS, 0):
            waiting.append(asyncio.create_task(cache.wait_for(ADDRESS, 0)))
            await asyncio.sleep(0)
            raise RuntimeError
        return await waiting[0], await cache.wait_for(ADDRESS, 0)

    assert asyncio.run(ask()) == (None, None)


def test_a_page_read_again_is_the_same_page(api: TestClient) -> None:
    first, again = ask(api, PAGE), ask(api, PAGE)
    assert again.content == first.content
    assert {**again.headers, "x-request-id": ""} == {**first.headers, "x-request-id": ""}
    unchanged = {"If-None-Match": first.headers["etag"]}
    assert ask(api, PAGE, unchanged).status_code == 304


def test_a_cached_page_still_checks_access(api: TestClient) -> None:
    assert ask(api, PAGE).status_code == 200
    assert ask(api, PAGE, {"Authorization": "Bearer none"}).status_code == 401
    assert ask(api, PAGE, {"x-svc-end-user-ip": "nowhere"}).status_code == 400


def test_a_cached_page_counts_against_the_rate_limit(settings: Settings) -> None:
    service = create_service(settings.model_copy(update={"rate_limit": 3}), FakeClock())
    provide_schema(CONTEXT.get(service).database)
    key = key_for(CONTEXT.get(service))
    with TestClient(service, headers={"Authorization": f"Bearer {key}"}) as limited:
        responses = [ask(limited, PAGE) for _ in range(4)]
    assert [response.status_code for response in responses] == [200, 200, 200, 429]
    assert len({response.headers["RateLimit"] for response in responses[:3]}) == 3


def test_head_of_a_cached_page_has_no_body(api: TestClient) -> None:
    page = ask(api, PAGE)
    head: Any = api.head(PAGE)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == page.headers["etag"]


def test_an_error_is_not_cached(api: TestClient) -> None:
    unknown = "/v1/catalog/companies/018f2c5e-7b1a-7c3d-9e4f-000000000001"
    assert ask(api, unknown).json()["trace"] != ask(api, unknown).json()["trace"]


def test_every_writing_transaction_is_counted(context: Context) -> None:
    before = context.database.writes
    with context.database.writing() as connection:
        connection.execute(sa.select(organisation.c.id))
    with context.database.reading() as connection:
        connection.execute(sa.select(organisation.c.id))
    assert context.database.writes == before + 1


def test_a_response_is_shared_until_an_organisation_has_entries_of_its_own(
    app: FastAPI, api: TestClient, stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for caller in (api, stranger):
        caller.get("/v1/webhooks")  # the first use of a key is noted, which is a write
    RESPONSE_CACHE.set(app, ResponseCache(Clock()))  # nothing grows old, however slow this process is
    viewers: list[str | None] = []
    list_companies = store.list_companies

    def list_and_record(connection: Any, viewer: str | None, *arguments: Any) -> store.StoredPage:
        viewers.append(viewer)
        return list_companies(connection, viewer, *arguments)

    monkeypatch.setattr(store, "list_companies", list_and_record)
    assert ask(api, PAGE).content == ask(stranger, PAGE).content
    assert viewers == [None]
    entry = {"supplier": {"name": "Own"}, "product": {"name": "Thing"}}
    assert api.post("/v1/catalog/entries", json=entry).status_code == 201
    own, others = ask(api, PAGE), ask(stranger, PAGE)
    assert [own.json()["pagination"]["total"], others.json()["pagination"]["total"]] == [1, 0]
    assert len(viewers) == 3
    assert viewers[1] is not None
    assert viewers[2] is None
    # An entity tag is confirmed only to the caller that got it, from the cache.
    for caller, own_page, other_page in ((api, own, others), (stranger, others, own)):
        assert ask(caller, PAGE, {"If-None-Match": own_page.headers["etag"]}).status_code == 304
        assert ask(caller, PAGE, {"If-None-Match": other_page.headers["etag"]}).status_code == 200
    assert len(viewers) == 3


def test_whether_an_organisation_has_own_entries_expires_with_time_or_a_write() -> None:
    clock = Clock()
    cache = ResponseCache(clock)
    cache.put_has_own("acme", True, made_at=clock(), writes=1)
    assert cache.get_has_own("acme", 1)
    assert cache.get_has_own("acme", 2) is None
    assert cache.get_has_own("other", 1) is None
    clock.time += MAX_AGE_SECONDS + 0.01
    assert cache.get_has_own("acme", 1) is None
