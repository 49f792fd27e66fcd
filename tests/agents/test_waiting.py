"""Waiting for background work."""

import asyncio
import time

import pytest

from app.agents import tool


@pytest.mark.campaign
def test_looks_become_rarer_and_end() -> None:
    async def look() -> tuple[int, float]:
        began = time.monotonic()
        count = len([None async for _ in tool.looks(1.2)])
        return count, time.monotonic() - began

    count, seconds = asyncio.run(look())
    assert count == 4  # at 0, 0.3, 0.75 and 1.2 seconds
    assert 1.1 < seconds < 3


def test_nobody_waits_without_time() -> None:
    async def look() -> int:
        return len([None async for _ in tool.looks(0)])

    assert asyncio.run(look()) == 1
