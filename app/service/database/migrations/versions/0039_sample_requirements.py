"""Requirements that are sample data are marked."""

import sqlalchemy as sa
from alembic import op

revision = "20261227"
down_revision = "20261226"
branch_labels = None
depends_on = None
oldest_code = "20261226"


def upgrade() -> None:
    op.add_column("requirement", sa.Column("sample", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("requirement", "sample")
