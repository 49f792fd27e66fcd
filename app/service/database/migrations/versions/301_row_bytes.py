"""How many bytes of text an import brings."""

import sqlalchemy as sa
from alembic import op

revision = "301"
down_revision = "300"
branch_labels = None
depends_on = None
oldest_code = "300"


def upgrade() -> None:
    op.add_column("data_import", sa.Column("row_bytes", sa.BigInteger))
