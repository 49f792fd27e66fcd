"""How often something has changed that the prices of an agreement follow from."""

import sqlalchemy as sa
from alembic import op

revision = "20261217"
down_revision = "20261216"
branch_labels = None
depends_on = None

TABLES = ("agreement", "agreement_market")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("price_changes", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "price_changes")
