"""Workers and their heartbeats, so that one can take over a dead one's work, and tasks."""

import sqlalchemy as sa

from app.service.database.columns import Instant, metadata

worker = sa.Table(
    "worker",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("started_at", Instant, nullable=False),
    sa.Column("seen_at", Instant, nullable=False),
)

task = sa.Table(
    "task",
    metadata,
    # extract (a document), plan (a negotiation), read_attachment
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("subject_id", sa.String(36), primary_key=True),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("due_at", Instant, nullable=False, index=True),  # later than created when it is tried again
    sa.Column("attempts", sa.Integer, nullable=False),
)
