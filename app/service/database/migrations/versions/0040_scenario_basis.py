"""The state of the quotes that a scenario was solved on."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Document

revision = "20261228"
down_revision = "20261227"
branch_labels = None
depends_on = None
oldest_code = "20261227"


def upgrade() -> None:
    op.add_column("scenario", sa.Column("basis", Document))


def downgrade() -> None:
    op.drop_column("scenario", "basis")
