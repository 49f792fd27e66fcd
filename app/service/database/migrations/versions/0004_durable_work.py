"""Which round of its schedule a delivery is in."""

import sqlalchemy as sa
from alembic import op

revision = "20261123"
down_revision = "20261122"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("delivery", sa.Column("schedule_round", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("delivery", "schedule_round")
