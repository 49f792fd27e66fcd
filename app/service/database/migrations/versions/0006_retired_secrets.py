"""Every earlier secret of a webhook with its own end, in place of the one before."""

import base64

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Instant, Json

revision = "20261124"
down_revision = "20261123b"
branch_labels = None
depends_on = None

_WEBHOOK = sa.table(
    "webhook",
    sa.column("id", sa.String),
    sa.column("previous_secret", sa.LargeBinary),
    sa.column("previous_secret_until", Instant),
    sa.column("retired_secrets", Json),
)


def upgrade() -> None:
    op.add_column("webhook", sa.Column("retired_secrets", Json, nullable=True))
    connection = op.get_bind()
    rotated = sa.select(_WEBHOOK).where(
        _WEBHOOK.c.previous_secret.is_not(None), _WEBHOOK.c.previous_secret_until.is_not(None)
    )
    for row in connection.execute(rotated).all():
        secret = {
            "secret": base64.b64encode(row.previous_secret).decode(),
            "until": row.previous_secret_until.isoformat(),
        }
        connection.execute(
            sa.update(_WEBHOOK).where(_WEBHOOK.c.id == row.id).values(retired_secrets=[secret])
        )
    with op.batch_alter_table("webhook") as batch:
        batch.drop_column("previous_secret")
        batch.drop_column("previous_secret_until")


def downgrade() -> None:
    with op.batch_alter_table("webhook") as batch:
        batch.add_column(sa.Column("previous_secret", sa.LargeBinary(), nullable=True))
        batch.add_column(sa.Column("previous_secret_until", Instant(), nullable=True))
        batch.drop_column("retired_secrets")
