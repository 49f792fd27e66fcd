"""The tables of 0.3.0."""

from alembic import op

from app.service.database.migrations.first_tables import create_first_tables

revision = "316"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_first_tables(op.get_bind())
