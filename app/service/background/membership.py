"""Which workers are alive, and whether this one still is in the eyes of the others.

A worker registers with a row under an id of its own, which it puts on each endpoint and task that it takes.
The row is what makes them its own: others take them over once it is gone. A worker that is silent for a
while, killed or only stalled, loses its row. By its own clock it can tell that this may have happened,
before it does anything more.

The longest registered of the living workers leads: it does what one of them is to do for all. No lock says
so: a process that stands still would hold it for as long as its connection lives.
"""

import logging
import threading
from collections.abc import Callable, Collection
from datetime import datetime

import sqlalchemy as sa

from app.contract.version import VERSION
from app.service.database.clock import Clock, elapsed_seconds
from app.service.database.engine import Database
from app.service.database.tables import worker
from app.service.ids import new_id

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 1.0
STOP_SECONDS = 5.0
SILENT_AFTER_SECONDS = 4.0
"""A worker whose heartbeat others have not seen change for so long is removed."""
CONFIRMED_SHARE = 0.75
"""A heartbeat counts for this share of that time, so that a worker stops before others begin."""


class Registration:
    """This worker's row. `slot` is its place on its machine: another row of the same slot is that of a worker
    that is gone. `task_kinds` are the tasks that it can do; `takes_work` says whether it takes what is
    due."""

    def __init__(
        self,
        database: Database,
        slot: str,
        clock: Clock,
        *,
        task_kinds: Collection[str] = (),
        takes_work: Callable[[], bool] = lambda: True,
    ) -> None:
        self.id = new_id()
        self._database = database
        self._slot = slot
        self._clock = clock
        self._task_kinds = sorted(task_kinds)
        self._takes_work = takes_work
        self._leads = False
        self._confirmed_at = float("-inf")
        self._lost = False
        self._others: dict[str, tuple[datetime, float]] = {}

    def register(self) -> None:
        at, now = elapsed_seconds(), self._clock()
        with self._database.writing() as connection:
            connection.execute(sa.delete(worker).where(worker.c.slot == self._slot))
            connection.execute(
                sa.insert(worker).values(
                    id=self.id,
                    slot=self._slot,
                    started_at=now,
                    seen_at=now,
                    version=VERSION,
                    task_kinds=self._task_kinds,
                )
            )
        self._confirmed_at = at

    def confirm(self) -> bool:
        """Records a heartbeat; False when the row is gone, and what this worker had taken with it."""
        at = elapsed_seconds()
        with self._database.writing() as connection:
            confirmed = connection.execute(
                sa.update(worker)
                .where(worker.c.id == self.id)
                .values(seen_at=self._clock(), takes_work=self._takes_work())
            ).rowcount
        self._lost = not confirmed
        self._confirmed_at = at
        return not self._lost

    def is_certain(self) -> bool:
        """Whether no other worker can have taken this one's place, by the last heartbeat and the time since.
        May be called from any thread."""
        return not self._lost and elapsed_seconds() - self._confirmed_at < self._confirmed_seconds

    def leads(self) -> bool:
        """Whether this worker does what one of all is to do, by the last look at the others. For moments two
        may. May be called from any thread."""
        return self._leads and self.is_certain()

    @property
    def _confirmed_seconds(self) -> float:
        return CONFIRMED_SHARE * SILENT_AFTER_SECONDS

    def check_others(self) -> None:
        """Finds out who leads, and removes each other worker whose heartbeat has not changed for a while on
        this process's own clock, so clocks that differ or step do no harm."""
        at = elapsed_seconds()
        with self._database.reading() as connection:
            rows = connection.execute(
                sa.select(worker.c.id, worker.c.seen_at, worker.c.takes_work).where(worker.c.id != self.id)
            ).all()
        self._leads = all(self.id < id for id, _, takes_work in rows if takes_work) and self._takes_work()
        known = self._others
        self._others = {
            id: known[id] if id in known and known[id][0] == seen_at else (seen_at, at)
            for id, seen_at, _ in rows
        }
        for id, (seen_at, since) in self._others.items():
            if at - since < SILENT_AFTER_SECONDS:
                continue
            with self._database.writing() as connection:
                # Unless its heartbeat came back, or it was this process that stood still.
                silent = sa.delete(worker).where(worker.c.id == id, worker.c.seen_at == seen_at)
                if connection.execute(silent).rowcount:
                    log.warning("Took over the work of a worker that is gone.")

    def deregister(self) -> None:
        with self._database.writing() as connection:
            connection.execute(sa.delete(worker).where(worker.c.id == self.id))


class Heartbeat:
    """Confirms a registration again and again, in a thread that waits for nothing else. `on_lost` is called
    in that thread, once, when another worker has taken this one's place."""

    def __init__(self, registration: Registration, on_lost: Callable[[], None]) -> None:
        self._registration = registration
        self._on_lost = on_lost
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Blocks until the heartbeat under way has ended, but not for a database that hangs."""
        self._stopping.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.wait(HEARTBEAT_SECONDS):
            try:
                if not self._registration.confirm():
                    self._on_lost()
                    return
                self._registration.check_others()
            except Exception as error:
                log.error("The heartbeat failed: %s", str(error).partition("\n")[0])
