"""What a worker does again and again: heartbeat, timers, looking after the dead, forgetting what is old."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PeriodicJob:
    """`work` blocks; it runs in a thread, never twice at once, and again `seconds` after it ended."""

    name: str
    seconds: float
    work: Callable[[], object]


async def run_periodically(job: PeriodicJob) -> None:
    """Runs until it is cancelled. A round that fails is told and comes again."""
    while True:
        try:
            await asyncio.to_thread(job.work)
        except Exception as error:
            log.error("The round %s failed: %s", job.name, str(error).partition("\n")[0])
            log.debug("The round %s failed.", job.name, exc_info=True)
        await asyncio.sleep(job.seconds)
