"""Uploaded files. The bytes are in the file store under the row's id."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

file = sa.Table(
    "file",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("filename", sa.Text, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("end_user", Json),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "organisation_id", "sha256"),
)
