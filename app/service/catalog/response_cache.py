"""A cache of recent catalog responses in each process: a response is built and compressed once a second, not
once for each reader. Every organisation without entries of its own sees the same catalog, so they share
responses; any other organisation has its own."""

import asyncio
import threading
import time
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

from app.service.access.guard import CALLER, GuardedRoute, Handler
from app.service.catalog.store import has_own
from app.service.context import Context
from app.service.http.conditional_get import EncodedBody, conditional_response, read_coding
from app.service.http.dependencies import CONTEXT, StateKey
from app.service.http.routing import EndpointArguments, InvalidArgument

MAX_AGE_SECONDS = 1.0
"""What another process imports is visible after this time at the latest, what this one writes at once."""
MAX_BYTES = 32 * 1024 * 1024
MAX_RESPONSES = 2_000
MAX_ORGANISATIONS = 10_000


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A body as it is sent, its entity tag, and when it was read from the database."""

    body: EncodedBody
    tag: str
    made_at: float
    writes: int


class ResponseCache:
    """The most recently used responses of one process. `clock` returns seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._responses: OrderedDict[bytes, CachedResponse] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._building: dict[tuple[bytes, int], asyncio.Event] = {}
        self._owners: OrderedDict[str, tuple[bool, float, int]] = OrderedDict()

    def get(self, address: bytes, writes: int) -> CachedResponse | None:
        """Return the response at `address` while it is valid; `writes` counts the writes of the process."""
        with self._lock:
            cached = self._responses.get(address)
            if cached is None:
                return None
            if cached.writes != writes or self._clock() - cached.made_at > MAX_AGE_SECONDS:
                self._remove(address)
                return None
            self._responses.move_to_end(address)
            return cached

    def put(self, address: bytes, body: EncodedBody, tag: str, *, made_at: float, writes: int) -> None:
        """`made_at` and `writes` are from before the response was built."""
        with self._lock:
            self._remove(address)
            self._responses[address] = CachedResponse(body, tag, made_at, writes)
            self._size += len(body.content)
            while self._size > MAX_BYTES or len(self._responses) > MAX_RESPONSES:
                self._remove(next(iter(self._responses)))

    def needs_refresh(self, cached: CachedResponse, address: bytes) -> bool:
        """Return whether half of the response's time is over and nobody is building a new one."""
        aging = self._clock() - cached.made_at > MAX_AGE_SECONDS / 2
        return aging and (address, cached.writes) not in self._building

    async def wait_for(self, address: bytes, writes: int) -> CachedResponse | None:
        """Wait for the response that another request is building; None when there is none."""
        making = self._building.get((address, writes))
        if making is None:
            return None
        await making.wait()
        return self.get(address, writes)

    @contextmanager
    def building(self, address: bytes, writes: int) -> Generator[None]:
        """Let others wait while a response is built, so that a popular page is not built by all of its
        readers at once when it expires."""
        made = self._building[address, writes] = asyncio.Event()
        try:
            yield
        finally:
            made.set()
            if self._building.get((address, writes)) is made:
                del self._building[address, writes]

    def get_has_own(self, organisation_id: str, writes: int) -> bool | None:
        """Return whether the organisation has entries of its own; None where that is not cached."""
        with self._lock:
            known = self._owners.get(organisation_id)
        if known is None or known[2] != writes or self._clock() - known[1] > MAX_AGE_SECONDS:
            return None
        return known[0]

    def put_has_own(self, organisation_id: str, has_own: bool, *, made_at: float, writes: int) -> None:
        with self._lock:
            self._owners[organisation_id] = has_own, made_at, writes
            self._owners.move_to_end(organisation_id)
            while len(self._owners) > MAX_ORGANISATIONS:
                self._owners.popitem(last=False)

    def now(self) -> float:
        return self._clock()

    def _remove(self, address: bytes) -> None:
        gone = self._responses.pop(address, None)
        self._size -= len(gone.body.content) if gone else 0


RESPONSE_CACHE = StateKey[ResponseCache]("recent_answers")
"""Of the application."""
VIEWER = StateKey[str | None]("viewer")
"""Of a request: the organisation as which it sees the catalog, None for what everybody sees."""


class _CachingRoute(APIRoute):
    """Runs between the guard, which every request passes, and the endpoint, which it calls itself: the
    framework's handling took a quarter of a read. The framework still says what is wrong with a request."""

    def get_route_handler(self) -> Handler:
        explain = super().get_route_handler()
        arguments = EndpointArguments(self.dependant)

        async def build(request: Request) -> Response:
            try:
                values = await arguments.read(request)
            except InvalidArgument:
                return await explain(request)
            return await asyncio.to_thread(self.endpoint, **values)

        async def handle_cached(request: Request) -> Response:
            recent = RESPONSE_CACHE.get(request.app)
            made_at, writes = recent.now(), CONTEXT.get(request.app).database.writes
            viewer = await _find_viewer(request, made_at, writes)
            # The response is built for this viewer, so that a shared response never has private entries.
            VIEWER.set(request, viewer)
            coding = read_coding(request.headers)
            path: str = request.scope["path"]
            query: bytes = request.scope["query_string"]
            address = f"{coding} {viewer or ''} {path}?".encode() + query
            cached = recent.get(address, writes)
            if cached is None:
                cached = await recent.wait_for(address, writes)
            elif recent.needs_refresh(cached, address):
                # This request builds the new one, while the others still get the cached one.
                cached = None
            if cached is not None:
                body = cached.body
                return conditional_response(request, cached.tag, lambda: body)
            with recent.building(address, writes):
                response = await build(request)
                if response.status_code == 200:
                    is_encoded = "content-encoding" in response.headers
                    body = EncodedBody(bytes(response.body), coding if is_encoded else None)
                    recent.put(address, body, response.headers["etag"], made_at=made_at, writes=writes)
            return response

        return handle_cached


class CachedRoute(GuardedRoute, _CachingRoute):
    """A guarded route whose responses depend on the address and the viewer alone."""


async def _find_viewer(request: Request, made_at: float, writes: int) -> str | None:
    """Return the caller's organisation where it sees something that others do not, else None."""
    recent, caller = RESPONSE_CACHE.get(request.app), CALLER.get(request)
    has_own = recent.get_has_own(caller.organisation_id, writes)
    if has_own is None:
        has_own = await run_in_threadpool(_load_has_own, CONTEXT.get(request.app), caller.organisation_id)
        recent.put_has_own(caller.organisation_id, has_own, made_at=made_at, writes=writes)
    return caller.organisation_id if has_own else None


def _load_has_own(context: Context, organisation_id: str) -> bool:
    with context.database.reading() as connection:
        return has_own(connection, organisation_id)


async def _get_viewer(request: Request) -> str | None:
    return VIEWER.get(request)


ViewerDep = Annotated[str | None, Depends(_get_viewer)]
"""The organisation whose entries a response shows besides the shared ones."""
