"""People who sign in, their roles in organisations, the sessions of people and keys, the audit log, and the
calls of agents."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

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

# Rows are only added; triggers of both stores refuse everything else. No foreign keys: an entry outlives what
# it names, and takes no lock on its organisation.
audit_entry = sa.Table(
    "audit_entry",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.Column("actor_kind", sa.String(7), nullable=False),  # key or person
    sa.Column("actor_id", Key, nullable=False),
    # Of a key or a command at that time. A person's is that of `user_account`, so that it can be erased.
    sa.Column("actor_name", sa.Text, nullable=False),
    sa.Column("action", sa.String(60), nullable=False),  # the id of the operation
    sa.Column("summary", sa.Text, nullable=False),  # the operation in plain words
    sa.Column("object_kind", sa.String(20), nullable=False),
    sa.Column("object_id", sa.String(200)),
    sa.Column("object_name", sa.Text),
    sa.Column("request_id", sa.Text, nullable=False),
    sa.Column("details", Json, nullable=False),  # names of fields and ids of the path, never values
    sa.Index("ix_audit_entry_organisation", "organisation_id", "id"),
    sa.Index("ix_audit_entry_object", "organisation_id", "object_id", "id"),
    # A page of each filter is read from the end of one of them.
    sa.Index("ix_audit_entry_by_time", "organisation_id", "at", "id"),
    sa.Index("ix_audit_entry_by_actor", "organisation_id", "actor_id", "at", "id"),
    sa.Index("ix_audit_entry_by_action", "organisation_id", "action", "at", "id"),
    sa.Index("ix_audit_entry_by_kind", "organisation_id", "object_kind", "at", "id"),
    sa.Index("ix_audit_entry_by_object", "organisation_id", "object_id", "at", "id"),
)

# As the entries, its rows are only added.
audit_link = sa.Table(
    "audit_link",
    metadata,
    sa.Column("organisation_id", Key, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),  # from 1, without a gap
    sa.Column("entry_id", Key, nullable=False, unique=True),
    sa.Column("hash", sa.String(64), nullable=False),  # of the entry and of the hash before (`audit_chain`)
)

mail_recipient = sa.Table(
    "mail_recipient",
    metadata,
    sa.Column("organisation_id", Key, primary_key=True),
    sa.Column("address", sa.String(320), primary_key=True),  # in small letters
    sa.Column("token", sa.String(43), nullable=False, unique=True),  # of the link, which does nothing else
    sa.Column("refused_at", Instant),  # when they said that they want no mail
)
"""To whom an organisation's mail about what is on record went."""

agent_call = sa.Table(
    "agent_call",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("at", Instant, nullable=False),  # when it ended
    sa.Column("actor_kind", sa.String(7), nullable=False),  # key or person
    sa.Column("actor_id", Key, nullable=False),
    sa.Column("actor_name", sa.Text, nullable=False),  # at that time
    sa.Column("tool", sa.String(60), nullable=False),
    sa.Column("outcome", sa.String(20), nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("seconds", sa.Double, nullable=False),
    sa.Index(None, "organisation_id", "id"),
)
"""Calls of agents' tools: the newest of each key and person, and nothing of what they said."""
