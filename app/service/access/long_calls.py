"""Long computations give way: between two pieces of one, it waits while calls of other organisations are
under way that have not taken long. They would else share the interpreter with it, whose threads it lets take
turns a dozen times in each call."""

import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

LONG_SECONDS = 0.1
"""A call that has computed for longer gives way."""
PIECE_SECONDS = 0.005
"""After so much of the processor it looks whether others call."""
TIMES_PIECE = 3.0
"""The longest that it waits then, as a multiple of the time that the piece took: others who call without a
pause leave it a quarter of the time, also on a machine that is busy elsewhere."""
LOOK_SECONDS = 0.001

Item = TypeVar("Item")


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
        now = time.thread_time()
        if self._began is None:
            self._began = now
            self._piece_began = now, time.monotonic()
        processor_began, began = self._piece_began
        if now - self._began < LONG_SECONDS or now - processor_began < PIECE_SECONDS:
            return
        self.end()
        until = time.monotonic() + TIMES_PIECE * (time.monotonic() - began)
        while time.monotonic() < until and self._calls.are_of_others(self._holder):
            time.sleep(LOOK_SECONDS)
        self._piece_began = time.thread_time(), time.monotonic()


_CALL: ContextVar[_Call] = ContextVar("long_call")


def give_way() -> None:
    """Let shorter calls of other organisations go before the next piece of a computation. Outside of a call,
    as in a worker, it does nothing."""
    call = _CALL.get(None)
    if call is not None:
        call.give_way()


def giving_way(items: Iterable[Item]) -> Generator[Item]:
    """The items of a computation that works on one after the other, and gives way before each."""
    for item in items:
        give_way()
        yield item
