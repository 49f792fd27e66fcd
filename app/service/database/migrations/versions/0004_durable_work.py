"""Who works on what, whose task it is, and which round of its schedule a delivery is in."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261123"
down_revision = "20261122"
branch_labels = None
depends_on = None

TASK_OWNERS = {
    "extract": "SELECT organisation_id FROM scope WHERE scope.id = task.subject_id",
    "plan": "SELECT organisation_id FROM negotiation WHERE negotiation.id = task.subject_id",
    "agreed_purchase": "SELECT organisation_id FROM negotiation WHERE negotiation.id = task.subject_id",
    "read_attachment": "SELECT organisation_id FROM negotiation JOIN negotiation_attachment"
    " ON negotiation_attachment.negotiation_id = negotiation.id"
    " WHERE negotiation_attachment.id = task.subject_id",
}


def upgrade() -> None:
    op.add_column("delivery", sa.Column("schedule_round", sa.Integer(), server_default="0", nullable=False))
    op.add_column("webhook", sa.Column("worker_id", Key, nullable=True))
    op.add_column("task", sa.Column("organisation_id", Key, nullable=True))
    op.add_column("task", sa.Column("worker_id", Key, nullable=True))
    for kind, owner in TASK_OWNERS.items():
        op.execute(f"UPDATE task SET organisation_id = ({owner}) WHERE kind = '{kind}'")
    op.execute(
        "UPDATE task SET kind = 'fetch_document' WHERE kind = 'extract' AND subject_id IN"
        " (SELECT scope_id FROM scope_document WHERE file_id IS NULL)"
    )
    if op.get_bind().dialect.name == "postgresql":
        # What an engine of background work kept there, before workers took work in our own rows.
        op.execute("DROP SCHEMA IF EXISTS parley_engine CASCADE")
    op.drop_table("worker")
    op.create_table(
        "worker",
        sa.Column("id", Key, nullable=False),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("seen_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )


def downgrade() -> None:
    op.drop_table("worker")
    op.create_table(
        "worker",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("seen_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    op.execute("UPDATE task SET kind = 'extract' WHERE kind = 'fetch_document'")
    op.drop_column("task", "worker_id")
    op.drop_column("task", "organisation_id")
    op.drop_column("webhook", "worker_id")
    op.drop_column("delivery", "schedule_round")
