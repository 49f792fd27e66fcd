"""Who gets mail about what is on record, and who does not want it any more."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "304"
down_revision = "303"
branch_labels = None
depends_on = None
oldest_code = "303"


def upgrade() -> None:
    op.create_table(
        "mail_recipient",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("token", sa.String(43), nullable=False),
        sa.Column("refused_at", Instant),
        sa.PrimaryKeyConstraint("organisation_id", "address", name="pk_mail_recipient"),
        sa.UniqueConstraint("token", name="uq_mail_recipient_token"),
    )
