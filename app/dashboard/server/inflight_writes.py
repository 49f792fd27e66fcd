"""The writes that are under way. A server that is told to stop waits for them.

SIGTERM ends a running script within half a second, whatever it is doing; a write that the service accepted
would then never be shown, and one that was half sent is lost.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from threading import Condition


class WritesInFlight:
    """Counts the writes of all sessions of this process."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = Condition()

    @property
    def count(self) -> int:
        return self._count

    @contextmanager
    def track(self) -> Generator[None]:
        """A write is under way while the block runs."""
        with self._changed:
            self._count += 1
        try:
            yield
        finally:
            with self._changed:
                self._count -= 1
                self._changed.notify_all()

    async def wait_until_none(self, within: float) -> bool:
        """Wait until none is under way, at most `within` seconds. False when some still are."""
        return await asyncio.to_thread(self._wait, within)

    def _wait(self, within: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._count == 0, within)


inflight_writes = WritesInFlight()
"""Of this process: the scripts count up and down, the server's lifespan waits."""
