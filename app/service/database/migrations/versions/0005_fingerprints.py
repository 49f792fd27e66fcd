"""Fingerprints of the secret key and the folder of files."""

import sqlalchemy as sa
from alembic import op

revision = "20261123b"
down_revision = "20261123"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "fingerprint",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_fingerprint")),
    )


def downgrade() -> None:
    op.drop_table("fingerprint")
