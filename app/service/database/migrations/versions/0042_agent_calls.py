"""The newest calls of agents' tools."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261230"
down_revision = "20261229"
branch_labels = None
depends_on = None
oldest_code = "20261229"


def upgrade() -> None:
    op.create_table(
        "agent_call",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("actor_kind", sa.String(7), nullable=False),
        sa.Column("actor_id", Key, nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("tool", sa.String(60), nullable=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_agent_call_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_call")),
    )
    op.create_index(op.f("ix_agent_call_organisation_id_id"), "agent_call", ["organisation_id", "id"])


def downgrade() -> None:
    op.drop_table("agent_call")
