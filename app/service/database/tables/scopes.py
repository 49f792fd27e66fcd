"""Scopes and the documents that some are read from."""

import sqlalchemy as sa

from app.service.database.columns import Instant, Json, Key, metadata

scope = sa.Table(
    "scope",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("source", sa.String(8), nullable=False),  # manual or document
    sa.Column("created_on", Instant, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    sa.Column("scope_terms", Json, nullable=False),  # as NewScopeTerm: more than the wire shows
    sa.Column("product_terms", Json, nullable=False),  # as NewProductTerm
    sa.Column("previous_scope_id", Key, sa.ForeignKey("scope.id")),
    sa.Column("next_scope_id", Key),  # the latest that follows; no foreign key: it comes later
    sa.Column("end_user", Json),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column(
        "document_scope_id", Key
    ),  # the scope whose document is the quote behind this one, often itself
    sa.Column("quote_lines", Json),  # what each line of that quote is here: `scopes.quote.QuoteLine`
    sa.Column("name", sa.Text),  # as a person gave it
    sa.Column("archived_at", Instant),
    sa.Column("owners", Json),  # `contract.owners.Owner`
    # From here on what a list shows and searches, made of the rest by `scopes.listing`.
    sa.Column("title", sa.Text, nullable=False, server_default=""),  # the name, or one that was made
    sa.Column("status", sa.String(14), nullable=False, server_default="ready"),  # contract's ScopeStatus
    sa.Column("company_id", Key),  # of the supplier, where it is in the catalog
    sa.Column("supplier_name", sa.Text),
    sa.Column("search_text", sa.Text, nullable=False, server_default=""),
    # Each holds what else its list is filtered by, so that a scope that does not match is not fetched.
    sa.Index("ix_scope_newest", "organisation_id", "created_on", "id", "archived_at", "search_text"),
    sa.Index(
        "ix_scope_status", "organisation_id", "status", "created_on", "id", "archived_at", "search_text"
    ),
    sa.Index(
        "ix_scope_company", "organisation_id", "company_id", "status", "created_on", "id", "archived_at"
    ),
)

scope_document = sa.Table(
    "scope_document",
    metadata,
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), primary_key=True),
    sa.Column(
        "file_id", Key, sa.ForeignKey("file.id"), index=True
    ),  # null until a foreign address was fetched
    sa.Column("url", sa.Text),
    sa.Column("purchase_type", sa.String(12)),
    sa.Column("status", sa.String(10), nullable=False, index=True),  # pending processing completed failed
    sa.Column("filename", sa.Text, nullable=False),
    sa.Column("mime_type", sa.Text, nullable=False),
    sa.Column("document_type", sa.String(10), nullable=False),  # order_form contract other
    sa.Column("error", sa.Text),
    sa.Column("reading", Json),  # what was read, with evidence; how each line was matched
    sa.Column("quote_key", sa.Text, index=True),  # supplier and number: `scopes.same_quotes.make_quote_key`
    sa.Column("quote_position", sa.Integer, nullable=False, server_default="1"),  # in a file of several
    sa.Column("updated_at", Instant, nullable=False),
)
