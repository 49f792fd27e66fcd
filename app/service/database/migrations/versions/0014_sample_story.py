"""Sample scopes, negotiations, webhooks and files, marked as such."""

import sqlalchemy as sa
from alembic import op

revision = "20261202"
down_revision = "20261201"
branch_labels = None
depends_on = None

MARKED = ("api_key", "scope", "negotiation", "webhook", "file")


def upgrade() -> None:
    for table in MARKED:
        op.add_column(table, sa.Column("sample", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "sample_story",
        sa.Column("organisation_id", sa.String(36), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("api_key_id", sa.String(36), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resumed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name=op.f("fk_sample_story_organisation_id_organisation"),
        ),
        sa.ForeignKeyConstraint(
            ["api_key_id"], ["api_key.id"], name=op.f("fk_sample_story_api_key_id_api_key")
        ),
        sa.PrimaryKeyConstraint("organisation_id", name=op.f("pk_sample_story")),
    )


def downgrade() -> None:
    op.drop_table("sample_story")
    for table in MARKED:
        op.drop_column(table, "sample")
