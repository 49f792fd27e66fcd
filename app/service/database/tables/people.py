"""People who sign in, their roles in organisations, and the sessions of people and keys."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, metadata

user_account = sa.Table(
    "user_account",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),  # as the identity provider states it, else the subject
    sa.Column("email", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
)

identity = sa.Table(
    "identity",
    metadata,
    sa.Column("issuer", sa.String(500), primary_key=True),
    sa.Column("subject", sa.String(255), primary_key=True),
    sa.Column("user_id", Key, sa.ForeignKey("user_account.id"), nullable=False, index=True),
)

membership = sa.Table(
    "membership",
    metadata,
    sa.Column("user_id", Key, sa.ForeignKey("user_account.id"), primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True, index=True),
    sa.Column("role", sa.String(6), nullable=False),  # reader, buyer, admin or owner
    sa.Column("created_at", Instant, nullable=False),
)

user_session = sa.Table(
    "user_session",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),  # SHA-256 of the token, which is random
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    # One of the two: a person who signed in with the identity provider, or an API key.
    sa.Column("user_id", Key, sa.ForeignKey("user_account.id"), index=True),
    sa.Column("api_key_id", Key, sa.ForeignKey("api_key.id"), index=True),
    sa.Column("provider_session", sa.String(255)),  # its `sid`, by which the provider ends it
    sa.Column("id_token", sa.LargeBinary),  # sealed: the provider takes it as a hint at the sign-out
    sa.Column("started_at", Instant, nullable=False, index=True),
    sa.Column("seen_at", Instant, nullable=False),
)

used_ticket = sa.Table(
    "used_ticket",
    metadata,
    sa.Column("holder", sa.String(36), primary_key=True),  # whose ticket it is, or what kind
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("used_at", Instant, nullable=False, index=True),
)
