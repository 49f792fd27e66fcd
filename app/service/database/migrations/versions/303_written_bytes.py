"""How many bytes of text the calls of each organisation wrote."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Key

revision = "303"
down_revision = "302"
branch_labels = None
depends_on = None
oldest_code = "302"


def upgrade() -> None:
    op.create_table(
        "written_bytes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_written_bytes"),
    )
    op.create_index("ix_written_bytes_organisation_id", "written_bytes", ["organisation_id"])
