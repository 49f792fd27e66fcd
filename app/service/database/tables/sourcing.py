"""Requirements, the quotes that answer them, and scenarios of awards."""

import sqlalchemy as sa

from app.service.database.columns import Document, Instant, Key, metadata

requirement = sa.Table(
    "requirement",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("content", Document, nullable=False),  # the other fields of `contract.sourcing.Requirement`
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("updated_at", Instant, nullable=False),
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index(None, "organisation_id", "id"),
)

sourcing_quote = sa.Table(
    "sourcing_quote",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("requirement_id", Key, sa.ForeignKey("requirement.id"), nullable=False),
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), index=True),
    sa.Column("content", Document, nullable=False),  # the other fields of `contract.sourcing.SourcingQuote`
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "requirement_id", "id"),
)

remembered_alignment = sa.Table(
    "remembered_alignment",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    # Digests of the supplier's name, of what the line of the quote says, and of what is needed.
    sa.Column("supplier_key", sa.String(32), primary_key=True),
    sa.Column("wording_key", sa.String(32), primary_key=True),
    sa.Column("need_key", sa.String(32), primary_key=True),
    sa.Column("alternate", sa.Boolean, nullable=False),
    sa.Column("quote_id", Key, sa.ForeignKey("sourcing_quote.id"), nullable=False, index=True),
    sa.Column("decided_by", sa.Text, nullable=False),
    sa.Column("decided_at", Instant, nullable=False),
)
"""Decisions on alignment, for the next quote of the same supplier with the same wording."""

scenario = sa.Table(
    "scenario",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("requirement_id", Key, sa.ForeignKey("requirement.id"), nullable=False),
    sa.Column("content", Document, nullable=False),  # the other fields of `contract.sourcing.Scenario`
    sa.Column("basis", Document),  # a `scenario_basis.Basis`; null where it was solved before there was one
    sa.Column("created_at", Instant, nullable=False),
    sa.Index(None, "requirement_id", "id"),
)
