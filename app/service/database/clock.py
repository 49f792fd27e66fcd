"""The time of a deployment: PostgreSQL's, so that hosts whose clocks differ agree on what is due."""

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from app.service.database.dialect import Dialect, dialect_of
from app.service.database.engine import Database

Clock = Callable[[], datetime]

READINGS = 5


def utc_now() -> datetime:
    """The machine's time."""
    return datetime.now(UTC)


def elapsed_seconds() -> float:
    """A clock that never steps. Where it can it counts the time that the machine was suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class DatabaseClock:
    """The time of PostgreSQL since the last `synchronise`, whatever the machine's own clock does meanwhile.
    Before the first one, and on SQLite, which has no clock of its own, it is the machine's."""

    def __init__(self, machine_clock: Clock = utc_now) -> None:
        self._machine_clock = machine_clock
        self._read: tuple[datetime, float] | None = None

    def __call__(self) -> datetime:
        if self._read is None:
            return self._machine_clock()
        time_of_database, at = self._read
        return time_of_database + timedelta(seconds=elapsed_seconds() - at)

    def synchronise(self, database: Database) -> None:
        """Read the database's clock a few times, and keep the reading that took the shortest: it is right
        within half of that time. What one process calls due a moment before the clock of another would else
        wait until that one looks again."""
        with database.reading() as connection:
            if dialect_of(connection) is not Dialect.SQLITE:
                _, now, at = min(_read_clock(connection) for _ in range(READINGS))
                self._read = now, at


def _read_clock(connection: sa.Connection) -> tuple[float, datetime, float]:
    """How long it took, the database's time, and ours in the middle."""
    before = elapsed_seconds()
    now: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    after = elapsed_seconds()
    return after - before, now, (before + after) / 2
