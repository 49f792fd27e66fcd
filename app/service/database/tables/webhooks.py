"""Webhooks, the events they are told of, and every attempt to tell them. These rows are the truth: what is
owed stands here, in the transaction of the change that caused it."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

webhook = sa.Table(
    "webhook",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False, index=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("events", Json, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),  # encrypted
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("disabled_reason", sa.Text),
    sa.Column("failing_since", Instant),  # the first failure since the last success
    sa.Column("slow_until", Instant),  # asked to be left alone until then (429, Retry-After)
    # The worker that sends to it (`worker.id`); what another one did is not recorded.
    sa.Column("worker_id", Key),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("deleted_at", Instant),
    # Earlier secrets, encrypted, each with the end of its own 24 hours; the oldest first.
    sa.Column("retired_secrets", Json),
)

event = sa.Table(
    "event",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # the delivered body, byte for byte
    sa.Column("test", sa.Boolean, nullable=False),
    sa.Column("created_at", Instant, nullable=False, index=True),
)

delivery = sa.Table(
    "delivery",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("webhook_id", Key, sa.ForeignKey("webhook.id"), nullable=False),
    sa.Column("event_id", Key, sa.ForeignKey("event.id"), nullable=False, index=True),
    sa.Column("status", sa.String(10), nullable=False),  # pending delivering succeeded failed
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),  # where in the schedule; sending again starts it over
    # How often the schedule was started over: what an older attempt comes to must not end the newer round.
    sa.Column("schedule_round", sa.Integer, nullable=False, server_default="0"),
    sa.Column("response_status", sa.Integer, nullable=False),
    sa.Column("next_at", Instant),  # when the next attempt is due; null when there is none
    sa.Column("last_attempt_at", Instant),
    sa.Column("successful_at", Instant),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Index(None, "webhook_id", "created_at", "id"),
    sa.UniqueConstraint("webhook_id", "event_id"),
)
sa.Index(
    "ix_delivery_due",
    delivery.c.webhook_id,
    delivery.c.next_at,
    sqlite_where=delivery.c.next_at.is_not(None),
    postgresql_where=delivery.c.next_at.is_not(None),
)

sa.Index(
    "ix_delivery_failed",
    delivery.c.webhook_id,
    sqlite_where=delivery.c.status == "failed",
    postgresql_where=delivery.c.status == "failed",
)

attempt = sa.Table(
    "attempt",
    metadata,
    sa.Column("delivery_id", Key, sa.ForeignKey("delivery.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("started_at", Instant, nullable=False),
    sa.Column("duration_ms", sa.Integer, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),  # succeeded, or what went wrong, as one word
    sa.Column("detail", sa.Text),
    sa.Column("request_headers", Json, nullable=False),
    sa.Column("response_status", sa.Integer, nullable=False),
    sa.Column("response_headers", Json),
    sa.Column("response_body", sa.Text),  # its first 16 KiB
    sqlite_with_rowid=False,
)

inbox_message = sa.Table(
    "inbox_message",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("webhook_id", Key, sa.ForeignKey("webhook.id"), nullable=False),
    sa.Column("received_at", Instant, nullable=False),
    sa.Column("headers", Json, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("fault", sa.Text),  # what is wrong with its signature; null when it holds
    sa.Index(None, "webhook_id", "id"),
)
