"""The catalog. Each row keeps the columns that are searched or sorted by, and the record as it goes over the
wire (`wire_*`, JSON text), built once when the row is written. `organisation_id` is null for what everybody
sees, else only that organisation does (`visibility.visible_to`)."""

import sqlalchemy as sa

from app.service.database.columns import Document, Instant, Key, Ordered, metadata


def _of_organisations(table: sa.Table) -> None:
    """An index of the rows that belong to one organisation: few among many that everybody sees."""
    owner = table.c.organisation_id
    sa.Index(
        f"ix_{table.name}_own", owner, sqlite_where=owner.is_not(None), postgresql_where=owner.is_not(None)
    )


category = sa.Table(
    "category",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # null: everybody's
    sa.Column("parent_id", Key, sa.ForeignKey("category.id"), index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("sort_name", Ordered, nullable=False),  # folded name: one order on both stores
    sa.Column("last_updated_at", Instant, nullable=False),
    sa.Column("wire_list", sa.Text, nullable=False),
    sa.Index(None, "parent_id", "sort_name", "id"),
)
_of_organisations(category)

company = sa.Table(
    "company",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # null: everybody's
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("sort_name", Ordered, nullable=False),  # folded name: one order and one search on both stores
    sa.Column("name_key", sa.Text, nullable=False, index=True),  # as `names.company_key`: without "Ltd."
    sa.Column("legal_name", sa.Text, nullable=False),
    sa.Column("domain", sa.Text, nullable=False, index=True),  # lower case, without www.; "" where unknown
    sa.Column("category_id", Key, sa.ForeignKey("category.id"), index=True),
    sa.Column("discontinued", sa.Boolean, nullable=False),
    sa.Column("sample", sa.Boolean, nullable=False),
    # Everything of the record that is not a column, not a part and not counted from purchases: description,
    # url, icon, fiscalYearEnd, stockSymbols, competitorIds.
    sa.Column("details", Document, nullable=False),
    sa.Column("real_purchase_count", sa.Integer, nullable=False, server_default="0"),  # as last counted
    sa.Column("last_updated_at", Instant, nullable=False),
    sa.Column("wire_read", sa.Text, nullable=False),
    sa.Column("wire_list", sa.Text, nullable=False),
    sa.Index(None, "sort_name", "id", "organisation_id"),
)
_of_organisations(company)

product_family = sa.Table(
    "product_family",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # null: everybody's
    sa.Column("company_id", Key, sa.ForeignKey("company.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("sort_name", Ordered, nullable=False),
    sa.Column("sort_order", sa.Integer, nullable=False),
    sa.Column("last_updated_at", Instant, nullable=False),
    sa.Column("wire_list", sa.Text, nullable=False),  # its read is the same
    sa.Index(None, "company_id", "sort_order", "id"),
    sa.Index(None, "company_id", "sort_name", "id"),
    sa.Index(None, "sort_name"),
)
_of_organisations(product_family)

product = sa.Table(
    "product",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # null: everybody's
    sa.Column("company_id", Key, sa.ForeignKey("company.id"), nullable=False),
    sa.Column("family_id", Key, sa.ForeignKey("product_family.id")),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("sort_name", Ordered, nullable=False),
    sa.Column("name_key", sa.Text, nullable=False),  # as `names.name_key`: by which imports meet
    sa.Column("sort_order", sa.Integer, nullable=False),
    sa.Column("item_id", sa.Text),  # the supplier's own number, as quotes print it
    sa.Column("item_key", sa.Text),  # as `names.item_key`
    sa.Column("currency", sa.String(3)),
    sa.Column("default_price", sa.Double),  # of one unit and price period
    # description, icon, url, competitorIds (products)
    sa.Column("details", Document, nullable=False),
    # pricingDimensions and includedFeatures as they go over the wire; which column of past purchases
    # (`purchase.attributes`) a dimension stands for is in `dimension_source` {dimension id: column}
    sa.Column("dimensions", Document, nullable=False),
    sa.Column("features", Document, nullable=False),
    sa.Column("dimension_source", Document, nullable=False),
    sa.Column("quantity_dimension_id", Key),  # the dimension that carries the number bought
    sa.Column("purchase_count", sa.Integer, nullable=False, server_default="0"),  # all on record
    # Whether an estimate of it succeeds, as last checked (`pricing.estimate_availability`).
    sa.Column("estimate_available", sa.Boolean, nullable=False, server_default=sa.false()),
    # Purchases came in that the dimensions and figures above do not know yet.
    sa.Column("stale", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("last_updated_at", Instant, nullable=False),
    sa.Column("wire_read", sa.Text, nullable=False),
    sa.Column("wire_list", sa.Text, nullable=False),
    # Pages in either order, and by part of a name, without reading the rows before them.
    sa.Index(None, "company_id", "sort_order", "id", "organisation_id", "sort_name"),
    sa.Index(None, "company_id", "sort_name", "id", "organisation_id"),
    # The latest products of a supplier or a family, which are the first to be compared with.
    sa.Index(None, "company_id", "id"),
    sa.Index(None, "family_id", "id"),
    sa.Index(None, "name_key", "company_id"),
    sa.Index(None, "item_key"),
)
_of_organisations(product)
sa.Index(
    "ix_product_stale",
    product.c.id,
    sqlite_where=product.c.stale.is_(sa.true()),
    postgresql_where=product.c.stale.is_(sa.true()),
)

company_gram = sa.Table(
    # The parts of three characters of `company.name_key` between two spaces, kept by triggers on `company`:
    # suppliers of a similar name are found by the parts that few names have (`supplier_match`).
    "company_gram",
    metadata,
    sa.Column("gram", Ordered, primary_key=True),
    sa.Column("company_id", Key, primary_key=True),
    sqlite_with_rowid=False,  # the key is the row
)

entry_count = sa.Table(
    # How many rows `company` and `product` have of each owner, kept by triggers on both: a page of a long
    # list tells the number of all without counting them. The number of a list is the sum of its rows: on
    # PostgreSQL every statement adds one, so that nobody waits for another's; `paging` sums them up.
    "entry_count",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("list_id", Key, nullable=False),  # the products of this company; "": the companies
    sa.Column("organisation_id", Key),  # null: everybody's
    sa.Column("number", sa.Integer, nullable=False),
    sa.Index(None, "list_id", "organisation_id"),
)

organisation_view = sa.Table(
    # What an organisation sees otherwise than everybody else: its own purchases add options, counts and
    # samples to a shared company or product, and its own products stand in a shared company's record. What is
    # null is as everybody sees it (`visibility.as_seen_by`).
    "organisation_view",
    metadata,
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), primary_key=True),
    # Of a category, company, family or product that everybody sees.
    sa.Column("record_id", Key, primary_key=True, index=True),
    # A product's, with what only these purchases have, and what they cost.
    sa.Column("dimensions", Document),
    sa.Column("dimension_source", Document),
    sa.Column("currency", sa.String(3)),
    sa.Column("default_price", sa.Double),
    sa.Column("purchase_count", sa.Integer),  # the shared ones and the organisation's own
    sa.Column("estimate_available", sa.Boolean),
    # Purchases came in that this row does not know yet.
    sa.Column("stale", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("last_updated_at", Instant),
    sa.Column("wire_read", sa.Text),
    sa.Column("wire_list", sa.Text),
)
