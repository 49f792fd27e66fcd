"""Answers that were made a moment ago, kept by the process: what everybody reads is made once a second, not
once for each reader. The catalog says the same to every organisation that has no entries of its own, so one
answer serves all of them; any other is given its own answers."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.service.access.caller import read_end_user
from app.service.access.guard import ACCESS_CONTROL, CALLER, GuardedRoute, Handler
from app.service.catalog.conditional_get import conditional
from app.service.catalog.store import has_own
from app.service.context import Context
from app.service.http.dependencies import CONTEXT
from app.service.http.error_responses import problem_response
from app.service.http.problems import ApiProblem
from app.service.http.state import StateKey

REMEMBERED = "/v1/catalog/"
"""Where the routes stand whose answers are kept."""
KEPT_SECONDS = 1.0
"""What another process imported shows after this long at the latest, what this one writes at once."""
MOST_BYTES = 32 * 1024 * 1024
MOST_ANSWERS = 2_000
MOST_ORGANISATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Kept:
    """A body, its entity tag, and when it was true."""

    body: bytes
    tag: str
    made_at: float
    writes: int


class RecentAnswers:
    """The most recently used answers of one process. `clock` tells seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._making: dict[tuple[bytes, int], asyncio.Event] = {}
        self._owners: OrderedDict[str, tuple[bool, float, int]] = OrderedDict()

    def recall(self, address: bytes, writes: int) -> Kept | None:
        """The answer at `address` while it may be given; `writes` counts what the process has written."""
        with self._lock:
            kept = self._kept.get(address)
            if kept is None:
                return None
            # A clock that was set back must not keep anything longer.
            if kept.writes != writes or not 0 <= self._clock() - kept.made_at <= KEPT_SECONDS:
                self._drop(address)
                return None
            self._kept.move_to_end(address)
            return kept

    def keep(self, address: bytes, body: bytes, tag: str, *, made_at: float, writes: int) -> None:
        """`made_at` and `writes` are those of the moment before the answer was made."""
        with self._lock:
            self._drop(address)
            self._kept[address] = Kept(body, tag, made_at, writes)
            self._size += len(body)
            while self._size > MOST_BYTES or len(self._kept) > MOST_ANSWERS:
                self._drop(next(iter(self._kept)))

    def should_be_renewed(self, kept: Kept, address: bytes) -> bool:
        """Whether half of the answer's moment is over and nobody is making a new one."""
        aging = self._clock() - kept.made_at > KEPT_SECONDS / 2
        return aging and (address, kept.writes) not in self._making

    async def awaited(self, address: bytes, writes: int) -> Kept | None:
        """The answer that another request is making right now, or None when there is none to wait for."""
        making = self._making.get((address, writes))
        if making is None:
            return None
        await making.wait()
        return self.recall(address, writes)

    @contextmanager
    def making(self, address: bytes, writes: int) -> Generator[None]:
        """While an answer is made, others that ask for it wait: a page that many read is not made by all of
        them at once when its moment is over."""
        made = self._making[address, writes] = asyncio.Event()
        try:
            yield
        finally:
            made.set()
            if self._making.get((address, writes)) is made:
                del self._making[address, writes]

    def has_own(self, organisation_id: str, writes: int) -> bool | None:
        """Whether the organisation was found to have entries of its own; None where that is not known (any
        more)."""
        with self._lock:
            known = self._owners.get(organisation_id)
        if known is None or known[2] != writes or not 0 <= self._clock() - known[1] <= KEPT_SECONDS:
            return None
        return known[0]

    def keep_has_own(self, organisation_id: str, has_own: bool, *, made_at: float, writes: int) -> None:
        with self._lock:
            self._owners[organisation_id] = has_own, made_at, writes
            self._owners.move_to_end(organisation_id)
            while len(self._owners) > MOST_ORGANISATIONS:
                self._owners.popitem(last=False)

    def now(self) -> float:
        return self._clock()

    def _drop(self, address: bytes) -> None:
        gone = self._kept.pop(address, None)
        self._size -= len(gone.body) if gone else 0


RECENT_ANSWERS = StateKey[RecentAnswers]("recent_answers")
"""Of the application."""
VIEWER = StateKey[str | None]("viewer")
"""Of a request: the organisation as which it sees the catalog, None for what everybody sees."""


class _Remembering(APIRoute):
    """Stands between the guard, which runs for every request, and the framework's own handling."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def remembered(request: Request) -> Response:
            recent = RECENT_ANSWERS.get(request.app)
            made_at, writes = recent.now(), CONTEXT.get(request.app).database.writes
            viewer = await _viewer(request, made_at, writes)
            # The answer is made as this viewer sees it, so that what all share never holds anybody's own.
            VIEWER.set(request, viewer)
            address = _address(request.scope, viewer)
            kept = recent.recall(address, writes)
            if kept is None:
                kept = await recent.awaited(address, writes)
            elif recent.should_be_renewed(kept, address):
                # By this request, while the others go on being given the kept one.
                kept = None
            if kept is not None:
                return conditional(request, kept.body, kept.tag)
            with recent.making(address, writes):
                response = await handle(request)
                if response.status_code == 200:
                    tag = response.headers["etag"]
                    recent.keep(address, bytes(response.body), tag, made_at=made_at, writes=writes)
            return response

        return remembered


class RememberedRoute(GuardedRoute, _Remembering):
    """A guarded route whose answers depend on the address and the viewer alone."""


class AnsweredRecently:
    """Middleware that gives a kept answer before the framework looks for a route, which takes longer than all
    the rest. Who may have it is asked as on the route; what is not kept, or to be renewed, goes on there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: ASGIApp = self._app
        if scope["type"] == "http" and scope["method"] == "GET":
            answer = await self._kept(scope) or self._app
        await answer(scope, receive, send)

    async def _kept(self, scope: Scope) -> Response | None:
        if not scope["path"].startswith(REMEMBERED):
            return None
        request, app = Request(scope), scope["app"]
        recent, gate, writes = (
            RECENT_ANSWERS.get(app),
            ACCESS_CONTROL.get(app),
            CONTEXT.get(app).database.writes,
        )
        organisation_id = gate.cached_organisation(request)
        has_own = None if organisation_id is None else recent.has_own(organisation_id, writes)
        if has_own is None:
            return None
        address = _address(scope, organisation_id if has_own else None)
        kept = recent.recall(address, writes)
        if kept is None or recent.should_be_renewed(kept, address):
            return None
        try:
            await gate.admit(request, writes=False)
            read_end_user(request.headers)
        except ApiProblem as refusal:
            return problem_response(request, refusal)
        return conditional(request, kept.body, kept.tag)


async def _viewer(request: Request, made_at: float, writes: int) -> str | None:
    """The caller's organisation where it sees anything otherwise than everybody else, else None."""
    recent, caller = RECENT_ANSWERS.get(request.app), CALLER.get(request)
    has_own = recent.has_own(caller.organisation_id, writes)
    if has_own is None:
        has_own = await run_in_threadpool(_has_own, CONTEXT.get(request.app), caller.organisation_id)
        recent.keep_has_own(caller.organisation_id, has_own, made_at=made_at, writes=writes)
    return caller.organisation_id if has_own else None


def _has_own(context: Context, organisation_id: str) -> bool:
    with context.database.reading() as connection:
        return has_own(connection, organisation_id)


def _address(scope: Scope, viewer: str | None) -> bytes:
    path: str = scope["path"]
    query: bytes = scope["query_string"]
    return f"{viewer or ''} {path}?".encode() + query


async def _viewer_of(request: Request) -> str | None:
    return VIEWER.get(request)


ViewerDep = Annotated[str | None, Depends(_viewer_of)]
"""Whose entries an answer shows besides the shared ones, as a parameter of a remembered route."""
