"""Until when and from where a key works, and when and from where it was last used."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant

revision = "305"
down_revision = "304"
branch_labels = None
depends_on = None
oldest_code = "304"

COLUMNS = {"expires_at": Instant, "networks": sa.Text, "used_at": Instant, "used_address": sa.String(45)}


def upgrade() -> None:
    for name, kind in COLUMNS.items():
        op.add_column("api_key", sa.Column(name, kind))
