"""How many calls are worked on at once: in all, of each kind of work, of each organisation and of each key.

Every kind of work has places of its own, so that estimates, schemas or drawings that take long leave those of
reads free. One organisation takes at most half of a kind's places, a third while others call as well, and
organisations take turns. Of what the process itself soon computes, one organisation has one call after the
other then, of all kinds together, and where the next one waits it rests between two for three times as long,
three seconds at most. What computes for long gives way to the calls of others.

Long computations give way: between two pieces of one, it waits while calls of other organisations are under
way that have not taken long. They would else share the interpreter with it, whose threads it lets take turns
a dozen times in each call.
"""

import asyncio
import threading
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from enum import Enum
from http import HTTPStatus
from math import inf
from time import monotonic, sleep, thread_time
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from app.service.http.middleware import BODY_TURN, BodyTurn
from app.service.http.problems import ApiProblem

MAX_WAIT_SECONDS = 10.0
"""The longest that a call waits for a place."""
CHECK_SECONDS = 0.5
"""After how long a call that waits first looks whether its caller is still there; then after twice as long
each time, since hundreds of them may wait."""
CROWDED_SECONDS = 1.0
"""For so long after a call of somebody else one holder takes fewer places."""
TIMES_REST = 3.0
"""How many times as long as a call took a holder whose next one waits leaves the interpreter to others, while
they go on calling."""
MAX_REST_SECONDS = 3.0
"""The longest of these rests: of whoever sends a large file, the others wait as long for their pages."""
RETRY_SECONDS = 2
"""After which a call that found no place may try again."""


class WorkKind(Enum):
    """A kind of work: the number of its places in a process, and its name in a sentence."""

    KEY = 4, "look-ups of API keys"
    TOKEN = 2, "checks of access tokens"
    READ = 6, "reads"
    WRITE = 4, "writes"
    PRICING = 2, "price estimates"
    SCHEMA = 2, "checks of schemas"
    DRAWING = 2, "drawings of pages"
    UPLOAD = 4, "uploads"
    INBOX = 2, "deliveries to the inbox"
    SIGN_IN = 4, "sign-ins"
    SIGN_IN_START = 2, "starts of sign-ins"

    def __init__(self, places: int, plural: str) -> None:
        self.places = places
        self.plural = plural


COMPUTED_HERE = frozenset({WorkKind.READ, WorkKind.WRITE, WorkKind.UPLOAD})
"""What is soon computed at this process's interpreter. Estimates, which may take long, give way to it, and
schemas and drawings have processes of their own."""

THREADS = 2 * sum(kind.places for kind in WorkKind)
"""Enough for every place, for what streams a file, and for the process's own work."""

HasLeft = Callable[[], Awaitable[bool]]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_WORK_KIND = "work_kind"


def counts_as(kind: WorkKind) -> Callable[[Endpoint], Endpoint]:
    """Mark an endpoint as that kind of work. Without a mark a GET is a read and everything else a write."""

    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _WORK_KIND, kind)
        return endpoint

    return mark


def find_work_kind(endpoint: Callable[..., Any], *, writes: bool) -> WorkKind:
    """The kind of work of an endpoint; `writes` says whether it changes anything."""
    kind: WorkKind = getattr(endpoint, _WORK_KIND, WorkKind.WRITE if writes else WorkKind.READ)
    return kind


class NoPlace(Exception):
    """All places were taken for as long as a call waits."""


class Places:
    """`total` places, of which one holder takes at most `share`, and at most `crowded_share` while others
    take some. Then one whose next call waits also gives a place back later, by `times_rest` times as long as
    it had it. For one event loop."""

    def __init__(
        self,
        total: float,
        share: float,
        wait_seconds: float,
        *,
        crowded_share: int | None = None,
        times_rest: float = 0.0,
    ) -> None:
        self._free = total
        self._share = share
        self._crowded_share = crowded_share or share
        self._latest: tuple[str, float] = "", -inf
        self._latest_other: tuple[str, float] = "", -inf
        self._wait_seconds = wait_seconds
        self._times_rest = times_rest
        self._taken: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def take(self, holder: str, has_left: HasLeft | None = None) -> AsyncGenerator[None]:
        """Take a place while the block runs. Raises NoPlace after `wait_seconds`, and ClientDisconnect when
        the caller has left meanwhile."""
        if holder != self._latest[0]:
            self._latest_other = self._latest
        self._latest = holder, monotonic()
        if self._has_place(holder):
            self._give(holder)
        else:
            await self._wait(holder, has_left)
        began = monotonic()
        try:
            yield
        finally:
            if self._times_rest and holder in self._waiting and self._is_crowded(holder):
                ended = monotonic()
                self._rest(holder, ended + min(self._times_rest * (ended - began), MAX_REST_SECONDS))
            else:
                self._give_back(holder)

    def _rest(self, holder: str, until: float) -> None:
        """Give a place back at that time, or sooner once nobody else has called for a while."""
        rest = min(until - monotonic(), CROWDED_SECONDS)
        if rest > 0 and self._is_crowded(holder):
            asyncio.get_running_loop().call_later(rest, self._rest, holder, until)
        else:
            self._give_back(holder)

    async def _wait(self, holder: str, has_left: HasLeft | None) -> None:
        loop = asyncio.get_running_loop()
        place: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(holder, deque()).append(place)
        end = loop.time() + self._wait_seconds
        check = CHECK_SECONDS
        try:
            while not place.done():
                await asyncio.wait({place}, timeout=min(check, end - loop.time()))
                check *= 2
                if place.done():
                    return
                if loop.time() >= end:
                    raise NoPlace
                if has_left is not None and await has_left():
                    raise ClientDisconnect
        except BaseException:
            if place.done():
                self._give_back(holder)  # it came in the moment in which the wait ended
            else:
                self._forget(holder, place)
            raise

    def _has_place(self, holder: str) -> bool:
        return self._free > 0 and self._taken.get(holder, 0) < self._find_share(holder)

    def _find_share(self, holder: str) -> float:
        return self._crowded_share if self._is_crowded(holder) else self._share

    def _is_crowded(self, holder: str) -> bool:
        other, at = self._latest if self._latest[0] != holder else self._latest_other
        return bool(other) and monotonic() - at < CROWDED_SECONDS

    def _give(self, holder: str) -> None:
        self._free -= 1
        self._taken[holder] = self._taken.get(holder, 0) + 1

    def _give_back(self, holder: str) -> None:
        self._free += 1
        self._taken[holder] -= 1
        if not self._taken[holder]:
            del self._taken[holder]
        for waiting in list(self._waiting):
            if self._has_place(waiting):
                # Its next call waits behind those of the others.
                places = self._waiting.pop(waiting)
                place = places.popleft()
                if places:
                    self._waiting[waiting] = places
                self._give(waiting)
                place.set_result(None)
                return

    def _forget(self, holder: str, place: asyncio.Future[None]) -> None:
        places = self._waiting[holder]
        places.remove(place)
        if not places:
            del self._waiting[holder]


class PlaceTurn(BodyTurn):
    """The turn of one body among those that arrive. Only who has the turn is read and parsed: what arrives in
    many uploads at once would else keep the event loop from every other call."""

    def __init__(self, places: Places, holder: str) -> None:
        self._places = places
        self._holder = holder
        self._taken = AsyncExitStack()

    async def begin(self) -> None:
        """Wait for the turn. Organisations take turns."""
        await self._taken.enter_async_context(self._places.take(self._holder))

    async def end(self) -> None:
        """Leave the turn to others, if it is this body's."""
        await self._taken.aclose()


class Capacity:
    """The places of one process. `calls_of_a_key` is how many calls of one key are in flight at most."""

    def __init__(self, calls_of_a_key: int, *, wait_seconds: float = MAX_WAIT_SECONDS) -> None:
        self._calls_of_a_key = calls_of_a_key
        self._calls = Places(inf, calls_of_a_key, wait_seconds)
        self._bodies = Places(1, 1, inf)
        self._computing = Places(inf, inf, inf, crowded_share=1, times_rest=TIMES_REST)
        self._short_calls = ShortCalls()
        self._work = {
            kind: Places(
                kind.places,
                max(1, kind.places // 2),
                wait_seconds,
                crowded_share=max(1, kind.places // 3),
            )
            for kind in WorkKind
        }

    @asynccontextmanager
    async def call(self, key_id: str) -> AsyncGenerator[None]:
        """Count a call of a key from its head to its answer. Raises ApiProblem 429 when the key has as many
        in flight as it may, and none of them ends while this one waits."""
        try:
            async with self._calls.take(key_id):
                yield
        except NoPlace:
            raise ApiProblem(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"This API key already has the {self._calls_of_a_key} calls in flight that it may have; wait "
                "for one of them to end.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            ) from None

    @asynccontextmanager
    async def body(self, request: Request, holder: str) -> AsyncGenerator[None]:
        """Have the body of a request wait for its turn, piece by piece, while the block reads it."""
        turn = PlaceTurn(self._bodies, holder)
        BODY_TURN.set(request, turn)
        try:
            yield
        finally:
            BODY_TURN.set(request, None)
            await turn.end()

    @asynccontextmanager
    async def work(
        self, kind: WorkKind, holder: str, has_left: HasLeft | None = None
    ) -> AsyncGenerator[None]:
        """Take a place of that kind; `holder` is the organisation, or whoever else shares. Raises ApiProblem
        503 when none gets free while the call waits, and ClientDisconnect when the caller has left."""
        try:
            async with AsyncExitStack() as taken:
                await taken.enter_async_context(self._work[kind].take(holder, has_left))
                if kind in COMPUTED_HERE:
                    await taken.enter_async_context(self._computing.take(holder, has_left))
                taken.enter_context(self._short_calls.count(holder))
                yield
        except NoPlace:
            raise ApiProblem(
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"The service is busy with other {kind.plural}; nothing was done for this call. Try again in "
                "a few seconds.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            ) from None


LONG_SECONDS = 0.1
"""A call that has computed for longer gives way."""
PIECE_SECONDS = 0.005
"""After so much of the processor it looks whether others call."""
TIMES_PIECE = 3.0
"""The longest that it waits then, as a multiple of the time that the piece took: others who call without a
pause leave it a quarter of the time, also on a machine that is busy elsewhere."""
_LOOK_SECONDS = 0.001

_Item = TypeVar("_Item")


class ShortCalls:
    """The calls under way in a process that have not taken long, by organisation or whoever else calls. May
    be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = Counter[str]()

    @contextmanager
    def count(self, holder: str) -> Generator[None]:
        """Count a call while the block runs, unless it turns out to be long."""
        call = _Call(self, holder)
        token = _CALL.set(call)
        self.add(holder, 1)
        try:
            yield
        finally:
            _CALL.reset(token)
            call.end()

    def add(self, holder: str, calls: int) -> None:
        """Count more or fewer calls of an organisation."""
        with self._lock:
            self._under_way[holder] += calls
            if not self._under_way[holder]:
                del self._under_way[holder]

    def are_of_others(self, holder: str) -> bool:
        """Whether a call of another organisation is under way."""
        with self._lock:
            return bool(self._under_way.keys() - {holder})


class _Call:
    """A call, which computes in one thread."""

    def __init__(self, calls: ShortCalls, holder: str) -> None:
        self._calls = calls
        self._holder = holder
        self._is_short = True
        self._began: float | None = None
        self._piece_began = 0.0, 0.0

    def end(self) -> None:
        """Count it no more."""
        if self._is_short:
            self._is_short = False
            self._calls.add(self._holder, -1)

    def give_way(self) -> None:
        now = thread_time()
        if self._began is None:
            self._began = now
            self._piece_began = now, monotonic()
        processor_began, began = self._piece_began
        if now - self._began < LONG_SECONDS or now - processor_began < PIECE_SECONDS:
            return
        self.end()
        until = monotonic() + TIMES_PIECE * (monotonic() - began)
        while monotonic() < until and self._calls.are_of_others(self._holder):
            sleep(_LOOK_SECONDS)
        self._piece_began = thread_time(), monotonic()


_CALL: ContextVar[_Call] = ContextVar("long_call")


def give_way() -> None:
    """Let shorter calls of other organisations go before the next piece of a computation. Outside of a call,
    as in a worker, it does nothing."""
    call = _CALL.get(None)
    if call is not None:
        call.give_way()


def giving_way(items: Iterable[_Item]) -> Generator[_Item]:
    """The items of a computation that works on one after the other, and gives way before each."""
    for item in items:
        give_way()
        yield item
