"""A second opinion on documents: whom to ask, how often it was asked, and what."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key

revision = "20261214"
down_revision = "20261213"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_opinion_settings",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("address", sa.Text()),
        sa.Column("model", sa.Text()),
        sa.Column("key", sa.LargeBinary()),
        sa.Column("calls_per_day", sa.Integer(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_second_opinion_settings_organisation_id"),
        ),
        sa.PrimaryKeyConstraint("organisation_id", name=op.f("pk_second_opinion_settings")),
    )
    op.create_table(
        "second_opinion_usage",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_second_opinion_usage_organisation_id")
        ),
        sa.PrimaryKeyConstraint("organisation_id", "day", name=op.f("pk_second_opinion_usage")),
    )
    op.create_table(
        "second_opinion",
        sa.Column("scope_id", Key, nullable=False),
        sa.Column("status", sa.String(length=9), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("asked_at", Instant()),
        sa.Column("asked_about", Json, nullable=False),
        sa.Column("page_numbers", Json, nullable=False),
        sa.Column("word_count", sa.Integer(), nullable=False),
        sa.Column("named", Json),
        sa.Column("sentences", Json, nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_second_opinion_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", name=op.f("pk_second_opinion")),
    )


def downgrade() -> None:
    for table in ("second_opinion", "second_opinion_usage", "second_opinion_settings"):
        op.drop_table(table)
