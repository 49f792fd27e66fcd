"""Who made a calendar feed, and when it was last read."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Key

revision = "302"
down_revision = "301"
branch_labels = None
depends_on = None
oldest_code = "301"

COLUMNS = {"maker_kind": sa.String(6), "maker_id": Key, "used_at": Instant}


def upgrade() -> None:
    for name, kind in COLUMNS.items():
        op.add_column("calendar_feed", sa.Column(name, kind))
