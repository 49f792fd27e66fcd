"""The place of a quote in a file of several."""

import sqlalchemy as sa
from alembic import op

revision = "20261209"
down_revision = "20261208"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "scope_document", sa.Column("quote_position", sa.Integer(), server_default="1", nullable=False)
    )


def downgrade() -> None:
    op.drop_column("scope_document", "quote_position")
