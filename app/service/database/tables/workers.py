"""Workers and their heartbeats, so that one can take over a dead one's work, and tasks."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

worker = sa.Table(
    "worker",
    metadata,
    # Of one start of a worker. What it takes (`webhook.worker_id`, `task.worker_id`) is its own while this
    # row is there.
    sa.Column("id", Key, primary_key=True),
    sa.Column("slot", sa.Text, nullable=False),
    sa.Column("started_at", Instant, nullable=False),
    sa.Column("seen_at", Instant, nullable=False),
    sa.Column("version", sa.Text, nullable=False, server_default=""),
    # The kinds of tasks that it can do; null: of a version that did not say.
    sa.Column("task_kinds", Json),
    # Whether it takes what is due: not while it ends, nor while the thread that takes work stands still.
    sa.Column("takes_work", sa.Boolean, nullable=False, server_default=sa.true()),
)

task = sa.Table(
    "task",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),  # of `worker.handlers`
    sa.Column("subject_id", sa.String(36), primary_key=True),
    sa.Column("organisation_id", Key),  # whose turn it takes; null: of the whole deployment
    sa.Column("worker_id", Key),  # who does it now; null: nobody
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False, index=True),  # later than created when it is tried again
    sa.Column("attempts", sa.Integer, nullable=False),
)
