"""Takes and runs single tasks as a worker does."""

import sqlalchemy as sa

from app.service.background.membership import Registration
from app.service.background.task_runner import Handlers, run_task
from app.service.background.tasks import ClaimedTask, WaitingTask, claim_tasks
from app.service.context import Context
from app.service.database.tables import task


def register_worker(context: Context, slot: str = "worker") -> Registration:
    registration = Registration(context.database, slot, context.clock)
    registration.register()
    return registration


def claim_task(context: Context, worker_id: str, kind: str, subject_id: str) -> ClaimedTask | None:
    """The task, if this worker gets it."""
    with context.database.writing() as connection:
        waiting = [WaitingTask(kind, subject_id, None)]
        return next(iter(claim_tasks(connection, waiting, worker_id, context.clock())), None)


def run_all_tasks(context: Context, handlers: Handlers) -> None:
    """Runs every task that is due, and what they ask for, until none is left."""
    registration = register_worker(context)
    while True:
        with context.database.reading() as connection:
            rows = connection.execute(sa.select(task.c.kind, task.c.subject_id)).all()
        if not rows:
            return
        for row in rows:
            claimed = claim_task(context, registration.id, row.kind, row.subject_id)
            if claimed is not None:
                run_task(context, handlers, claimed)
