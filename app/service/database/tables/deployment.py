"""What the hosts of a deployment have in common: key and files beside the database, and versions that work
with it."""

import sqlalchemy as sa

from app.service.database.columns import metadata

fingerprint = sa.Table(
    "fingerprint",
    metadata,
    sa.Column("name", sa.String(20), primary_key=True),  # secret-key, files-folder
    sa.Column("value", sa.String(64), nullable=False),
)

schema_support = sa.Table(
    "schema_support",
    metadata,
    # One row: a version that knows this revision works with the database, one that knows only older ones does
    # not.
    sa.Column("oldest_code", sa.String(32), primary_key=True),
)
