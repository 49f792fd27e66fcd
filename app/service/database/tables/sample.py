"""How far the sample data of an organisation is. Its records are marked `sample` in their own tables."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, metadata

sample_story = sa.Table(
    "sample_story",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("status", sa.String(8), nullable=False),  # started, complete or removed
    sa.Column("api_key_id", Key, sa.ForeignKey("api_key.id"), nullable=False),  # what the story is made with
    sa.Column("started_at", Instant, nullable=False),  # its dates count from here, also when it is resumed
    sa.Column("resumed_at", Instant, nullable=False),  # when it was last begun or resumed
)
