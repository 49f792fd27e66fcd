"""What the hosts of a deployment have in common beside the database."""

import sqlalchemy as sa

from app.service.database.columns import metadata

fingerprint = sa.Table(
    "fingerprint",
    metadata,
    sa.Column("name", sa.String(20), primary_key=True),  # secret-key, files-folder
    sa.Column("value", sa.String(64), nullable=False),
)
