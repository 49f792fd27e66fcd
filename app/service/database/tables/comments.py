"""Comments on scopes, negotiations and agreements."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

comment = sa.Table(
    "comment",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("object_kind", sa.String(11), nullable=False),  # scope, negotiation or agreement
    sa.Column("object_id", Key, nullable=False),  # no foreign key: it is of three kinds
    sa.Column("author_kind", sa.String(6), nullable=False),  # person or key
    sa.Column("author_id", Key, nullable=False),
    sa.Column("author_name", sa.Text, nullable=False),  # at that time
    sa.Column("on_behalf_of", sa.Text),  # the end user that the call named
    sa.Column("text", sa.Text, nullable=False),  # empty once deleted
    sa.Column("named", Json),  # whom it names: [{name, email}]
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    sa.Index(None, "organisation_id", "object_id", "created_at", "id"),
)
