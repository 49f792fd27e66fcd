"""Which versions work with the database, and what each worker can do."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Json

revision = "20261215"
down_revision = "20261214"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "schema_support",
        sa.Column("oldest_code", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("oldest_code", name=op.f("pk_schema_support")),
    )
    op.add_column("worker", sa.Column("version", sa.Text(), nullable=False, server_default=""))
    op.add_column("worker", sa.Column("task_kinds", Json))
    op.add_column("worker", sa.Column("takes_work", sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    for name in ("takes_work", "task_kinds", "version"):
        op.drop_column("worker", name)
    op.drop_table("schema_support")
