"""Jobs that a worker runs periodically: heartbeat, timers, taking over dead workers, deleting old rows."""

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
    """Runs the job until cancelled. A failure is logged, and the job runs again."""
    while True:
        try:
            await asyncio.to_thread(job.work)
        except Exception as error:
            log.error("The periodic job %s failed: %s", job.name, str(error).partition("\n")[0])
            log.debug("The periodic job %s failed.", job.name, exc_info=True)
        await asyncio.sleep(job.seconds)
