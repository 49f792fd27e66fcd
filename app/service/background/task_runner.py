"""Runs one task: it is done, tried again later, or failed with a reason, and never dropped silently."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables.workers import task

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
BACKOFF = (timedelta(seconds=1), timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5))
FAILURE_RETRY = timedelta(minutes=10)
WORKERS_LOST = "The work did not finish: its worker stopped each time it was tried."


@dataclass(frozen=True)
class Handler:
    """How one kind of task is done. `run` may raise, and may be run again for the same subject at any time;
    `on_failed` records that it will not be done and why. Without it the task stays and is tried again. A
    worker that ends does not wait for what is not `awaited`."""

    run: Callable[[Context, str], None]
    on_failed: Callable[[Context, str, str], None] | None = None
    awaited: bool = True


Handlers = Mapping[str, Handler]


def run_task(context: Context, handlers: Handlers, kind: str, subject_id: str) -> None:
    """One attempt at the task of that row; nothing when the row is gone."""
    handler = handlers.get(kind)
    if handler is None:
        log.error("There is no handler for the task %s.", kind)
        _postpone(context, kind, subject_id, FAILURE_RETRY)
        return
    begun = _count_attempt(context, kind, subject_id)
    if begun is None:
        return
    attempt, asked_at = begun
    if attempt > MAX_ATTEMPTS and handler.on_failed is not None:
        _fail(context, handler, kind, subject_id, WORKERS_LOST)
        return
    try:
        handler.run(context, subject_id)
    except Exception as error:
        log.exception("The task %s of %s failed (attempt %d).", kind, subject_id, attempt)
        if attempt >= MAX_ATTEMPTS:
            _fail(context, handler, kind, subject_id, f"{type(error).__name__}: {error}")
        else:
            _postpone(context, kind, subject_id, BACKOFF[attempt - 1])
        return
    with context.database.writing() as connection:
        # Asked for again meanwhile, it stays: what it was asked for may have come after it was read.
        connection.execute(
            sa.delete(task).where(
                task.c.kind == kind, task.c.subject_id == subject_id, task.c.created_at == asked_at
            )
        )


def _count_attempt(context: Context, kind: str, subject_id: str) -> tuple[int, datetime] | None:
    """Counts the attempt before it is made, so that one that takes its worker down is counted too."""
    with context.database.writing() as connection:
        row = connection.execute(
            sa.update(task)
            .where(task.c.kind == kind, task.c.subject_id == subject_id)
            .values(attempts=task.c.attempts + 1)
            .returning(task.c.attempts, task.c.created_at)
        ).first()
    return None if row is None else (row.attempts, row.created_at)


def _postpone(context: Context, kind: str, subject_id: str, delay: timedelta) -> None:
    with context.database.writing() as connection:
        connection.execute(
            sa.update(task)
            .where(task.c.kind == kind, task.c.subject_id == subject_id)
            .values(due_at=context.clock() + delay)
        )


def _fail(context: Context, handler: Handler, kind: str, subject_id: str, reason: str) -> None:
    try:
        if handler.on_failed is None:
            raise NotImplementedError(f"a {kind} has no handler for its failure")
        handler.on_failed(context, subject_id, reason)
    except Exception:
        log.exception("The task %s of %s could not be recorded as failed; it stays.", kind, subject_id)
        _postpone(context, kind, subject_id, FAILURE_RETRY)
        return
    with context.database.writing() as connection:
        connection.execute(sa.delete(task).where(task.c.kind == kind, task.c.subject_id == subject_id))
