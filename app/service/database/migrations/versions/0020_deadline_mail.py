"""Letters to the owners of agreements about their deadlines, and which organisations want none."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261208"
down_revision = "20261207"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agreement_mail",
        sa.Column("id", Key, nullable=False),
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("alert", sa.String(length=60), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("next_at", Instant(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("sent_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["agreement_id"], ["agreement.id"], name=op.f("fk_agreement_mail_agreement_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agreement_mail")),
        sa.UniqueConstraint(
            "agreement_id", "alert", "recipient", name=op.f("uq_agreement_mail_agreement_id_alert_recipient")
        ),
    )
    op.create_index(op.f("ix_agreement_mail_next_at"), "agreement_mail", ["next_at"])
    op.create_table(
        "deadline_mail",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_deadline_mail_organisation_id")
        ),
        sa.PrimaryKeyConstraint("organisation_id", name=op.f("pk_deadline_mail")),
    )


def downgrade() -> None:
    op.drop_table("deadline_mail")
    op.drop_table("agreement_mail")
