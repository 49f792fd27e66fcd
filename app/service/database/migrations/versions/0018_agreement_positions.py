"""Where an agreement stands, stored with the days that this holds for."""

import sqlalchemy as sa
from alembic import op

revision = "20261206"
down_revision = "20261205"
branch_labels = None
depends_on = None

NAMES = ("status", "stage", "past", "order_day", "position_from", "position_until")


def upgrade() -> None:
    for column in (
        sa.Column("status", sa.String(16), nullable=False, server_default="unknown"),
        sa.Column("stage", sa.String(14), nullable=False, server_default="not_started"),
        sa.Column("past", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("order_day", sa.Date(), nullable=False, server_default="9999-12-31"),
        sa.Column("position_from", sa.Date(), nullable=False, server_default="9999-12-31"),
        sa.Column("position_until", sa.Date(), nullable=False, server_default="0001-01-01"),
    ):
        op.add_column("agreement", column)
    op.create_index(
        "ix_agreement_position",
        "agreement",
        ["organisation_id", "past", "order_day", "id", "status", "stage", "position_from", "position_until"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("ix_agreement_position", table_name="agreement")
    for name in NAMES:
        op.drop_column("agreement", name)
