"""Files of agreements are imported: by which key one is found again, and how a file writes its dates."""

import sqlalchemy as sa
from alembic import op

revision = "20261211"
down_revision = "20261210"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("agreement") as batch:
        batch.add_column(sa.Column("identity_key", sa.String(length=32), nullable=True))
    op.create_index(
        op.f("ix_agreement_organisation_id_identity_key"),
        "agreement",
        ["organisation_id", "identity_key"],
        unique=False,
    )
    with op.batch_alter_table("data_import") as batch:
        batch.alter_column("kind", existing_type=sa.String(length=9), type_=sa.String(length=10))
        batch.add_column(sa.Column("date_order", sa.String(length=11), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("data_import") as batch:
        batch.drop_column("date_order")
        batch.alter_column("kind", existing_type=sa.String(length=10), type_=sa.String(length=9))
    op.drop_index(op.f("ix_agreement_organisation_id_identity_key"), table_name="agreement")
    with op.batch_alter_table("agreement") as batch:
        batch.drop_column("identity_key")
