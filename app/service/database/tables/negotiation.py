"""Negotiations: their state, everything that happened, what waits for a decision and when to look again."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

negotiation = sa.Table(
    "negotiation",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("engagement_type", sa.String(14), nullable=False),
    sa.Column("contact_name", sa.Text, nullable=False),
    sa.Column("contact_email", sa.Text, nullable=False),
    sa.Column("supplier", Json, nullable=False),  # as it came, then as found in the catalog
    sa.Column("company_id", Key),
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), index=True),
    sa.Column("scopes_tried", Json, nullable=False),  # ids of attached files that were read into a scope
    sa.Column("participants", Json, nullable=False),
    sa.Column("metadata", Json),
    sa.Column("strategy", Json),  # the three numbers with their reasons; null without an estimate
    sa.Column("levers", Json, nullable=False),
    sa.Column("unavailable", sa.Text),  # why there are no numbers
    sa.Column("coverage", sa.Text),  # how much of the quote the estimate is for; null where it is all
    sa.Column("next_offer", sa.Text),  # the buyer's counter offer: an exact decimal
    sa.Column("currency", sa.String(3)),
    sa.Column(
        "agreement_id", Key, index=True
    ),  # the agreement to renew; no foreign key: it refers to this one
    sa.Column("act_by", sa.Date),  # by when that must be decided
    sa.Column("agreement", Json),  # amount, signing and savings, final once agreed
    sa.Column("end_user", Json),
    sa.Column("owners", Json),  # `contract.owners.Owner`
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index(None, "organisation_id", "created_at", "id"),
)

entry = sa.Table(
    "negotiation_entry",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # started planned quote message decision agreement note …
    sa.Column("happened_at", Instant, nullable=False),
    sa.Column("recorded_at", Instant, nullable=False),
    sa.Column("source", sa.Text),  # with external_id of an external update, unique in its negotiation
    sa.Column("external_id", sa.Text),
    sa.Column("content_digest", sa.String(64)),
    sa.Column("content", Json, nullable=False),
    sa.Column("numbers", Json),  # the three numbers in force when it was recorded
    sa.Column("end_user", Json),
    sa.Index(None, "negotiation_id", "happened_at", "id"),
    sa.UniqueConstraint("negotiation_id", "source", "external_id"),
)

summary = sa.Table(
    "executive_summary",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("figures", Json, nullable=False),
    sa.Index(None, "negotiation_id", "created_at", "id"),
)

escalation = sa.Table(
    "escalation",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("offer_entry_id", Key),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("options", Json, nullable=False),
    sa.Column("recommended", sa.Text),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("due_at", Instant),
    sa.Column("resolved_at", Instant),
    sa.Column("resolution", sa.Text),
    sa.Index(None, "negotiation_id", "created_at", "id"),
    sa.Index(None, "negotiation_id", "status"),
    sa.Index(None, "offer_entry_id"),
)

attachment = sa.Table(
    "negotiation_attachment",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), nullable=False, index=True),
    sa.Column("file_id", Key, sa.ForeignKey("file.id"), nullable=False),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("at_start", sa.Boolean, nullable=False),  # it came with the start, before any talks
    sa.Column("reading_status", sa.String(10), nullable=False),  # pending completed failed
    sa.UniqueConstraint("negotiation_id", "file_id"),
)

timer = sa.Table(
    "negotiation_timer",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("negotiation_id", Key, sa.ForeignKey("negotiation.id"), nullable=False, index=True),
    sa.Column("kind", sa.Text, nullable=False),  # supplier_silent quote_expiring plan
    sa.Column("due_at", Instant, nullable=False, index=True),
    sa.Column("content", Json, nullable=False),
)
