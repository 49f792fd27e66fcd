"""The durable engine: decides which worker does what. The only module that knows the library (DBOS).

Our own rows, not this engine, say what is due. It is given ids only, and its state may be lost: the worker
asks for everything that is due again. Its own database (a second SQLite file, a second schema of
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
ENDPOINT_QUEUE = "pumps"
TASK_QUEUE = "tasks"
ENDPOINT_QUEUE_POLL_SECONDS = 0.4
TASK_QUEUE_POLL_SECONDS = 0.5
"""How long the first delivery to an endpoint, or a task, may wait to be taken up. Polled five times a second,
the endpoint queue made an idle worker use a quarter more of a processor."""

LISTENER_SECONDS = 0.2
ENDED_STATUSES = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
OPEN_STATUSES = ["PENDING", "ENQUEUED", "DELAYED"]
DELETE_BATCH = 500

RunEndpointWorker = Callable[[str], Awaitable[None]]
RunTask = Callable[[str, str], None]


class DurableEngine:
    """Runs endpoint workers in the event loop and tasks in threads, each once at a time over all workers."""

    def __init__(
        self,
        database_url: str,
        *,
        executor_id: str,
        run_endpoint_worker: RunEndpointWorker,
        run_task: RunTask,
    ) -> None:
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
        self._sqlite_engine: Engine | None = None
        self._single_worker = is_sqlite_url(database_url)
        if self._single_worker:
            file = engine_file_path(database_url)
            self._sqlite_engine = _open_sqlite(file)
            config["system_database_url"] = f"sqlite:///{file}"
            config["system_database_engine"] = self._sqlite_engine
        else:
            config["system_database_url"] = database_url
            config["dbos_system_schema"] = SCHEMA
            config["sys_db_pool_size"] = 5
        self.executor_id = executor_id
        DBOS(config=config)

        @DBOS.workflow(name="pump", max_recovery_attempts=None)
        async def serve_endpoint(webhook_id: str) -> None:
            await run_endpoint_worker(webhook_id)

        @DBOS.workflow(name="task", max_recovery_attempts=None)
        def task(kind: str, subject_id: str) -> None:
            run_task(kind, subject_id)

        self._endpoint_workflow = serve_endpoint
        self._task_workflow = task

    def launch(self) -> None:
        """Begins to work, in the running event loop. What this executor had not ended when it was last
        stopped or killed is taken up again."""
        logging.getLogger("dbos").setLevel(logging.WARNING)
        DBOS.launch()

    async def open_queues(self) -> None:
        if not self._single_worker:
            await DBOS.register_queue_async(
                ENDPOINT_QUEUE, polling_interval_sec=ENDPOINT_QUEUE_POLL_SECONDS, on_conflict="always_update"
            )
        await DBOS.register_queue_async(
            TASK_QUEUE,
            polling_interval_sec=TASK_QUEUE_POLL_SECONDS,
            worker_concurrency=max(2, os.cpu_count() or 1),
            on_conflict="always_update",
        )

    async def start_endpoint_worker(self, webhook_id: str) -> bool:
        """Asks for a worker for the endpoint; False when one is running already, here or elsewhere."""
        if self._single_worker:
            # A single worker knows which endpoint workers run, so it needs no queue.
            await DBOS.start_workflow_async(self._endpoint_workflow, webhook_id)
            return True
        try:
            with SetEnqueueOptions(deduplication_id=webhook_id):
                await DBOS.enqueue_workflow_async(ENDPOINT_QUEUE, self._endpoint_workflow, webhook_id)
        except faults.DBOSQueueDeduplicatedError:
            return False
        return True

    async def start_task(self, kind: str, subject_id: str) -> bool:
        """Asks for a task; False when it is queued or running already."""
        try:
            with SetEnqueueOptions(deduplication_id=f"{kind}:{subject_id}"):
                await asyncio.to_thread(
                    DBOS.enqueue_workflow, TASK_QUEUE, self._task_workflow, kind, subject_id
                )
        except faults.DBOSQueueDeduplicatedError:
            return False
        return True

    def release_all_except(self, live_ids: Iterable[str]) -> int:
        """Cancels what dead executors had begun, so that the worker can ask for it again.

        Resuming their work instead would clear its deduplication ids, and two workers would then serve one
        endpoint side by side. Blocks.
        """
        alive = {*live_ids, self.executor_id}
        begun = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        orphans = [each.workflow_id for each in begun if each.executor_id not in alive]
        if orphans:
            DBOS.cancel_workflows(orphans)
        return len(orphans)

    def count_foreign_versions(self) -> int:
        """How much unfinished work belongs to another version of the application; it would sleep. Blocks."""
        waiting = DBOS.list_workflows(status=OPEN_STATUSES, load_input=False, load_output=False)
        return sum(each.app_version not in {None, VERSION} for each in waiting)

    def delete_ended(self, older_than: timedelta) -> int:
        """Deletes the records of work that ended that long ago, which the library keeps for ever. Blocks."""
        before = datetime.now(UTC) - older_than
        forgotten = 0
        while True:
            ended = DBOS.list_workflows(
                status=ENDED_STATUSES,
                completed_before=before.isoformat(),
                limit=DELETE_BATCH,
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
        if self._sqlite_engine is not None:
            self._sqlite_engine.dispose()


def engine_file_path(database_url: str) -> Path:
    """The engine's own file, beside the one of our rows."""
    file = Path(make_url(database_url).database or "parley.sqlite3")
    return file.with_name(f"{file.stem}-engine{file.suffix}")


def _open_sqlite(file: Path) -> Engine:
    """The library sets neither WAL nor a lock at the begin of a transaction."""
    engine = sa.create_engine(
        f"sqlite:///{file}", connect_args={"timeout": 30}, pool_size=5, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = "IMMEDIATE"
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine
