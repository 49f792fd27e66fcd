"""Comments on scopes, negotiations and agreements."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261223"
down_revision = "20261222"
branch_labels = None
depends_on = None
oldest_code = "20261222"


def upgrade() -> None:
    op.create_table(
        "comment",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("object_kind", sa.String(11), nullable=False),
        sa.Column("object_id", Key, nullable=False),
        sa.Column("author_kind", sa.String(6), nullable=False),
        sa.Column("author_id", Key, nullable=False),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("on_behalf_of", sa.Text()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("deleted_at", Instant()),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_comment_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comment")),
    )
    op.create_index(
        op.f("ix_comment_organisation_id_object_id_created_at_id"),
        "comment",
        ["organisation_id", "object_id", "created_at", "id"],
    )


def downgrade() -> None:
    op.drop_table("comment")
