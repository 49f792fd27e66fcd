"""Negotiations renew agreements, and agreements know when the next one begins."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Key

revision = "20261207"
down_revision = "20261206"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agreement", sa.Column("next_start", sa.Date(), nullable=True))
    op.add_column("negotiation", sa.Column("agreement_id", Key, nullable=True))
    op.add_column("negotiation", sa.Column("act_by", sa.Date(), nullable=True))
    op.create_index(op.f("ix_negotiation_agreement_id"), "negotiation", ["agreement_id"], unique=False)
    op.execute(
        "UPDATE agreement SET next_start = (SELECT following.term_start FROM agreement AS following"
        " WHERE following.id = agreement.next_agreement_id) WHERE next_agreement_id IS NOT NULL"
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_negotiation_agreement_id"), table_name="negotiation")
    op.drop_column("negotiation", "act_by")
    op.drop_column("negotiation", "agreement_id")
    op.drop_column("agreement", "next_start")
