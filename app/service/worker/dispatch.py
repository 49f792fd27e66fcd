"""Dispatches due work: endpoint workers that run in this process are woken, everything else is requested from
the durable engine, which knows whether it is running already."""

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.service.background.engine import DurableEngine
from app.service.background.tasks import load_due_tasks
from app.service.webhooks.delivery_queue import count_due_by_endpoint
from app.service.webhooks.endpoint_worker import COUNT_LIMIT
from app.service.webhooks.endpoint_workers import EndpointWorkers

log = logging.getLogger(__name__)

REQUEST_AGAIN_SECONDS = 1.0


@dataclass(frozen=True)
class DueWork:
    """Work that is due: deliveries counted by webhook, and tasks as kind and subject."""

    endpoints: dict[str, int]
    tasks: list[tuple[str, str]]


def load_due_work(connection: Connection, now: datetime) -> DueWork:
    return DueWork(count_due_by_endpoint(connection, now, COUNT_LIMIT), load_due_tasks(connection, now))


class WorkDispatcher:
    """To be used in the event loop."""

    def __init__(self) -> None:
        self._requested_at: dict[tuple[str, ...], float] = {}
        self._requests: set[asyncio.Task[None]] = set()
        self._endpoint_workers: EndpointWorkers | None = None
        self._engine: DurableEngine | None = None

    def start(self, endpoint_workers: EndpointWorkers, engine: DurableEngine) -> None:
        self._endpoint_workers, self._engine = endpoint_workers, engine

    def stop(self) -> None:
        """Starts nothing new from now on."""
        self._engine = None

    def dispatch(self, due: DueWork) -> None:
        """Called with what is due, each second and whenever something changed."""
        if self._engine is None or self._endpoint_workers is None:
            return
        absent: Iterable[tuple[str, ...]] = [(id,) for id in self._endpoint_workers.wake(due.endpoints)]
        for work in [*absent, *due.tasks]:
            if self._may_request(work):
                asking = asyncio.create_task(self._request(self._engine, work))
                self._requests.add(asking)
                asking.add_done_callback(self._requests.discard)

    def _may_request(self, work: tuple[str, ...]) -> bool:
        """Whether the last request was long enough ago: the engine may need a moment, or another worker has
        it."""
        now = time.monotonic()
        if now - self._requested_at.get(work, -REQUEST_AGAIN_SECONDS) < REQUEST_AGAIN_SECONDS:
            return False
        if len(self._requested_at) > 10_000:
            self._requested_at = {
                each: at for each, at in self._requested_at.items() if now - at < REQUEST_AGAIN_SECONDS
            }
        self._requested_at[work] = now
        return True

    async def _request(self, engine: DurableEngine, work: tuple[str, ...]) -> None:
        try:
            if len(work) == 1:
                await engine.start_endpoint_worker(work[0])
            else:
                await engine.start_task(work[0], work[1])
        except Exception as error:
            log.error("The engine cannot be asked now: %s", str(error).partition("\n")[0])
