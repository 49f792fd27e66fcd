"""Until when what must be done about an agreement was put off.

Where agreements stand is computed anew. Older versions would store it otherwise: they do not work beside this
one."""

import sqlalchemy as sa
from alembic import op

revision = "310"
down_revision = "306"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agreement", sa.Column("put_off_until", sa.Date))
    op.execute("UPDATE agreement SET position_until = '0001-01-01'")
