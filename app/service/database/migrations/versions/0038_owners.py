"""Owners of scopes and negotiations, who is named in comments, and mail to those who were named."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key

revision = "20261226"
down_revision = "20261225"
branch_labels = None
depends_on = None
oldest_code = "20261225"


def upgrade() -> None:
    op.add_column("scope", sa.Column("owners", Json))
    op.add_column("negotiation", sa.Column("owners", Json))
    op.add_column("comment", sa.Column("named", Json))
    op.create_table(
        "naming_mail",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("object_kind", sa.String(11), nullable=False),
        sa.Column("object_id", Key, nullable=False),
        sa.Column("comment_id", Key),
        sa.Column("named_by", sa.Text(), nullable=False),
        sa.Column("recipient_name", sa.Text(), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text()),
        sa.Column("next_at", Instant()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("sent_at", Instant()),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_naming_mail_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_naming_mail")),
    )
    op.create_index(op.f("ix_naming_mail_next_at"), "naming_mail", ["next_at"])
    op.create_index(op.f("ix_naming_mail_object_id"), "naming_mail", ["object_id"])
    op.create_index(
        op.f("ix_naming_mail_organisation_id_created_at"), "naming_mail", ["organisation_id", "created_at"]
    )


def downgrade() -> None:
    op.drop_table("naming_mail")
    op.drop_column("comment", "named")
    op.drop_column("negotiation", "owners")
    op.drop_column("scope", "owners")
