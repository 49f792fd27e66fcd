"""How many requests one endpoint gets at once: fewer as soon as it is overloaded, more while it succeeds.
Pure."""

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
