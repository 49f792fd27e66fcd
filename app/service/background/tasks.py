"""Background tasks as rows. A row stays until its work is finished or failed, so tasks survive the loss of
the engine's own state."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import upsert
from app.service.database.tables.workers import task
from app.service.database.wakeup import notify_workers

MAX_DUE_TASKS = 200


def enqueue_task(
    connection: Connection, *, kind: str, subject_id: str, now: datetime, after: timedelta = timedelta()
) -> None:
    """Asks for `kind` of work on one subject, in the caller's transaction. Asking again while it waits only
    begins `after` anew; while it runs, it is done once more, for the sake of what changed since it began."""
    row = {"kind": kind, "subject_id": subject_id, "created_at": now, "due_at": now + after, "attempts": 0}
    upsert(connection, task, [row])
    notify_workers(connection)


_DUE = (
    sa.select(task.c.kind, task.c.subject_id)
    .where(task.c.due_at <= sa.bindparam("now"))
    .order_by(task.c.due_at)
    .limit(MAX_DUE_TASKS)
)


def load_due_tasks(connection: Connection, now: datetime) -> list[tuple[str, str]]:
    """Kind and subject of the tasks that are due, the longest due first."""
    return [(row.kind, row.subject_id) for row in connection.execute(_DUE, {"now": now})]


def finish_task(connection: Connection, *, kind: str, subject_id: str) -> None:
    """Removes the task, in the transaction that finishes its work."""
    connection.execute(sa.delete(task).where(task.c.kind == kind, task.c.subject_id == subject_id))
