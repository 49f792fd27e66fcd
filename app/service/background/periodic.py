"""How the jobs that workers run periodically are run; `worker.periodic_jobs` lists them."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)

LEADER_SECONDS = 1.0
"""How often a worker that does not lead looks whether it does now."""


@dataclass(frozen=True)
class PeriodicJob:
    """`work` blocks; it runs in a thread, never twice at once in a process, and again `seconds` after it
    ended. What one worker is to do for all is `of_leader`."""

    name: str
    seconds: float
    work: Callable[[], object]
    of_leader: bool = False


async def run_periodically(job: PeriodicJob, leads: Callable[[], bool]) -> None:
    """Runs the job until cancelled. A failure is logged, and the job runs again. A worker that begins to lead
    runs the leader's jobs at once, as it cannot know when they ran last."""
    while True:
        if job.of_leader and not leads():
            await asyncio.sleep(LEADER_SECONDS)
            continue
        try:
            await asyncio.to_thread(job.work)
        except Exception as error:
            log.error("The periodic job %s failed: %s", job.name, str(error).partition("\n")[0])
            log.debug("The periodic job %s failed.", job.name, exc_info=True)
        await asyncio.sleep(job.seconds)
