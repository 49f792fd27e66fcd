"""Agreements with suppliers, decisions about them, and the days on which an organisation works."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json, Key

revision = "20261203"
down_revision = "20261202"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agreement",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("company_id", Key, nullable=True),
        sa.Column("supplier_name", sa.Text(), nullable=True),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("term_start", sa.Date(), nullable=True),
        sa.Column("term_end", sa.Date(), nullable=True),
        sa.Column("renewal_type", sa.String(length=10), nullable=True),
        sa.Column("auto_renewal_term_months", sa.Integer(), nullable=True),
        sa.Column("max_renewals", sa.Integer(), nullable=True),
        sa.Column("max_extent_date", sa.Date(), nullable=True),
        sa.Column("notice_value", sa.Integer(), nullable=True),
        sa.Column("notice_unit", sa.String(length=12), nullable=True),
        sa.Column("notice_to", sa.String(length=8), nullable=True),
        sa.Column("delivery_buffer_days", sa.Integer(), nullable=True),
        sa.Column("notice_given_on", sa.Date(), nullable=True),
        sa.Column("options_exercised", sa.Integer(), server_default="0", nullable=False),
        sa.Column("decision", sa.String(length=11), nullable=True),
        sa.Column("decided_on", sa.Date(), nullable=True),
        sa.Column("content", Json, nullable=False),
        sa.Column("missing", Json, nullable=False),
        sa.Column("evidence", Json, nullable=False),
        sa.Column("scope_id", Key, nullable=True),
        sa.Column("negotiation_id", Key, nullable=True),
        sa.Column("file_id", Key, nullable=True),
        sa.Column("previous_agreement_id", Key, nullable=True),
        sa.Column("next_agreement_id", Key, nullable=True),
        sa.Column("end_user", Json, nullable=True),
        sa.Column("sample", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_agreement_organisation_id")
        ),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_agreement_scope_id")),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_agreement_negotiation_id")
        ),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_agreement_file_id")),
        sa.ForeignKeyConstraint(
            ["previous_agreement_id"], ["agreement.id"], name=op.f("fk_agreement_previous_agreement_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agreement")),
        sa.UniqueConstraint("negotiation_id", name=op.f("uq_agreement_negotiation_id")),
    )
    for columns in (["organisation_id", "id"], ["scope_id"], ["file_id"], ["previous_agreement_id"]):
        op.create_index(op.f(f"ix_agreement_{'_'.join(columns)}"), "agreement", columns, unique=False)
    op.create_table(
        "agreement_decision",
        sa.Column("id", Key, nullable=False),
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("decision", sa.String(length=11), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("notice_given_on", sa.Date(), nullable=True),
        sa.Column("term_end", sa.Date(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("decided_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agreement_id"], ["agreement.id"], name=op.f("fk_agreement_decision_agreement_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agreement_decision")),
    )
    op.create_index(
        op.f("ix_agreement_decision_agreement_id_decided_at_id"),
        "agreement_decision",
        ["agreement_id", "decided_at", "id"],
        unique=False,
    )
    op.create_table(
        "working_days",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("days_off", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_working_days_organisation_id")
        ),
        sa.PrimaryKeyConstraint("organisation_id", name=op.f("pk_working_days")),
    )


def downgrade() -> None:
    for table in ("working_days", "agreement_decision", "agreement"):
        op.drop_table(table)
