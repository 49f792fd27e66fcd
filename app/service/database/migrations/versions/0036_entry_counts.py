"""How many companies there are, and products of each, kept by triggers: versions before this one keep them
right too. On PostgreSQL nobody writes companies or products while they are first counted."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Key
from app.service.database.migrations.entry_counts import count_entries, stop_counting

revision = "20261224"
down_revision = "20261223"
branch_labels = None
depends_on = None
oldest_code = "20261223"


def upgrade() -> None:
    op.create_table(
        "entry_count",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("list_id", Key, nullable=False),
        sa.Column("organisation_id", Key),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry_count")),
    )
    op.create_index("ix_entry_count_list_id_organisation_id", "entry_count", ["list_id", "organisation_id"])
    count_entries()


def downgrade() -> None:
    stop_counting()
    op.drop_table("entry_count")
