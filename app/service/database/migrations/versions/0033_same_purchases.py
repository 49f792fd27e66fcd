"""Whether a purchase is that of an agreement's line, as a person decided."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261221"
down_revision = "20261220"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "same_purchase",
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("purchase_id", Key, nullable=False),
        sa.Column("same", sa.Boolean, nullable=False),
        sa.Column("decided_by", sa.Text, nullable=True),
        sa.Column("decided_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agreement_id"], ["agreement.id"], name=op.f("fk_same_purchase_agreement_id")
        ),
        sa.PrimaryKeyConstraint("agreement_id", "line", "purchase_id", name=op.f("pk_same_purchase")),
    )


def downgrade() -> None:
    op.drop_table("same_purchase")
