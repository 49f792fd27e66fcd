"""Exchange rates."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant

revision = "20261120b"
down_revision = "20261120"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "exchange_rate",
        sa.Column("base", sa.String(length=3), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("rate", sa.Double, nullable=False),
        sa.Column("imported_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("base", "currency", "day", name=op.f("pk_exchange_rate")),
    )


def downgrade() -> None:
    op.drop_table("exchange_rate")
