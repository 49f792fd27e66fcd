"""All letters in one table.

Older versions look for them in three: they do not work beside this one."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "314"
down_revision = "313"
branch_labels = None
depends_on = None

SENDING = "status, recipient, attempts, error, next_at, created_at, sent_at"
SOURCES = {
    "negotiation_mail": (
        "organisation_id, object_kind, object_id, kind, reason, subject, body",
        "(SELECT organisation_id FROM negotiation WHERE negotiation.id = negotiation_id), 'negotiation',"
        " negotiation_id, 'supplier', kind, subject, body",
    ),
    "agreement_mail": (
        "organisation_id, object_kind, object_id, kind, reason",
        "(SELECT organisation_id FROM agreement WHERE agreement.id = agreement_id), 'agreement',"
        " agreement_id, 'deadline', alert",
    ),
    "naming_mail": (
        "organisation_id, object_kind, object_id, kind, comment_id, named_by, recipient_name",
        "organisation_id, object_kind, object_id, 'naming', comment_id, named_by, recipient_name",
    ),
}


def upgrade() -> None:
    op.create_table(
        "letter",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("object_kind", sa.String(11), nullable=False),
        sa.Column("object_id", Key, nullable=False),
        sa.Column("reason", sa.String(60)),
        sa.Column("comment_id", Key),
        *(sa.Column(name, sa.Text) for name in ("named_by", "recipient_name", "subject", "body")),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("recipient", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("next_at", Instant),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("sent_at", Instant),
        sa.PrimaryKeyConstraint("id", name="pk_letter"),
        sa.ForeignKeyConstraint(["organisation_id"], ["organisation.id"], name="fk_letter_organisation_id"),
    )
    for columns in (["object_id"], ["next_at"], ["organisation_id", "created_at"]):
        op.create_index(f"ix_letter_{'_'.join(columns)}", "letter", columns)
    for table, (columns, values) in SOURCES.items():
        op.execute(
            f"INSERT INTO letter (id, {columns}, {SENDING}) SELECT id, {values}, {SENDING} FROM {table}"
        )
        op.drop_table(table)
