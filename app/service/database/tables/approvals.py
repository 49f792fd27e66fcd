"""What an organisation asks two persons for, and the calls that wait for the second."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

approval_rules = sa.Table(
    "approval_rules",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    sa.Column("awards", sa.Boolean, nullable=False),
    sa.Column("webhooks", sa.Boolean, nullable=False),
    sa.Column("prices_above", sa.Text),  # an amount; null: no price is asked for
    sa.Column("currency", sa.String(3), nullable=False),  # of the amount
    sa.Column("updated_at", Instant, nullable=False),
)

approval = sa.Table(
    # A call that was found valid, and is carried out when another person approves it.
    "approval",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),  # award, price, webhook or rules
    sa.Column("operation", sa.String(60), nullable=False),  # its id
    sa.Column("method", sa.String(6), nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary),  # sealed; null once it is settled
    sa.Column("body_digest", sa.String(64), nullable=False),
    sa.Column("decision", Json, nullable=False),  # what it decides, as it was shown: `approvals.Decision`
    sa.Column("end_user", Json),  # whom the call claimed to be made for
    sa.Column("asked_kind", sa.String(6), nullable=False),  # person or key
    sa.Column("asked_by", Key, nullable=False),
    sa.Column("asked_at", Instant, nullable=False),
    sa.Column("expires_at", Instant, nullable=False, index=True),
    sa.Column("status", sa.String(8), nullable=False),  # waiting, approved or refused
    sa.Column("settled_kind", sa.String(6)),
    sa.Column("settled_by", Key),
    sa.Column("settled_at", Instant),
    sa.Column("reason", sa.Text),  # why it was refused
    sa.Index(None, "organisation_id", "status", "asked_at", "id"),
)
