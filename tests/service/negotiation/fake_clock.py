"""A clock that tests set."""

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class FakeClock:
    """Shows the same time until it is advanced."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **spans: float) -> None:
        self.now += timedelta(**spans)
