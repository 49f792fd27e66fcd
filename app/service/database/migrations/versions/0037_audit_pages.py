"""Indexes for the pages of the audit log: the newest entries of an organisation, of a person or key, of an
action, of a kind of thing and of one thing."""

from alembic import op

from app.service.database.migrations.indexes import build_index

revision = "20261225"
down_revision = "20261224"
branch_labels = None
depends_on = None
oldest_code = "20261224"
optional = True

COLUMNS = {
    "time": (),
    "actor": ("actor_id",),
    "action": ("action",),
    "kind": ("object_kind",),
    "object": ("object_id",),
}


def upgrade() -> None:
    for name, first in COLUMNS.items():
        build_index(f"ix_audit_entry_by_{name}", "audit_entry", ("organisation_id", *first, "at", "id"))


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_index(f"ix_audit_entry_by_{name}", table_name="audit_entry")
