"""Which line of a requirement a person said that a supplier's wording answers."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "20261229"
down_revision = "20261228"
branch_labels = None
depends_on = None
oldest_code = "20261228"


def upgrade() -> None:
    op.create_table(
        "remembered_alignment",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("supplier_key", sa.String(32), nullable=False),
        sa.Column("wording_key", sa.String(32), nullable=False),
        sa.Column("need_key", sa.String(32), nullable=False),
        sa.Column("alternate", sa.Boolean(), nullable=False),
        sa.Column("quote_id", Key, nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("decided_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_remembered_alignment_organisation_id")
        ),
        sa.ForeignKeyConstraint(
            ["quote_id"], ["sourcing_quote.id"], name=op.f("fk_remembered_alignment_quote_id")
        ),
        sa.PrimaryKeyConstraint(
            "organisation_id",
            "supplier_key",
            "wording_key",
            "need_key",
            name=op.f("pk_remembered_alignment"),
        ),
    )
    op.create_index(op.f("ix_remembered_alignment_quote_id"), "remembered_alignment", ["quote_id"])


def downgrade() -> None:
    op.drop_table("remembered_alignment")
