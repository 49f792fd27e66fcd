"""Brings what is due to those who do it: pumps that run here are stirred, everything else is asked of the
durable engine, which answers whether somebody is at it already."""

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.service.background.engine import DurableEngine
from app.service.background.tasks import tasks_due
from app.service.webhooks.delivery_queue import endpoints_due
from app.service.webhooks.endpoint_worker import ENOUGH
from app.service.webhooks.endpoint_workers import Pumps

log = logging.getLogger(__name__)

ASKED_AGAIN_AFTER_SECONDS = 1.0


@dataclass(frozen=True)
class Due:
    """What a look into the rows found."""

    endpoints: dict[str, int]
    tasks: list[tuple[str, str]]


def look(connection: Connection, now: datetime) -> Due:
    return Due(endpoints_due(connection, now, ENOUGH), tasks_due(connection, now))


class Dispatch:
    """To be used in the event loop."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, ...], float] = {}
        self._asking: set[asyncio.Task[None]] = set()
        self._pumps: Pumps | None = None
        self._engine: DurableEngine | None = None

    def begin(self, pumps: Pumps, engine: DurableEngine) -> None:
        self._pumps, self._engine = pumps, engine

    def stop(self) -> None:
        """Nothing new is begun from now on."""
        self._engine = None

    def found(self, due: Due) -> None:
        """Called with what is due, each second and whenever something changed."""
        if self._engine is None or self._pumps is None:
            return
        absent: Iterable[tuple[str, ...]] = [(id,) for id in self._pumps.stir(due.endpoints)]
        for work in [*absent, *due.tasks]:
            if self._may_ask(work):
                asking = asyncio.create_task(self._ask(self._engine, work))
                self._asking.add(asking)
                asking.add_done_callback(self._asking.discard)

    def _may_ask(self, work: tuple[str, ...]) -> bool:
        """Not again at once for what was just asked: the engine may need a moment, or another has it."""
        now = time.monotonic()
        if now - self._asked.get(work, -ASKED_AGAIN_AFTER_SECONDS) < ASKED_AGAIN_AFTER_SECONDS:
            return False
        if len(self._asked) > 10_000:
            self._asked = {
                each: at for each, at in self._asked.items() if now - at < ASKED_AGAIN_AFTER_SECONDS
            }
        self._asked[work] = now
        return True

    async def _ask(self, engine: DurableEngine, work: tuple[str, ...]) -> None:
        try:
            if len(work) == 1:
                await engine.start_pump(work[0])
            else:
                await engine.start_task(work[0], work[1])
        except Exception as error:
            log.error("The engine cannot be asked now: %s", str(error).partition("\n")[0])
