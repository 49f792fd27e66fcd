"""Answers that were made a moment ago, kept by the process: what everybody reads is made once a second, not
once for each reader. The catalog says the same to every caller, so one answer serves all."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.service.access.caller import end_user_of
from app.service.access.guard import GuardedRoute, Handler
from app.service.catalog.cached import conditional
from app.service.context import Context
from app.service.faults import problem_response
from app.service.problems import ApiProblem

KEPT_SECONDS = 1.0
"""What another process imported shows after this long at the latest, what this one writes at once."""
MOST_BYTES = 32 * 1024 * 1024
MOST_ANSWERS = 2_000


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

    def now(self) -> float:
        return self._clock()

    def _drop(self, address: bytes) -> None:
        gone = self._kept.pop(address, None)
        self._size -= len(gone.body) if gone else 0


class _Remembering(APIRoute):
    """Stands between the guard, which runs for every request, and the framework's own handling."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def remembered(request: Request) -> Response:
            context: Context = request.app.state.context
            recent: RecentAnswers = request.app.state.recent_answers
            address = _address(request.scope)
            made_at, writes = recent.now(), context.database.writes
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
    """A guarded route whose answers depend on the address alone."""


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
        state = scope["app"].state
        recent: RecentAnswers = state.recent_answers
        address = _address(scope)
        kept = recent.recall(address, state.context.database.writes)
        if kept is None or recent.should_be_renewed(kept, address):
            return None
        request = Request(scope)
        try:
            await state.gate.admit(request, writes=False)
            end_user_of(request.headers)
        except ApiProblem as refusal:
            return problem_response(request, refusal)
        return conditional(request, kept.body, kept.tag)


def _address(scope: Scope) -> bytes:
    path: str = scope["path"]
    query: bytes = scope["query_string"]
    return path.encode() + b"?" + query
