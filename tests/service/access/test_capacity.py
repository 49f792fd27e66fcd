"""Places: how many calls are worked on at once, who waits, and whose turn comes next."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic
from typing import cast

import pytest
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from app.service.access.capacity import Capacity, NoPlace, Places, WorkKind, find_work_kind
from app.service.http.middleware import RequestMiddleware
from app.service.http.problems import ApiProblem
from app.service.main import ROUTERS

PATIENCE = 20.0


async def hold(places: Places, holder: str, release: asyncio.Event, order: list[str] | None = None) -> None:
    async with places.take(holder):
        if order is not None:
            order.append(holder)
        await release.wait()


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(PATIENCE):
            await test()

    asyncio.run(limited())


def test_one_holder_never_takes_more_than_its_share() -> None:
    async def test() -> None:
        places, release, order = Places(4, 2, PATIENCE), asyncio.Event(), list[str]()
        tasks = [asyncio.create_task(hold(places, "a", release, order)) for _ in range(10)]
        await settle()
        assert order == ["a", "a"]
        tasks.append(asyncio.create_task(hold(places, "b", release, order)))
        await settle()
        assert order == ["a", "a", "b"]
        release.set()
        await asyncio.gather(*tasks)
        assert order.count("a") == 10

    run(test)


def test_a_holder_takes_fewer_places_while_another_one_calls() -> None:
    async def test() -> None:
        places, release, order = Places(6, 3, PATIENCE, crowded_share=2), asyncio.Event(), list[str]()
        tasks = [asyncio.create_task(hold(places, "a", release, order)) for _ in range(4)]
        await settle()
        assert order == ["a"] * 3
        tasks += [asyncio.create_task(hold(places, "b", release, order)) for _ in range(3)]
        await settle()
        assert order == [*["a"] * 3, *["b"] * 2]
        release.set()
        await asyncio.gather(*tasks)
        assert len(order) == 7

    run(test)


def test_holders_take_turns() -> None:
    async def test() -> None:
        places, order = Places(1, 1, PATIENCE), list[str]()
        first = asyncio.Event()
        tasks = [asyncio.create_task(hold(places, "a", first, order))]
        await settle()
        done = asyncio.Event()
        done.set()
        tasks += [asyncio.create_task(hold(places, "a", done, order)) for _ in range(3)]
        await settle()
        tasks += [asyncio.create_task(hold(places, "b", done, order)) for _ in range(2)]
        await settle()
        first.set()
        await asyncio.gather(*tasks)
        assert order == ["a", "a", "b", "a", "b", "a"]

    run(test)


def test_a_holder_with_a_line_rests_after_a_call_while_others_call() -> None:
    async def test() -> None:
        places, order = Places(inf, inf, PATIENCE, crowded_share=1, times_rest=1.0), list[str]()
        ended = asyncio.Event()
        ended.set()
        await hold(places, "b", ended, order)
        first = asyncio.Event()
        began = monotonic()
        tasks = [asyncio.create_task(hold(places, "a", one, order)) for one in (first, ended)]
        await asyncio.sleep(0.05)
        took = monotonic() - began
        first.set()
        await tasks[0]
        released = monotonic()
        await settle()
        assert order == ["b", "a"], "the next one waits, and nobody else does"
        await hold(places, "b", ended, order)
        await tasks[1]
        assert order == ["b", "a", "b", "a"]
        assert monotonic() - released >= took * 0.9

    run(test)


@pytest.mark.parametrize(("calls", "least", "most"), [(8, 1.4, PATIENCE), (1, 0.0, 2.5)])
def test_a_long_rest_lasts_while_others_go_on_calling(calls: int, least: float, most: float) -> None:
    async def test() -> None:
        places = Places(inf, inf, PATIENCE, crowded_share=1, times_rest=30.0)
        first, ended = asyncio.Event(), asyncio.Event()
        ended.set()
        await hold(places, "b", ended)
        tasks = [asyncio.create_task(hold(places, "a", one)) for one in (first, ended)]
        await asyncio.sleep(0.2)
        first.set()
        await tasks[0]
        released = monotonic()
        for _ in range(calls):
            await hold(places, "b", ended)
            await asyncio.sleep(0.2)
        await tasks[1]
        assert least <= monotonic() - released < most

    run(test)


def test_a_wait_ends_and_leaves_nothing_behind() -> None:
    async def test() -> None:
        places, release = Places(1, 1, 0.05), asyncio.Event()
        holding = asyncio.create_task(hold(places, "a", release))
        await settle()
        with pytest.raises(NoPlace):
            await hold(places, "b", release)
        cancelled = asyncio.create_task(hold(places, "b", release))
        await settle()
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        release.set()
        await holding
        async with places.take("b"):
            pass

    run(test)


def test_a_place_that_comes_in_the_moment_in_which_the_wait_ends_is_not_lost() -> None:
    async def test() -> None:
        places, release = Places(1, 1, PATIENCE), asyncio.Event()
        holding = asyncio.create_task(hold(places, "a", release))
        await settle()
        waiting = asyncio.create_task(hold(places, "b", release))
        await settle()
        release.set()
        holding.add_done_callback(lambda _: waiting.cancel())
        await asyncio.gather(holding, waiting, return_exceptions=True)
        async with places.take("c"):
            pass

    run(test)


def test_what_finds_no_place_is_told_why_and_when_to_come_back() -> None:
    async def test() -> None:
        capacity = Capacity(calls_of_a_key=1, wait_seconds=0.01)
        async with capacity.call("key"), capacity.work(WorkKind.PRICING, "organisation"):
            with pytest.raises(ApiProblem) as many:
                async with capacity.call("key"):
                    pass
            with pytest.raises(ApiProblem) as busy:
                async with capacity.work(WorkKind.PRICING, "organisation"):
                    pass
            async with capacity.call("other"), capacity.work(WorkKind.PRICING, "other"):
                pass
            async with capacity.work(WorkKind.READ, "organisation"):
                pass
        assert many.value.status_code == 429
        assert "the 1 calls in flight" in many.value.detail
        assert busy.value.status_code == 503
        assert "price estimates" in busy.value.detail
        for refusal in (many.value, busy.value):
            assert dict(refusal.headers or {})["Retry-After"]

    run(test)


@pytest.mark.parametrize(
    ("others_call", "kind", "at_work"),
    [
        (False, WorkKind.WRITE, 6),
        (True, WorkKind.WRITE, 1),
        (True, WorkKind.PRICING, 2),
        (True, WorkKind.DRAWING, 2),
    ],
)
def test_the_short_calls_of_an_organisation_are_worked_on_one_after_the_other_while_others_call(
    others_call: bool, kind: WorkKind, at_work: int
) -> None:
    async def test() -> None:
        capacity, release, order = Capacity(10), asyncio.Event(), list[str]()

        async def call(kind: WorkKind, holder: str) -> None:
            async with capacity.work(kind, holder):
                order.append(holder)
                await release.wait()

        if others_call:
            async with capacity.work(WorkKind.READ, "b"):
                pass
        kinds = (WorkKind.READ, WorkKind.READ, WorkKind.UPLOAD, WorkKind.UPLOAD, kind, kind)
        tasks = [asyncio.create_task(call(one, "a")) for one in kinds]
        await settle()
        assert order == ["a"] * at_work
        tasks.append(asyncio.create_task(call(kind, "b")))
        await settle()
        assert order[-1] == "b"
        release.set()
        await asyncio.gather(*tasks)
        assert order.count("a") == len(kinds)

    run(test)


def test_work_that_may_take_long_has_places_of_its_own() -> None:
    kinds = {
        (method, route.path): find_work_kind(route.endpoint, writes=method != "GET")
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    marked = {call: kind for call, kind in kinds.items() if kind not in {WorkKind.READ, WorkKind.WRITE}}
    assert marked == {
        ("GET", "/v1/pricing/basic/{scopeId}"): WorkKind.PRICING,
        ("GET", "/v1/pricing/advanced/{scopeId}"): WorkKind.PRICING,
        ("GET", "/v1/pricing/explanation/{scopeId}"): WorkKind.PRICING,
        ("POST", "/v1/pricing/preview"): WorkKind.PRICING,
        ("POST", "/v1/negotiation/{negotiationId}/strategy"): WorkKind.PRICING,
        ("POST", "/v1/negotiation/{negotiationId}/external-update"): WorkKind.SCHEMA,
        ("POST", "/v1/negotiation/{negotiationId}/attach"): WorkKind.UPLOAD,
        ("POST", "/v1/scope/from-document"): WorkKind.UPLOAD,
        ("POST", "/v1/files/upload"): WorkKind.UPLOAD,
        ("GET", "/v1/scope/{scopeId}/document/pages/{page}"): WorkKind.DRAWING,
    }


def test_pieces_of_bodies_are_worked_on_one_at_a_time_and_organisations_take_turns() -> None:
    async def test() -> None:
        capacity, order = Capacity(10), list[str]()
        arriving = asyncio.Event()

        async def send(holder: str, pieces: int, first: asyncio.Event | None = None) -> None:
            async def receive() -> Message:
                if first is not None:
                    await first.wait()
                await asyncio.sleep(0)
                return {"type": "http.request", "body": b"x", "more_body": True}

            async def app(scope: Scope, receive: Receive, send: Send) -> None:
                request = Request(scope, receive)
                async with capacity.body(request, holder):
                    for _ in range(pieces):
                        await receive()
                        order.append(holder)
                        await settle()
                        assert order[-1] == holder, "another piece came in between"

            scope = {"type": "http", "method": "GET", "http_version": "1.0", "headers": [], "path": "/"}
            await RequestMiddleware(app, body_limit=100)(scope, receive, cast(Send, None))

        waiting = asyncio.create_task(send("slow", 1, arriving))
        await asyncio.gather(*(send("a", 3) for _ in range(3)), send("b", 3))
        assert order[:9].count("b") == 3, "no piece of b waits for more than two of a"
        arriving.set()
        await waiting
        assert order.count("a") == 9

    run(test)
