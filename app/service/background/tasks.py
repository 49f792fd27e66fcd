"""Background tasks as rows. A row stays until its work is finished or failed, and bears the id of the worker
that does it."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.service.database.dialect import notify_workers, upsert
from app.service.database.tables import task, worker


def enqueue_task(
    connection: Connection,
    *,
    kind: str,
    subject_id: str,
    organisation_id: str | None,
    now: datetime,
    after: timedelta = timedelta(),
) -> None:
    """Asks for `kind` of work on one subject, in the caller's transaction. It takes turns with that of other
    organisations; None is the deployment as a whole. Asking again while it waits only begins `after` anew;
    while it runs, it is done once more, for the sake of what changed since it began."""
    row = {
        "kind": kind,
        "subject_id": subject_id,
        "organisation_id": organisation_id,
        "created_at": now,
        "due_at": now + after,
        "attempts": 0,
    }
    upsert(connection, task, [row])
    notify_workers(connection)


def finish_task(connection: Connection, *, kind: str, subject_id: str) -> bool:
    """Removes the task, in the transaction that finishes its work. False where another one did it."""
    done = connection.execute(sa.delete(task).where(task.c.kind == kind, task.c.subject_id == subject_id))
    return done.rowcount == 1


def find_due(connection: Connection, *, kind: str, subject_id: str) -> datetime | None:
    """Finds when the task is to be done, or was to begin where it runs; None where nobody asked for it."""
    asked = task.c.kind == kind, task.c.subject_id == subject_id
    due: datetime | None = connection.scalar(sa.select(task.c.due_at).where(*asked))
    return due


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """A task that is due and that no other worker does."""

    kind: str
    subject_id: str
    organisation_id: str | None


@dataclass(frozen=True, slots=True)
class ClaimedTask:
    """A task that this worker does: its `attempt`, from 1, at what was asked for at `asked_at`."""

    kind: str
    subject_id: str
    organisation_id: str | None
    worker_id: str
    attempt: int
    asked_at: datetime

    @property
    def is_row(self) -> ColumnElement[bool]:
        """The condition of its row, as long as this worker has it."""
        return (
            (task.c.kind == self.kind)
            & (task.c.subject_id == self.subject_id)
            & (task.c.worker_id == self.worker_id)
        )


def _may_be_taken(worker_id: str) -> ColumnElement[bool]:
    """Nobody does it, or this worker has it: who asks knows what runs there, and that the rest does not."""
    return (
        task.c.worker_id.is_(None)
        | (task.c.worker_id == worker_id)
        | task.c.worker_id.not_in(sa.select(worker.c.id))
    )


def load_waiting_tasks(
    connection: Connection, kinds: ColumnElement[bool], *, worker_id: str, now: datetime, most: int
) -> list[WaitingTask]:
    """The tasks of some kinds that are due, the longest due first; at most so many of each organisation.
    Those that this worker has are among them."""
    place = sa.func.row_number().over(partition_by=task.c.organisation_id, order_by=task.c.due_at)
    columns = (task.c.kind, task.c.subject_id, task.c.organisation_id, task.c.due_at)
    due = sa.select(*columns, place.label("place")).where(
        task.c.due_at <= now, kinds, _may_be_taken(worker_id)
    )
    ranked = due.subquery()
    rows = connection.execute(
        sa.select(ranked.c.kind, ranked.c.subject_id, ranked.c.organisation_id)
        .where(ranked.c.place <= most)
        .order_by(ranked.c.due_at, ranked.c.kind, ranked.c.subject_id)
    )
    return [WaitingTask(*row) for row in rows]


def has_due_tasks(connection: Connection, now: datetime) -> bool:
    return connection.scalar(sa.select(sa.literal(1)).where(task.c.due_at <= now).limit(1)) is not None


def count_running_elsewhere(
    connection: Connection, kinds: ColumnElement[bool], *, worker_id: str
) -> Counter[str | None]:
    """How many tasks of some kinds the other living workers do now, by organisation."""
    rows = connection.execute(
        sa.select(task.c.organisation_id, sa.func.count())
        .where(task.c.worker_id != worker_id, task.c.worker_id.in_(sa.select(worker.c.id)), kinds)
        .group_by(task.c.organisation_id)
    )
    return Counter({row[0]: row[1] for row in rows})


def list_kinds_without_worker(connection: Connection, now: datetime) -> list[str]:
    """The kinds of due tasks that no living worker can do, as those of a newer version; none where a worker
    does not say what it can do."""
    kinds = connection.scalars(sa.select(task.c.kind).where(task.c.due_at <= now).distinct()).all()
    if not kinds:
        return []
    known = connection.scalars(sa.select(worker.c.task_kinds)).all()
    if not known or None in known:
        return []
    return sorted(set(kinds).difference(*known))


def claim_tasks(
    connection: Connection, waiting: Collection[WaitingTask], worker_id: str, now: datetime
) -> list[ClaimedTask]:
    """Takes those of the tasks that nobody else has taken meanwhile. The attempt is counted before it is
    made, so that one that takes its worker down is counted too."""
    claimed: list[ClaimedTask] = []
    for each in waiting:
        row = connection.execute(
            sa.update(task)
            .where(
                task.c.kind == each.kind,
                task.c.subject_id == each.subject_id,
                task.c.due_at <= now,
                _may_be_taken(worker_id),
                sa.exists().where(worker.c.id == worker_id),
            )
            .values(worker_id=worker_id, attempts=task.c.attempts + 1)
            .returning(task.c.attempts, task.c.created_at)
        ).first()
        if row is not None:
            taken = ClaimedTask(each.kind, each.subject_id, each.organisation_id, worker_id, *row)
            claimed.append(taken)
    return claimed
