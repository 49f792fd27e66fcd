"""Feeds of deadlines for calendar programs."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261204"
down_revision = "20261203"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calendar_feed",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_calendar_feed_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calendar_feed")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_calendar_feed_token_hash")),
    )
    op.create_index(
        op.f("ix_calendar_feed_organisation_id_created_at_id"),
        "calendar_feed",
        ["organisation_id", "created_at", "id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_table("calendar_feed")
