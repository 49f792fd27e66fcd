"""What an organisation asks two persons for, and the calls that wait for the second."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key

revision = "311"
down_revision = "310"
branch_labels = None
depends_on = None
oldest_code = "310"


def upgrade() -> None:
    op.create_table(
        "approval_rules",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("awards", sa.Boolean, nullable=False),
        sa.Column("webhooks", sa.Boolean, nullable=False),
        sa.Column("prices_above", sa.Text),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", name="pk_approval_rules"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_approval_rules_organisation_id"
        ),
    )
    op.create_table(
        "approval",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("operation", sa.String(60), nullable=False),
        sa.Column("method", sa.String(6), nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary),
        sa.Column("body_digest", sa.String(64), nullable=False),
        sa.Column("decision", Json, nullable=False),
        sa.Column("end_user", Json),
        sa.Column("asked_kind", sa.String(6), nullable=False),
        sa.Column("asked_by", Key, nullable=False),
        sa.Column("asked_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("settled_kind", sa.String(6)),
        sa.Column("settled_by", Key),
        sa.Column("settled_at", Instant),
        sa.Column("reason", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_approval"),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name="fk_approval_organisation_id"),
    )
    op.create_index("ix_approval_expires_at", "approval", ["expires_at"])
    op.create_index(
        "ix_approval_organisation_id_status_asked_at_id",
        "approval",
        ["organisation_id", "status", "asked_at", "id"],
    )
