"""Waiting for background work: each look at it is a call that counts against the caller's limit, so that
looks become rarer."""

import time
from collections.abc import AsyncGenerator

import anyio

FIRST_PAUSE, LONGEST_PAUSE, GROWTH = 0.3, 4.0, 1.5


async def looks(seconds: float) -> AsyncGenerator[None]:
    """Yield before each look, the first at once, until `seconds` are over: twelve looks in 25 seconds."""
    until = time.monotonic() + seconds
    pause = FIRST_PAUSE
    while True:
        yield
        left = until - time.monotonic()
        if left <= 0:
            return
        await anyio.sleep(min(pause, left))
        pause = min(pause * GROWTH, LONGEST_PAUSE)
