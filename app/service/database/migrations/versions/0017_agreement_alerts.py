"""Which events were sent about an agreement, so that each is sent once."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261205"
down_revision = "20261204"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agreement_alert",
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("sent_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agreement_id"], ["agreement.id"], name=op.f("fk_agreement_alert_agreement_id")
        ),
        sa.PrimaryKeyConstraint("agreement_id", "name", name=op.f("pk_agreement_alert")),
    )


def downgrade() -> None:
    op.drop_table("agreement_alert")
