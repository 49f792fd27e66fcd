"""What agreements should cost today."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key

revision = "20261213"
down_revision = "20261212"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agreement_market",
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("amount", sa.Double, nullable=False),
        sa.Column("saving", sa.Double, nullable=False),
        sa.Column("rank", sa.Double, nullable=False),
        sa.Column("content", Json, nullable=False),
        sa.Column("priced_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agreement_id"],
            ["agreement.id"],
            name=op.f("fk_agreement_market_agreement_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("agreement_id", name=op.f("pk_agreement_market")),
    )
    op.create_index(
        op.f("ix_agreement_market_organisation_id_rank_agreement_id"),
        "agreement_market",
        ["organisation_id", "rank", "agreement_id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_table("agreement_market")
