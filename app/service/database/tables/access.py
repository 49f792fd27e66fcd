"""Who may call, how often, and which answers are kept for a repeated call."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, metadata

organisation = sa.Table(
    "organisation",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", Instant, nullable=False),
)

api_key = sa.Table(
    "api_key",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),  # SHA-256 of the key, which is random
    sa.Column("hint", sa.String(12), nullable=False),  # how the key begins, to tell keys apart in a list
    sa.Column("read_only", sa.Boolean, nullable=False),  # for versions that know no roles
    sa.Column("role", sa.String(6)),  # null: made by such a version (`keys.key_role`)
    # Whether what is made with it is marked as sample data.
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("revoked_at", Instant),
    sa.Column("expires_at", Instant),
    sa.Column("networks", sa.Text),  # that it works from, with spaces between them; null: from any
    sa.Column("used_at", Instant),
    sa.Column("used_address", sa.String(45)),
)

request_count = sa.Table(
    "request_count",
    metadata,
    sa.Column("api_key_id", Key, primary_key=True),
    sa.Column("minute", sa.BigInteger, primary_key=True),  # minutes since 1970
    sa.Column("requests", sa.Integer, nullable=False),
)

written_bytes = sa.Table(
    # Bytes of text that calls wrote: each adds a row, and a worker sums them up.
    "written_bytes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("organisation_id", Key, nullable=False, index=True),
    sa.Column("number", sa.BigInteger, nullable=False),
)

idempotent_call = sa.Table(
    "idempotent_call",
    metadata,
    sa.Column("api_key_id", Key, primary_key=True),  # or the person's
    sa.Column("path", sa.Text, primary_key=True),  # of a person after the organisation's id
    sa.Column("idempotency_key", sa.Text, primary_key=True),
    sa.Column("body_digest", sa.String(64), nullable=False),
    sa.Column("answer", sa.LargeBinary),  # encrypted; null while the first call runs
    sa.Column("started_at", Instant, nullable=False, index=True),
)
