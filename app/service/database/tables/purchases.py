"""Past purchases: what estimates are made from. `organisation_id` is null for those of the deployment."""

import sqlalchemy as sa

from app.service.database.columns import Json, Key, metadata

article = sa.Table(
    # A product in one of the wordings under which it was bought. Searched by words: `word_search`.
    "article",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("product_id", Key, sa.ForeignKey("product.id"), nullable=False),
    sa.Column("text", sa.Text, nullable=False),  # the product as the purchase words it
    sa.Column("brand", sa.Text),
    sa.Column("category", sa.Text),
    sa.Column("description", sa.Text),
    sa.Column("digest", sa.String(32), nullable=False),  # of the four texts and the organisation
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),  # whose wording; null: everybody's
    sa.Column("sample", sa.Boolean, nullable=False, server_default=sa.false()),  # of an invented supplier
    sa.UniqueConstraint("product_id", "digest"),
)

purchase = sa.Table(
    "purchase",
    metadata,
    sa.Column("id", Key, primary_key=True),  # a sample's id on the wire
    sa.Column("row_key", sa.String(32), nullable=False),  # one row of a file, whenever it is imported
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id")),
    sa.Column("company_id", Key, sa.ForeignKey("company.id"), nullable=False),
    # No foreign keys: the article's product and its family. Their check would read all purchases for each
    # product that is deleted.
    sa.Column("product_id", Key, nullable=False),
    sa.Column("family_id", Key),
    sa.Column("article_id", sa.Integer, sa.ForeignKey("article.id"), nullable=False),
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
    # {column: value}: a text, or a number. The same for every product, unlike the ids of its dimensions,
    # so that purchases of different products compare; `product.dimension_source` leads from one to the other.
    sa.Column("attributes", Json, nullable=False),
    sa.Column("packed", sa.LargeBinary),  # what comparing needs (`pricing.packing`); null until it is packed
    # Every index costs each imported row a write at random: products and families are found by their
    # articles, whose ids are short.
    sa.Index(None, "article_id", "purchase_date", "organisation_id"),
    sa.Index(None, "company_id", "purchase_date", "organisation_id"),
    sa.Index(
        None, "purchase_date", "organisation_id"
    ),  # the latest, and those that a new day counts otherwise
    sa.UniqueConstraint("row_key"),
)

sa.Index(
    # The purchases of organisations, few among many that everybody may know.
    "ix_purchase_own",
    purchase.c.organisation_id,
    purchase.c.company_id,
    purchase.c.purchase_date,
    sqlite_where=purchase.c.organisation_id.is_not(None),
    postgresql_where=purchase.c.organisation_id.is_not(None),
)

purchase_recount = sa.Table(
    # The day for which the purchases of the past two years were last counted again: one row.
    "purchase_recount",
    metadata,
    sa.Column("counted_on", sa.Date, primary_key=True),
)

attribute_column = sa.Table(
    # What kind of pricing dimension a column of purchase files becomes; decided once, kept over imports.
    "attribute_column",
    metadata,
    sa.Column("organisation_id", sa.String(36), primary_key=True, server_default=""),  # "": everybody's
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # number, select, or none: kept, but no dimension
    sa.Column("reason", sa.Text),  # why it is none
)

list_price = sa.Table(
    # What suppliers publish as their prices, from price lists of an organisation: never another's.
    "list_price",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), nullable=False),  # the one read from the price list
    sa.Column("line", sa.Integer, nullable=False),  # of the price list, from 0
    sa.Column("product_id", Key, sa.ForeignKey("product.id"), nullable=False),
    sa.Column("listed_on", sa.Date, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    sa.Column("unit", sa.Text),
    sa.Column("unit_price", sa.Double, nullable=False),  # before tax
    sa.Column("price_period", sa.String(9), nullable=False),
    sa.Column("from_quantity", sa.Double),
    sa.Column("to_quantity", sa.Double),
    sa.Column("attributes", Json, nullable=False),  # the options that the price is for
    sa.Index(None, "organisation_id", "product_id", "listed_on"),
    sa.UniqueConstraint("scope_id", "line"),
)
quoted_price = sa.Table(
    # What suppliers asked of an organisation in quotes that it confirmed: evidence apart from what was paid,
    # and never another organisation's.
    "quoted_price",
    metadata,
    sa.Column("id", Key, primary_key=True),
    sa.Column("organisation_id", Key, sa.ForeignKey("organisation.id"), nullable=False),
    sa.Column("scope_id", Key, sa.ForeignKey("scope.id"), nullable=False),  # the scope that was confirmed
    sa.Column("line", sa.Integer, nullable=False),  # of the quote, from 0
    sa.Column("product_id", Key, sa.ForeignKey("product.id"), nullable=False),
    sa.Column("quoted_on", sa.Date, nullable=False),
    sa.Column("currency", sa.String(3), nullable=False),
    sa.Column("quantity", sa.Double, nullable=False),
    sa.Column("term_months", sa.Integer),  # null: paid once
    sa.Column("amount", sa.Double, nullable=False),  # before tax, for the whole quantity and term
    sa.Column("pricing_dimensions", Json, nullable=False),  # as in a product term
    sa.Index(None, "organisation_id", "product_id", "quoted_on"),
    sa.UniqueConstraint("scope_id", "line"),
)
