"""Past purchases: what estimates are made from. `organisation_id` is null for those of the deployment."""

import sqlalchemy as sa

from app.service.database.columns import Json, Key, metadata

purchase = sa.Table(
    "purchase",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("row_key", sa.String(64), nullable=False),  # one row of a file, whenever it is imported
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),
    sa.Column("company_id", Key, sa.ForeignKey("company.id"), nullable=False),
    sa.Column("product_id", Key, sa.ForeignKey("product.id"), nullable=False),
    sa.Column("family_id", Key, sa.ForeignKey("product_family.id")),
    sa.Column("purchase_date", sa.Date, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    sa.Column("quantity", sa.Double, nullable=False),
    sa.Column("unit", sa.Text),
    sa.Column("unit_price", sa.Double, nullable=False),
    sa.Column("price_period", sa.String(5), nullable=False),  # month, year, term or once
    sa.Column("term_months", sa.Integer),
    sa.Column("purchase_type", sa.String(12)),
    sa.Column("list_price", sa.Double),  # of a unit, as unit_price
    sa.Column("order_id", sa.Text),
    sa.Column("buyer", sa.Text),
    sa.Column("attributes", Json, nullable=False),  # {dimension id: value as a scope names it}
    sa.Index(None, "product_id", "purchase_date"),
    sa.Index(None, "company_id", "purchase_date"),
    sa.Index(None, "family_id", "purchase_date"),
    sa.UniqueConstraint("row_key"),
)
