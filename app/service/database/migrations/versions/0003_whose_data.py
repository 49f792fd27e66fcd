"""Entries of a single organisation, sample data apart from real data, quotes as evidence."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Document, Instant, Json, Key

revision = "20261122"
down_revision = "20261120b"
branch_labels = None
depends_on = None

OWN = sa.text("organisation_id IS NOT NULL")
SORTED = (
    ("company", ("sort_name", "id")),
    ("product", ("company_id", "sort_order", "id")),
    ("product", ("company_id", "sort_name", "id")),
)
"""Indexes that lists are read along: whose a row is stands in them, so that it is not read to be left out."""

OWNED = ("category", "company", "product_family", "product", "article")


def upgrade() -> None:
    for table in OWNED:
        # In one clause: SQLite adds no constraint to a table that is there.
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN organisation_id VARCHAR(36)"
            f" CONSTRAINT fk_{table}_organisation_id REFERENCES organisation (id)"
        )
    op.add_column("article", sa.Column("sample", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(
        "UPDATE article SET sample = TRUE WHERE product_id IN (SELECT product.id FROM product"
        " JOIN company ON company.id = product.company_id WHERE company.sample)"
    )
    op.create_table(
        "organisation_view",
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("record_id", Key, nullable=False),
        sa.Column("dimensions", Document, nullable=True),
        sa.Column("dimension_source", Document, nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("default_price", sa.Double, nullable=True),
        sa.Column("purchase_count", sa.Integer(), nullable=True),
        sa.Column("stale", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("last_updated_at", Instant(), nullable=True),
        sa.Column("wire_read", sa.Text(), nullable=True),
        sa.Column("wire_list", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_organisation_view_organisation_id")
        ),
        sa.PrimaryKeyConstraint("organisation_id", "record_id", name=op.f("pk_organisation_view")),
    )
    op.create_index(op.f("ix_organisation_view_record_id"), "organisation_view", ["record_id"], unique=False)
    _index_whose_rows_they_are()
    _give_attribute_columns_an_owner()
    op.add_column("scope", sa.Column("document_scope_id", Key, nullable=True))
    op.add_column("scope", sa.Column("quote_lines", Json, nullable=True))
    op.add_column("negotiation", sa.Column("coverage", sa.Text(), nullable=True))
    op.add_column("calibration", sa.Column("sample", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "quoted_price",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("scope_id", Key, nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("product_id", Key, nullable=False),
        sa.Column("quoted_on", sa.Date(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("quantity", sa.Double, nullable=False),
        sa.Column("term_months", sa.Integer(), nullable=True),
        sa.Column("amount", sa.Double, nullable=False),
        sa.Column("pricing_dimensions", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name=op.f("fk_quoted_price_organisation_id")
        ),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name=op.f("fk_quoted_price_scope_id")),
        sa.ForeignKeyConstraint(["product_id"], ["product.id"], name=op.f("fk_quoted_price_product_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quoted_price")),
        sa.UniqueConstraint("scope_id", "line", name=op.f("uq_quoted_price_scope_id_line")),
    )
    op.create_index(
        op.f("ix_quoted_price_organisation_id_product_id_quoted_on"),
        "quoted_price",
        ["organisation_id", "product_id", "quoted_on"],
        unique=False,
    )


def _index_whose_rows_they_are() -> None:
    for table, columns in SORTED:
        op.drop_index(f"ix_{table}_{'_'.join(columns)}", table_name=table)
        longer = (*columns, "organisation_id")
        op.create_index(f"ix_{table}_{'_'.join(longer)}", table, list(longer))
    for table in ("category", "company", "product_family", "product"):
        op.create_index(f"ix_{table}_own", table, ["organisation_id"], sqlite_where=OWN, postgresql_where=OWN)
    op.create_index(
        "ix_purchase_own",
        "purchase",
        ["organisation_id", "company_id", "purchase_date"],
        sqlite_where=OWN,
        postgresql_where=OWN,
    )


def _unindex_whose_rows_they_are() -> None:
    op.drop_index("ix_purchase_own", table_name="purchase")
    for table in ("category", "company", "product_family", "product"):
        op.drop_index(f"ix_{table}_own", table_name=table)
    for table, columns in SORTED:
        op.drop_index(f"ix_{table}_{'_'.join(columns)}_organisation_id", table_name=table)
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _give_attribute_columns_an_owner() -> None:
    """A table made anew: its primary key grows."""
    op.create_table(
        "attribute_column_owned",
        sa.Column("organisation_id", sa.String(length=36), server_default="", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "name", name=op.f("pk_attribute_column_owned")),
    )
    op.execute(
        "INSERT INTO attribute_column_owned (name, kind, reason)"
        " SELECT name, kind, reason FROM attribute_column"
    )
    op.drop_table("attribute_column")
    op.rename_table("attribute_column_owned", "attribute_column")


def downgrade() -> None:
    op.drop_table("quoted_price")
    op.drop_column("calibration", "sample")
    op.drop_column("negotiation", "coverage")
    op.drop_column("scope", "quote_lines")
    op.drop_column("scope", "document_scope_id")
    op.execute("DELETE FROM attribute_column WHERE organisation_id <> ''")
    op.drop_table("organisation_view")
    _unindex_whose_rows_they_are()
    op.drop_column("article", "sample")
    for table in OWNED:
        op.drop_column(table, "organisation_id")
