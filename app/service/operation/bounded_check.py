"""A check that is answered in time, whatever it checks hangs."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


class BoundedCheck(Generic[Result]):
    """Runs one check at a time in a thread of its own, so that neither a check that hangs nor callers that
    wait for others take a thread from anybody. Those who ask meanwhile get the result of the same run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._run: Future[Result] | None = None

    async def result(self, check: Callable[[], Result], seconds: float) -> Result | None:
        """What the check returns; None when it has not ended after so many seconds. Raises what it raises."""
        with self._lock:
            if self._run is None or self._run.done():
                self._run = Future()
                threading.Thread(
                    target=_complete, args=(self._run, check), name="health", daemon=True
                ).start()
            run = self._run
        waiting = asyncio.wrap_future(run)
        done, _ = await asyncio.wait({waiting}, timeout=seconds)
        return waiting.result() if done else None


def _complete(run: "Future[Result]", check: Callable[[], Result]) -> None:
    try:
        run.set_result(check())
    except BaseException as error:
        run.set_exception(error)
