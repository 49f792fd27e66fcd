"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None
oldest_code = ${repr(down_revision)}  # where this only adds; else leave it out


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
