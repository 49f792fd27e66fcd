"""Runs one task: it is done, tried again later, or failed with a reason, and never dropped silently."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from app.service.background.task_turns import WORKING, TaskQueue
from app.service.background.tasks import ClaimedTask
from app.service.context import Context
from app.service.database.tables import task as task_table
from app.service.storage.file_storage import StorageFault

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
BACKOFF = (timedelta(seconds=1), timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5))
FAILURE_RETRY = timedelta(minutes=10)
FILES_RETRY = timedelta(seconds=15)
WORKERS_LOST = "The work did not finish: its worker stopped each time it was tried."


@dataclass(frozen=True)
class Handler:
    """How one kind of task is done. `run` may raise, and may be run again for the same subject at any time,
    even while it runs: what it does it does once, by conditions on the rows that it changes. `on_failed`
    records that it will not be done and why. Without it the task stays and is tried again. A worker that ends
    does not wait for what is not `awaited`."""

    run: Callable[[Context, str], None]
    on_failed: Callable[[Context, str, str], None] | None = None
    awaited: bool = True
    queue: TaskQueue = WORKING


Handlers = Mapping[str, Handler]


def run_task(context: Context, handlers: Handlers, task: ClaimedTask) -> None:
    """One attempt at a task that this worker has taken."""
    handler = handlers[task.kind]
    if task.attempt > MAX_ATTEMPTS and handler.on_failed is not None:
        _fail(context, handler, task, WORKERS_LOST)
        return
    try:
        handler.run(context, task.subject_id)
    except StorageFault as fault:
        # Not the task's fault: it waits until files can be used again, however long that takes.
        log.error("The task %s of %s waits for its files: %s", task.kind, task.subject_id, fault)
        _postpone(context, task, FILES_RETRY, counted=False)
        return
    except Exception as error:
        log.exception("The task %s of %s failed (attempt %d).", task.kind, task.subject_id, task.attempt)
        if task.attempt >= MAX_ATTEMPTS:
            _fail(context, handler, task, f"{type(error).__name__}: {error}")
        else:
            _postpone(context, task, BACKOFF[task.attempt - 1])
        return
    with context.database.writing() as connection:
        # Asked for again meanwhile, it stays: what it was asked for may have come after it was read.
        connection.execute(sa.delete(task_table).where(task.is_row, task_table.c.created_at == task.asked_at))
        connection.execute(sa.update(task_table).where(task.is_row).values(worker_id=None))


def _postpone(context: Context, task: ClaimedTask, delay: timedelta, *, counted: bool = True) -> None:
    attempts = task_table.c.attempts if counted else task_table.c.attempts - 1
    with context.database.writing() as connection:
        connection.execute(
            sa.update(task_table)
            .where(task.is_row)
            .values(due_at=context.clock() + delay, worker_id=None, attempts=attempts)
        )


def _fail(context: Context, handler: Handler, task: ClaimedTask, reason: str) -> None:
    try:
        if handler.on_failed is None:
            raise NotImplementedError(f"a {task.kind} has no handler for its failure")
        handler.on_failed(context, task.subject_id, reason)
    except Exception:
        log.exception(
            "The task %s of %s could not be recorded as failed; it stays.", task.kind, task.subject_id
        )
        _postpone(context, task, FAILURE_RETRY)
        return
    with context.database.writing() as connection:
        connection.execute(sa.delete(task_table).where(task.is_row))
