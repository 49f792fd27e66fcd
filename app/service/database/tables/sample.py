"""How far the sample data of an organisation is. Its records are marked `sample` in their own tables."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, metadata

sample_story = sa.Table(
    "sample_story",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("status", sa.String(8), nullable=False),  # started, complete or removed
    # The key that the story is made with, from when on its dates count, and when it was last begun or
    # resumed; null where there was none, and the sample catalog alone was removed.
    sa.Column("api_key_id", Key, sa.ForeignKey("api_key.id")),
    sa.Column("started_at", Instant),
    sa.Column("resumed_at", Instant),
)
