"""First tables. Until the first release this one revision makes all that `tables` describes."""

from alembic import op

from app.service.database.tables import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())


def downgrade() -> None:
    metadata.drop_all(op.get_bind())
