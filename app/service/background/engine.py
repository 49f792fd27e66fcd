"""The durable engine: decides which worker does what. The only module that knows the library (DBOS).

It never says what is owed; our own rows do. So all that is given to it are ids, and its state can be lost:
the sweep asks for everything that is due again. Its own database (a second SQLite file, a second schema of
PostgreSQL) keeps its many small writes away from our rows.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig, SetEnqueueOptions
from dbos import error as faults
from sqlalchemy import Engine, event
from sqlalchemy.engine import make_url

from app.service.database.engine import is_sqlite_url

log = logging.getLogger(__name__)

APPLICATION = "parley"
VERSION = "1"
"""Constant: the library's default is a hash of the code, and after a change of it what was pending would
sleep for ever. Work is short and known by ids only, so the newest code can always take it up."""

SCHEMA = "parley_engine"
PUMPS = "pumps"
TASKS = "tasks"
PUMPS_POLLED_SECONDS = 0.4
TASKS_POLLED_SECONDS = 0.5
"""How long the first delivery to an endpoint, or a task, may wait to be taken up; at five looks a second for
pumps an idle worker used a quarter more of a processor."""

LISTENER_SECONDS = 0.2
ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
UNENDED = ["PENDING", "ENQUEUED", "DELAYED"]
FORGOTTEN_AT_ONCE = 500

RunPump = Callable[[str], Awaitable[None]]
RunTask = Callable[[str, str], None]


class DurableEngine:
    """Runs pumps in the event loop and tasks in threads, each of them once at a time over all workers."""

    def __init__(self, database_url: str, *, executor_id: str, run_pump: RunPump, run_task: RunTask) -> None:
        config: DBOSConfig = {
            "name": APPLICATION,
            "application_version": VERSION,
            "executor_id": executor_id,
            "log_level": "WARNING",
            "enable_otlp": False,
            "scheduler_polling_interval_sec": 3600.0,
            # Nothing of ours waits for its notifications, so a turn of the listener is a sleep; the end of
            # the worker waits for that sleep.
            "notification_listener_polling_interval_sec": LISTENER_SECONDS,
            "use_listen_notify": False,
        }
        self._own: Engine | None = None
        self._alone = is_sqlite_url(database_url)
        if self._alone:
            file = sqlite_file_beside(database_url)
            self._own = _open_sqlite(file)
            config["system_database_url"] = f"sqlite:///{file}"
            config["system_database_engine"] = self._own
        else:
            config["system_database_url"] = database_url
            config["dbos_system_schema"] = SCHEMA
            config["sys_db_pool_size"] = 5
        self.executor_id = executor_id
        DBOS(config=config)

        @DBOS.workflow(name="pump", max_recovery_attempts=None)
        async def pump(webhook_id: str) -> None:
            await run_pump(webhook_id)

        @DBOS.workflow(name="task", max_recovery_attempts=None)
        def task(kind: str, subject_id: str) -> None:
            run_task(kind, subject_id)

        self._pump = pump
        self._task = task

    def launch(self) -> None:
        """Begins to work, in the running event loop. What this executor had not ended when it was last
        stopped or killed is taken up again."""
        logging.getLogger("dbos").setLevel(logging.WARNING)
        DBOS.launch()

    async def open_queues(self) -> None:
        if not self._alone:
            await DBOS.register_queue_async(
                PUMPS, polling_interval_sec=PUMPS_POLLED_SECONDS, on_conflict="always_update"
            )
        await DBOS.register_queue_async(
            TASKS,
            polling_interval_sec=TASKS_POLLED_SECONDS,
            worker_concurrency=max(2, os.cpu_count() or 1),
            on_conflict="always_update",
        )

    async def start_pump(self, webhook_id: str) -> bool:
        """Asks for a pump; False when one is at it already elsewhere, and perhaps here."""
        if self._alone:
            # The only worker knows which pumps run, so there is no queue to wait for, nor to look into.
            await DBOS.start_workflow_async(self._pump, webhook_id)
            return True
        try:
            with SetEnqueueOptions(deduplication_id=webhook_id):
                await DBOS.enqueue_workflow_async(PUMPS, self._pump, webhook_id)
        except faults.DBOSQueueDeduplicatedError:
            return False
        return True

    async def start_task(self, kind: str, subject_id: str) -> bool:
        """Asks for a task; False when somebody is at it already."""
        try:
            with SetEnqueueOptions(deduplication_id=f"{kind}:{subject_id}"):
                await asyncio.to_thread(DBOS.enqueue_workflow, TASKS, self._task, kind, subject_id)
        except faults.DBOSQueueDeduplicatedError:
            return False
        return True

    def release_all_but(self, living: Iterable[str]) -> int:
        """Lets go of what dead executors had begun, so that the sweep can ask for it anew.

        Resuming their work instead would clear its deduplication ids, and two pumps would then serve one
        endpoint side by side. Blocks.
        """
        alive = {*living, self.executor_id}
        begun = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        orphans = [each.workflow_id for each in begun if each.executor_id not in alive]
        if orphans:
            DBOS.cancel_workflows(orphans)
        return len(orphans)

    def foreign_versions(self) -> int:
        """How much unfinished work belongs to another version of the application; it would sleep. Blocks."""
        waiting = DBOS.list_workflows(status=UNENDED, load_input=False, load_output=False)
        return sum(each.app_version not in {None, VERSION} for each in waiting)

    def forget(self, older_than: timedelta) -> int:
        """Deletes what ended that long ago; the library itself keeps it for ever. Blocks."""
        before = datetime.now(UTC) - older_than
        forgotten = 0
        while True:
            ended = DBOS.list_workflows(
                status=ENDED,
                completed_before=before.isoformat(),
                limit=FORGOTTEN_AT_ONCE,
                load_input=False,
                load_output=False,
            )
            if not ended:
                return forgotten
            DBOS.delete_workflows([each.workflow_id for each in ended])
            forgotten += len(ended)

    def close(self) -> None:
        """Stops taking work. Call it when what runs has ended. Blocks."""
        DBOS.destroy(destroy_registry=True)
        if self._own is not None:
            self._own.dispose()


def sqlite_file_beside(database_url: str) -> Path:
    """The engine's own file, beside the one of our rows."""
    file = Path(make_url(database_url).database or "parley.sqlite3")
    return file.with_name(f"{file.stem}-engine{file.suffix}")


def _open_sqlite(file: Path) -> Engine:
    """The library sets neither WAL nor a lock at the begin of a transaction."""
    engine = sa.create_engine(f"sqlite:///{file}", connect_args={"timeout": 30}, pool_size=5)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = "IMMEDIATE"
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine
