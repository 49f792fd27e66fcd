"""Which purchases the lines of agreements are."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Json, Key

revision = "20261212"
down_revision = "20261211"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agreement", sa.Column("learned", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "agreement_purchase",
        sa.Column("agreement_id", Key, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("product_id", Key, nullable=True),
        sa.Column("purchase_id", Key, nullable=True),
        sa.Column("own", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("alike", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_agreement_purchase_organisation_id")
        ),
        sa.PrimaryKeyConstraint("agreement_id", "line", name=op.f("pk_agreement_purchase")),
    )
    op.create_index(op.f("ix_agreement_purchase_purchase_id"), "agreement_purchase", ["purchase_id"])
    op.create_index(
        "ix_agreement_purchase_organisation_id_product_id",
        "agreement_purchase",
        ["organisation_id", "product_id"],
    )
    # Agreements that were on record before are learned from too.
    op.execute(
        "INSERT INTO task (kind, subject_id, organisation_id, created_at, due_at, attempts)"
        " SELECT DISTINCT 'agreement_purchases', organisation_id, organisation_id, created_at, created_at, 0"
        " FROM (SELECT organisation_id, max(created_at) AS created_at FROM agreement"
        " GROUP BY organisation_id) AS owners"
    )


def downgrade() -> None:
    op.execute("DELETE FROM task WHERE kind = 'agreement_purchases'")
    op.drop_table("agreement_purchase")
    op.drop_column("agreement", "learned")
