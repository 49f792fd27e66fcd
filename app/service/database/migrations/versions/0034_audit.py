"""Roles of API keys, and the audit log, to which rows are only added."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key
from app.service.database.migrations.append_only import allow_changes, forbid_changes

revision = "20261222"
down_revision = "20261221"
branch_labels = None
depends_on = None
oldest_code = "20261221"


def upgrade() -> None:
    op.add_column("api_key", sa.Column("role", sa.String(6)))
    op.create_table(
        "audit_entry",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("actor_kind", sa.String(7), nullable=False),
        sa.Column("actor_id", Key, nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("action", sa.String(60), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("object_kind", sa.String(20), nullable=False),
        sa.Column("object_id", sa.String(200)),
        sa.Column("object_name", sa.Text()),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("details", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    op.create_index("ix_audit_entry_organisation", "audit_entry", ["organisation_id", "id"])
    op.create_index("ix_audit_entry_object", "audit_entry", ["organisation_id", "object_id", "id"])
    forbid_changes("audit_entry", "the audit log is never changed")


def downgrade() -> None:
    op.drop_table("audit_entry")
    allow_changes("audit_entry")
    op.drop_column("api_key", "role")
