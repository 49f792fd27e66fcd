"""How many requests a key may make in a minute.

Each process counts for itself and adds its counts to a shared row once a second, so that several processes
hold one limit, an overshoot of a second's traffic aside, and a request never waits for the database.
"""

import threading
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from app.service.database.dialect import add_to_count
from app.service.database.engine import Database
from app.service.database.tables import request_count
from app.service.http.problems import ApiProblem

WINDOW_SECONDS = 60
MAX_SIGN_INS = 300
"""Answers of the identity provider that one process takes in a minute from one address, which may be that of
a whole office, or of a dashboard that does not say for whom it asks."""
MINUTES_KEPT = 2
"""How far the clocks of two processes may differ while they still hold one limit."""


@dataclass
class _Count:
    minute: int
    others: int = 0  # in the shared row
    unwritten: int = 0


@dataclass(frozen=True)
class RateLimitState:
    """Where a key stands after a request: `remaining` in the window that ends in `reset_seconds`."""

    limit: int
    remaining: int
    reset_seconds: int
    exceeded: bool

    def headers(self) -> list[tuple[bytes, bytes]]:
        """RateLimit-Policy and RateLimit of the IETF draft (draft-ietf-httpapi-ratelimit-headers)."""
        return [
            (b"ratelimit-policy", f'"default";q={self.limit};w={WINDOW_SECONDS}'.encode()),
            (b"ratelimit", f'"default";r={self.remaining};t={self.reset_seconds}'.encode()),
        ]


class RateLimiter:
    """The counts of one process. `limit` 0 counts nothing."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counts: dict[str, _Count] = {}
        self._lock = threading.Lock()

    def count_request(self, key_id: str, now: datetime, times_limit: int = 1) -> RateLimitState | None:
        """Counts one request, which is one too many where there are `times_limit` times as many as may be.
        None when there is no limit."""
        if self._limit == 0:
            return None
        minute, second = divmod(int(now.timestamp()), WINDOW_SECONDS)
        with self._lock:
            count = self._counts.get(key_id)
            if count is None or count.minute != minute:
                count = self._counts[key_id] = _Count(minute)
            exceeded = count.others + count.unwritten >= self._limit * times_limit
            if not exceeded:
                count.unwritten += 1
            remaining = max(0, self._limit - count.others - count.unwritten)
        return RateLimitState(self._limit, remaining, WINDOW_SECONDS - second, exceeded)

    def synchronise(self, database: Database) -> None:
        """Adds this process's counts to the shared rows and learns those of the others."""
        with self._lock:
            due = {
                key: (count.minute, count.unwritten) for key, count in self._counts.items() if count.unwritten
            }
        if not due:
            return
        totals: dict[str, int] = {}
        with database.writing() as connection:
            for key, (minute, requests) in sorted(due.items()):
                row = {"api_key_id": key, "minute": minute}
                totals[key] = add_to_count(connection, request_count, row, request_count.c.requests, requests)
            minutes = [minute for minute, _ in due.values()]
            # Later ones are from before the clock was set back; they would count when it gets there again.
            is_over = sa.or_(
                request_count.c.minute < min(minutes) - MINUTES_KEPT,
                request_count.c.minute > max(minutes) + MINUTES_KEPT,
            )
            connection.execute(sa.delete(request_count).where(is_over))
        with self._lock:
            for key, (minute, requests) in due.items():
                count = self._counts.get(key)
                if count is not None and count.minute == minute:
                    count.unwritten -= requests
                    count.others = totals[key]


class SignInLimit:
    """Counts the sign-ins of the minute by the address of the browser."""

    def __init__(self, most: int = MAX_SIGN_INS) -> None:
        self._most = most
        self._minute = 0
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def count(self, address: str, seconds: float) -> None:
        """Raises ApiProblem 429 for one too many."""
        minute, second = divmod(int(seconds), WINDOW_SECONDS)
        with self._lock:
            if minute != self._minute:
                self._minute = minute
                self._counts.clear()
            self._counts[address] += 1
            exceeded = self._counts[address] > self._most
        if exceeded:
            wait = str(WINDOW_SECONDS - second)
            raise ApiProblem(
                429, f"Too many sign-ins; try again in {wait} seconds.", headers={"Retry-After": wait}
            )
