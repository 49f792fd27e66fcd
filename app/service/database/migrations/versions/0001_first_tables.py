"""First tables."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Document, Instant, Json, Key, Ordered
from app.service.database.dialect import dialect_of
from app.service.database.word_search import word_index_statements

revision = "20261120"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "attribute_column",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_attribute_column")),
    )
    op.create_table(
        "calibration",
        sa.Column("id", Key, nullable=False),
        sa.Column("made_at", Instant(), nullable=False),
        sa.Column("learnt", sa.Text(), nullable=False),
        sa.Column("backtest", Json, nullable=False),
        sa.Column("learnt_on", sa.Integer(), nullable=False),
        sa.Column("learnt_until", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calibration")),
    )
    op.create_table(
        "category",
        sa.Column("id", Key, nullable=False),
        sa.Column("parent_id", Key, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("sort_name", Ordered, nullable=False),
        sa.Column("last_updated_at", Instant(), nullable=False),
        sa.Column("wire_list", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["category.id"], name=op.f("fk_category_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_category")),
    )
    op.create_index(op.f("ix_category_parent_id"), "category", ["parent_id"], unique=False)
    op.create_index(
        op.f("ix_category_parent_id_sort_name_id"), "category", ["parent_id", "sort_name", "id"], unique=False
    )
    op.create_table(
        "idempotent_call",
        sa.Column("api_key_id", Key, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("body_digest", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("started_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("api_key_id", "path", "idempotency_key", name=op.f("pk_idempotent_call")),
    )
    op.create_index(op.f("ix_idempotent_call_started_at"), "idempotent_call", ["started_at"], unique=False)
    op.create_table(
        "organisation",
        sa.Column("id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organisation")),
        sa.UniqueConstraint("name", name=op.f("uq_organisation_name")),
    )
    op.create_table(
        "request_count",
        sa.Column("api_key_id", Key, nullable=False),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("api_key_id", "minute", name=op.f("pk_request_count")),
    )
    op.create_table(
        "task",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.String(length=36), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject_id", name=op.f("pk_task")),
    )
    op.create_index(op.f("ix_task_due_at"), "task", ["due_at"], unique=False)
    op.create_table(
        "worker",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("seen_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    op.create_table(
        "api_key",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("hint", sa.String(length=12), nullable=False),
        sa.Column("read_only", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("revoked_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_api_key_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_key_digest")),
    )
    op.create_index(op.f("ix_api_key_organisation_id"), "api_key", ["organisation_id"], unique=False)
    op.create_table(
        "company",
        sa.Column("id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sort_name", Ordered, nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("legal_name", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("category_id", Key, nullable=True),
        sa.Column("discontinued", sa.Boolean(), nullable=False),
        sa.Column("sample", sa.Boolean(), nullable=False),
        sa.Column("details", Document, nullable=False),
        sa.Column("real_purchase_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_updated_at", Instant(), nullable=False),
        sa.Column("wire_read", sa.Text(), nullable=False),
        sa.Column("wire_list", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["category_id"], ["category.id"], name=op.f("fk_company_category_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_company")),
    )
    op.create_index(op.f("ix_company_category_id"), "company", ["category_id"], unique=False)
    op.create_index(op.f("ix_company_domain"), "company", ["domain"], unique=False)
    op.create_index(op.f("ix_company_name_key"), "company", ["name_key"], unique=False)
    op.create_index(op.f("ix_company_sort_name_id"), "company", ["sort_name", "id"], unique=False)
    op.create_table(
        "event",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_event_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_created_at"), "event", ["created_at"], unique=False)
    op.create_table(
        "file",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("end_user", Json, nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_file_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_file")),
    )
    op.create_index(op.f("ix_file_organisation_id"), "file", ["organisation_id"], unique=False)
    op.create_table(
        "scope",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("source", sa.String(length=8), nullable=False),
        sa.Column("created_on", Instant(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("scope_terms", Json, nullable=False),
        sa.Column("product_terms", Json, nullable=False),
        sa.Column("previous_scope_id", Key, nullable=True),
        sa.Column("next_scope_id", Key, nullable=True),
        sa.Column("end_user", Json, nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_scope_organisation_id")
        ),
        sa.ForeignKeyConstraint(["previous_scope_id"], ["scope.id"], name=op.f("fk_scope_previous_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scope")),
    )
    op.create_index(
        op.f("ix_scope_organisation_id_created_on_id"),
        "scope",
        ["organisation_id", "created_on", "id"],
        unique=False,
    )
    op.create_table(
        "webhook",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("events", Json, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("previous_secret", sa.LargeBinary(), nullable=True),
        sa.Column("previous_secret_until", Instant(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("failing_since", Instant(), nullable=True),
        sa.Column("slow_until", Instant(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("deleted_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_webhook_organisation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    op.create_index(op.f("ix_webhook_organisation_id"), "webhook", ["organisation_id"], unique=False)
    op.create_table(
        "delivery",
        sa.Column("id", Key, nullable=False),
        sa.Column("webhook_id", Key, nullable=False),
        sa.Column("event_id", Key, nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("response_status", sa.Integer(), nullable=False),
        sa.Column("next_at", Instant(), nullable=True),
        sa.Column("last_attempt_at", Instant(), nullable=True),
        sa.Column("successful_at", Instant(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_delivery_event_id")),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_delivery_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sa.UniqueConstraint("webhook_id", "event_id", name=op.f("uq_delivery_webhook_id_event_id")),
    )
    op.create_index(
        "ix_delivery_due",
        "delivery",
        ["webhook_id", "next_at"],
        unique=False,
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_delivery_event_id"), "delivery", ["event_id"], unique=False)
    op.create_index(
        op.f("ix_delivery_webhook_id_created_at_id"),
        "delivery",
        ["webhook_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "inbox_message",
        sa.Column("id", Key, nullable=False),
        sa.Column("webhook_id", Key, nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        sa.Column("headers", Json, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_inbox_message_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox_message")),
    )
    op.create_index(
        op.f("ix_inbox_message_webhook_id_id"), "inbox_message", ["webhook_id", "id"], unique=False
    )
    op.create_table(
        "negotiation",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("engagement_type", sa.String(length=14), nullable=False),
        sa.Column("contact_name", sa.Text(), nullable=False),
        sa.Column("contact_email", sa.Text(), nullable=False),
        sa.Column("supplier", Json, nullable=False),
        sa.Column("company_id", Key, nullable=True),
        sa.Column("scope_id", Key, nullable=True),
        sa.Column("scopes_tried", Json, nullable=False),
        sa.Column("participants", Json, nullable=False),
        sa.Column("metadata", Json, nullable=True),
        sa.Column("strategy", Json, nullable=True),
        sa.Column("levers", Json, nullable=False),
        sa.Column("unavailable", sa.Text(), nullable=True),
        sa.Column("next_offer", sa.Text(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("agreement", Json, nullable=True),
        sa.Column("end_user", Json, nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_negotiation_organisation_id")
        ),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_negotiation_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_negotiation")),
    )
    op.create_index(
        op.f("ix_negotiation_organisation_id_created_at_id"),
        "negotiation",
        ["organisation_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "product_family",
        sa.Column("id", Key, nullable=False),
        sa.Column("company_id", Key, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sort_name", Ordered, nullable=False),
        sa.Column("sort_order", sa.Integer(), nullable=False),
        sa.Column("last_updated_at", Instant(), nullable=False),
        sa.Column("wire_list", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["company_id"], ["company.id"], name=op.f("fk_product_family_company_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product_family")),
    )
    op.create_index(
        op.f("ix_product_family_company_id_sort_name_id"),
        "product_family",
        ["company_id", "sort_name", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_product_family_company_id_sort_order_id"),
        "product_family",
        ["company_id", "sort_order", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_product_family_sort_name"), "product_family", ["sort_name"], unique=False)
    op.create_table(
        "scope_document",
        sa.Column("scope_id", Key, nullable=False),
        sa.Column("file_id", Key, nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("purchase_type", sa.String(length=12), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("mime_type", sa.Text(), nullable=False),
        sa.Column("document_type", sa.String(length=10), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("reading", Json, nullable=True),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_scope_document_file_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_scope_document_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", name=op.f("pk_scope_document")),
    )
    op.create_index(op.f("ix_scope_document_status"), "scope_document", ["status"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("delivery_id", Key, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started_at", Instant(), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("request_headers", Json, nullable=False),
        sa.Column("response_status", sa.Integer(), nullable=False),
        sa.Column("response_headers", Json, nullable=True),
        sa.Column("response_body", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["delivery_id"], ["delivery.id"], name=op.f("fk_attempt_delivery_id")),
        sa.PrimaryKeyConstraint("delivery_id", "number", name=op.f("pk_attempt")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "escalation",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("offer_entry_id", Key, nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("options", Json, nullable=False),
        sa.Column("recommended", sa.Text(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=True),
        sa.Column("resolved_at", Instant(), nullable=True),
        sa.Column("resolution", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_escalation_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_escalation")),
    )
    op.create_index(
        op.f("ix_escalation_negotiation_id_created_at_id"),
        "escalation",
        ["negotiation_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_escalation_negotiation_id_status"), "escalation", ["negotiation_id", "status"], unique=False
    )
    op.create_index(op.f("ix_escalation_offer_entry_id"), "escalation", ["offer_entry_id"], unique=False)
    op.create_table(
        "executive_summary",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("figures", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_executive_summary_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_executive_summary")),
    )
    op.create_index(
        op.f("ix_executive_summary_negotiation_id_created_at_id"),
        "executive_summary",
        ["negotiation_id", "created_at", "id"],
        unique=False,
    )
    op.create_table(
        "negotiation_attachment",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("file_id", Key, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("at_start", sa.Boolean(), nullable=False),
        sa.Column("reading_status", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["file.id"], name=op.f("fk_negotiation_attachment_file_id")),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_negotiation_attachment_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_negotiation_attachment")),
        sa.UniqueConstraint(
            "negotiation_id", "file_id", name=op.f("uq_negotiation_attachment_negotiation_id_file_id")
        ),
    )
    op.create_index(
        op.f("ix_negotiation_attachment_negotiation_id"),
        "negotiation_attachment",
        ["negotiation_id"],
        unique=False,
    )
    op.create_table(
        "negotiation_entry",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("happened_at", Instant(), nullable=False),
        sa.Column("recorded_at", Instant(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("content_digest", sa.String(length=64), nullable=True),
        sa.Column("content", Json, nullable=False),
        sa.Column("numbers", Json, nullable=True),
        sa.Column("end_user", Json, nullable=True),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_negotiation_entry_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_negotiation_entry")),
        sa.UniqueConstraint(
            "negotiation_id",
            "source",
            "external_id",
            name=op.f("uq_negotiation_entry_negotiation_id_source_external_id"),
        ),
    )
    op.create_index(
        op.f("ix_negotiation_entry_negotiation_id_happened_at_id"),
        "negotiation_entry",
        ["negotiation_id", "happened_at", "id"],
        unique=False,
    )
    op.create_table(
        "negotiation_mail",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=7), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("next_at", Instant(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("sent_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_negotiation_mail_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_negotiation_mail")),
    )
    op.create_index(
        op.f("ix_negotiation_mail_negotiation_id"), "negotiation_mail", ["negotiation_id"], unique=False
    )
    op.create_index(op.f("ix_negotiation_mail_next_at"), "negotiation_mail", ["next_at"], unique=False)
    op.create_table(
        "negotiation_timer",
        sa.Column("id", Key, nullable=False),
        sa.Column("negotiation_id", Key, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("content", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["negotiation_id"], ["negotiation.id"], name=op.f("fk_negotiation_timer_negotiation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_negotiation_timer")),
    )
    op.create_index(op.f("ix_negotiation_timer_due_at"), "negotiation_timer", ["due_at"], unique=False)
    op.create_index(
        op.f("ix_negotiation_timer_negotiation_id"), "negotiation_timer", ["negotiation_id"], unique=False
    )
    op.create_table(
        "product",
        sa.Column("id", Key, nullable=False),
        sa.Column("company_id", Key, nullable=False),
        sa.Column("family_id", Key, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sort_name", Ordered, nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("sort_order", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("item_key", sa.Text(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("default_price", sa.Double, nullable=True),
        sa.Column("details", Document, nullable=False),
        sa.Column("dimensions", Document, nullable=False),
        sa.Column("features", Document, nullable=False),
        sa.Column("dimension_source", Document, nullable=False),
        sa.Column("quantity_dimension_id", Key, nullable=True),
        sa.Column("purchase_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("stale", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("last_updated_at", Instant(), nullable=False),
        sa.Column("wire_read", sa.Text(), nullable=False),
        sa.Column("wire_list", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["company_id"], ["company.id"], name=op.f("fk_product_company_id")),
        sa.ForeignKeyConstraint(["family_id"], ["product_family.id"], name=op.f("fk_product_family_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product")),
    )
    op.create_index(
        op.f("ix_product_company_id_sort_name_id"), "product", ["company_id", "sort_name", "id"], unique=False
    )
    op.create_index(
        op.f("ix_product_company_id_sort_order_id"),
        "product",
        ["company_id", "sort_order", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_product_family_id"), "product", ["family_id"], unique=False)
    op.create_index(op.f("ix_product_item_key"), "product", ["item_key"], unique=False)
    op.create_index(
        op.f("ix_product_name_key_company_id"), "product", ["name_key", "company_id"], unique=False
    )
    op.create_index(
        "ix_product_stale",
        "product",
        ["id"],
        unique=False,
        sqlite_where=sa.text("stale IS 1"),
        postgresql_where=sa.text("stale IS true"),
    )
    op.create_table(
        "article",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("product_id", Key, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("brand", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["product_id"], ["product.id"], name=op.f("fk_article_product_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_article")),
        sa.UniqueConstraint("product_id", "digest", name=op.f("uq_article_product_id_digest")),
    )
    for statement in word_index_statements(dialect_of(op.get_bind())):
        op.execute(statement)
    op.create_table(
        "purchase",
        sa.Column("id", Key, nullable=False),
        sa.Column("row_key", sa.String(length=32), nullable=False),
        sa.Column("organisation_id", Key, nullable=True),
        sa.Column("company_id", Key, nullable=False),
        sa.Column("product_id", Key, nullable=False),
        sa.Column("family_id", Key, nullable=True),
        sa.Column("article_id", sa.Integer(), nullable=False),
        sa.Column("purchase_date", sa.Date(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("quantity", sa.Double, nullable=False),
        sa.Column("unit", sa.Text(), nullable=True),
        sa.Column("unit_price", sa.Double, nullable=False),
        sa.Column("price_period", sa.String(length=5), nullable=False),
        sa.Column("term_months", sa.Integer(), nullable=True),
        sa.Column("purchase_type", sa.String(length=12), nullable=True),
        sa.Column("list_price", sa.Double, nullable=True),
        sa.Column("order_id", sa.Text(), nullable=True),
        sa.Column("buyer", sa.Text(), nullable=True),
        sa.Column("attributes", Json, nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["article_id"], ["article.id"], name=op.f("fk_purchase_article_id")),
        sa.ForeignKeyConstraint(["company_id"], ["company.id"], name=op.f("fk_purchase_company_id")),
        sa.ForeignKeyConstraint(["family_id"], ["product_family.id"], name=op.f("fk_purchase_family_id")),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_purchase_organisation_id")
        ),
        sa.ForeignKeyConstraint(["product_id"], ["product.id"], name=op.f("fk_purchase_product_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purchase")),
        sa.UniqueConstraint("row_key", name=op.f("uq_purchase_row_key")),
    )
    op.create_index(
        op.f("ix_purchase_article_id_purchase_date_organisation_id"),
        "purchase",
        ["article_id", "purchase_date", "organisation_id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_purchase_company_id_purchase_date_organisation_id"),
        "purchase",
        ["company_id", "purchase_date", "organisation_id"],
        unique=False,
    )


def downgrade() -> None:
    op.execute("DROP TABLE IF EXISTS article_words")
    for table in (
        "purchase",
        "article",
        "product",
        "negotiation_timer",
        "negotiation_mail",
        "negotiation_entry",
        "negotiation_attachment",
        "executive_summary",
        "escalation",
        "attempt",
        "scope_document",
        "product_family",
        "negotiation",
        "inbox_message",
        "delivery",
        "webhook",
        "scope",
        "file",
        "event",
        "company",
        "api_key",
        "worker",
        "task",
        "request_count",
        "organisation",
        "idempotent_call",
        "category",
        "calibration",
        "attribute_column",
    ):
        op.drop_table(table)
