"""An index of the deliveries that failed for good: few among many."""

import sqlalchemy as sa
from alembic import op

revision = "20261127"
down_revision = "20261126"
branch_labels = None
depends_on = None

FAILED = sa.text("status = 'failed'")


def upgrade() -> None:
    op.create_index(
        "ix_delivery_failed",
        "delivery",
        ["webhook_id"],
        sqlite_where=FAILED,
        postgresql_where=FAILED,
    )


def downgrade() -> None:
    op.drop_index("ix_delivery_failed", table_name="delivery")
