"""Whom organisations ask for a second opinion on documents, how often they did, and what was asked."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

second_opinion_settings = sa.Table(
    "second_opinion_settings",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("address", sa.Text),
    sa.Column("model", sa.Text),
    sa.Column("key", sa.LargeBinary),  # encrypted
    sa.Column("calls_per_day", sa.Integer, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
)

second_opinion_usage = sa.Table(
    "second_opinion_usage",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("calls", sa.Integer, nullable=False),
)

second_opinion = sa.Table(
    "second_opinion",
    metadata,
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), primary_key=True),
    sa.Column("status", sa.String(9), nullable=False),  # asked answered failed not_asked
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),  # of what was sent, and to whom
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("asked_at", Instant),
    sa.Column("asked_about", Json, nullable=False),  # names of sums, and `lines`
    sa.Column("page_numbers", Json, nullable=False),
    sa.Column("word_count", sa.Integer, nullable=False),
    sa.Column("named", Json),  # `documents.second_opinion.question.NamedWords`
    sa.Column("sentences", Json, nullable=False),
)
