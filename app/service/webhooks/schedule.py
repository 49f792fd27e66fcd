"""When an event is sent again. The schedule is data (a setting): the seconds before each attempt. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

MAX_JITTER = 0.1
"""Each wait is up to a tenth shorter or longer, so that what failed together does not come back together."""

MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60.0


def compute_next_attempt(
    schedule: Sequence[float],
    *,
    tried: int,
    now: datetime,
    jitter: float,
    retry_after: float | None = None,
) -> datetime | None:
    """When the attempt after `tried` attempts is due, or None when the schedule is at its end. `jitter` is
    from 0 to 1; `retry_after` is what the endpoint asked for in seconds: it can delay, never hasten."""
    if tried >= len(schedule):
        return None
    delay = schedule[tried] * (1 + MAX_JITTER * (2 * jitter - 1))
    if retry_after is not None:
        delay = max(delay, min(retry_after, MAX_RETRY_AFTER_SECONDS))
    return now + timedelta(seconds=delay)
