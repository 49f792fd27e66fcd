"""How much of one endpoint is asked at once, and how long a request may take."""

import asyncio
from types import TracebackType

from app.service.webhooks.attempt_result import AttemptResult, Outcome

MAX_IN_FLIGHT = 16
MAX_PAUSE_SECONDS = 3600.0
FIRST_BACKOFF_SECONDS = 1.0
MAX_BACKOFF_SECONDS = 60.0


class ConcurrencyLimit:
    """`limit` requests may be in flight. Overload halves it and success adds one, up to sixteen."""

    def __init__(self) -> None:
        self.limit = MAX_IN_FLIGHT
        self._overloads = 0

    def record_result(self, result: AttemptResult) -> float:
        """Adjusts the limit to a result; returns for how many seconds nothing is sent to the endpoint."""
        if result.succeeded:
            self._overloads = 0
            self.limit = min(MAX_IN_FLIGHT, self.limit + 1)
            return 0.0
        if result.outcome is Outcome.TIMED_OUT:
            # The time-out itself was the wait.
            self.limit = max(1, self.limit // 2)
            return 0.0
        if not result.overloaded:
            return min(result.retry_after or 0.0, MAX_PAUSE_SECONDS)
        self.limit = max(1, self.limit // 2)
        self._overloads += 1
        own = min(FIRST_BACKOFF_SECONDS * 2 ** min(self._overloads - 1, 10), MAX_BACKOFF_SECONDS)
        return min(own if result.retry_after is None else result.retry_after, MAX_PAUSE_SECONDS)


class TimeLimit:
    """`with limit:` around awaits raises TimeoutError in a task that takes longer than `seconds`.

    It does what `asyncio.timeout` does, but with one timer for all tasks instead of one for each: all have
    the same time, so they end in the order in which they began. A timer for each was a tenth of the cost of a
    request.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._loop = (
            asyncio.get_running_loop()
        )  # stored, because until Python 3.12 getting it is a system call
        self._deadlines: dict[asyncio.Task[object], float] = {}
        self._overdue: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        task = asyncio.current_task(self._loop)
        assert task is not None
        self._deadlines[task] = self._loop.time() + self.seconds
        if self._timer is None:
            self._timer = self._loop.call_later(self.seconds, self._end_overdue)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task = asyncio.current_task(self._loop)
        assert task is not None
        self._deadlines.pop(task, None)
        if task in self._overdue:
            self._overdue.discard(task)
            if task.uncancel() == 0 and kind is asyncio.CancelledError:
                raise TimeoutError from error

    def _end_overdue(self) -> None:
        now = self._loop.time()
        while self._deadlines:
            task, deadline = next(iter(self._deadlines.items()))
            if deadline > now:
                self._timer = self._loop.call_at(deadline, self._end_overdue)
                return
            del self._deadlines[task]
            self._overdue.add(task)
            task.cancel()
        self._timer = None
