"""Letters that are sent by mail."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Key, metadata

letter = sa.Table(
    # To a supplier it is written at once, to a colleague when it is sent: `background.mail_queue`.
    "letter",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),  # supplier, deadline or naming
    sa.Column("object_kind", sa.String(11), nullable=False),  # scope, negotiation, agreement or approval
    sa.Column("object_id", Key, nullable=False, index=True),
    sa.Column("reason", sa.String(60)),  # to a supplier the template, about a deadline its `agreement_alert`
    sa.Column("comment_id", Key),  # of who is named in it; null for who was made an owner
    sa.Column("named_by", sa.Text),
    sa.Column("recipient_name", sa.Text),
    sa.Column("subject", sa.Text),
    sa.Column("body", sa.Text),
    sa.Column("status", sa.String(8), nullable=False),  # draft queued sending sent failed outdated
    sa.Column("recipient", sa.Text),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("error", sa.Text),
    sa.Column("next_at", Instant, index=True),  # when to send; null when there is nothing to send
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("sent_at", Instant),
    sa.Index(None, "organisation_id", "created_at"),
)
