"""What waits in the database, counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.background.tasks import list_kinds_without_worker
from app.service.database.tables import delivery, letter, task, webhook, worker


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """`depths` by queue (deliveries, tasks, mail) and state: `due` now, `later`, and for tasks `running`, and
    `unknown` to every living worker. `workers` are the living ones by version."""

    depths: Mapping[tuple[str, str], int]
    oldest_due_seconds: float
    workers: Mapping[str, int]


def load_queue_figures(connection: Connection, now: datetime) -> QueueFigures:
    """The figures of a moment, read along the indexes of what is still to be done."""
    called = webhook.c.enabled & webhook.c.deleted_at.is_(None)
    due, later, oldest = _count_waiting(
        connection, delivery, now, delivery.c.webhook_id == webhook.c.id, called
    )
    depths = {("deliveries", "due"): due, ("deliveries", "later"): later, **_count_tasks(connection, now)}
    depths["mail", "due"], depths["mail", "later"], _ = _count_waiting(connection, letter, now)
    versions = connection.execute(sa.select(worker.c.version, sa.func.count()).group_by(worker.c.version))
    age = (now - oldest).total_seconds() if oldest is not None else 0.0
    return QueueFigures(depths, max(0.0, age), {row[0]: row[1] for row in versions})


def _count_waiting(
    connection: Connection, table: sa.Table, now: datetime, *conditions: sa.ColumnElement[bool]
) -> tuple[int, int, datetime | None]:
    """Return how much is due, how much is later, and since when the first is or will be due."""
    waiting = sa.select(table.c.next_at).where(*conditions, table.c.next_at.is_not(None)).subquery()
    counted = sa.select(
        sa.func.count().filter(waiting.c.next_at <= now),
        sa.func.count().filter(waiting.c.next_at > now),
        sa.func.min(waiting.c.next_at),
    )
    due, later, first = connection.execute(counted).one()
    return due, later, first


def _count_tasks(connection: Connection, now: datetime) -> Mapping[tuple[str, str], int]:
    unknown = list_kinds_without_worker(connection, now)
    state = sa.case(
        (task.c.worker_id.in_(sa.select(worker.c.id)), "running"),
        (task.c.due_at > now, "later"),
        (task.c.kind.in_(unknown), "unknown"),
        else_="due",
    )
    rows = connection.execute(sa.select(state, sa.func.count()).group_by(state))
    none = {("tasks", name): 0 for name in ("due", "later", "running", "unknown")}
    return {**none, **{("tasks", row[0]): row[1] for row in rows}}
