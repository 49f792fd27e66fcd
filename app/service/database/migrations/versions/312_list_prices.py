"""What suppliers publish as their prices, from price lists of an organisation."""

import sqlalchemy as sa
from alembic import op

from app.service.database.columns import Json, Key

revision = "312"
down_revision = "311"
branch_labels = None
depends_on = None
oldest_code = "310"


def upgrade() -> None:
    op.create_table(
        "list_price",
        sa.Column("id", Key, nullable=False),
        sa.Column("organisation_id", Key, nullable=False),
        sa.Column("scope_id", Key, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("product_id", Key, nullable=False),
        sa.Column("listed_on", sa.Date, nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("unit", sa.Text),
        sa.Column("unit_price", sa.Double, nullable=False),
        sa.Column("price_period", sa.String(9), nullable=False),
        sa.Column("from_quantity", sa.Double),
        sa.Column("to_quantity", sa.Double),
        sa.Column("attributes", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_list_price"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_list_price_organisation_id"
        ),
        sa.ForeignKeyConstraint(["product_id"], ["product.id"], name="fk_list_price_product_id"),
        sa.ForeignKeyConstraint(["scope_id"], ["scope.id"], name="fk_list_price_scope_id"),
        sa.UniqueConstraint("scope_id", "line", name="uq_list_price_scope_id_line"),
    )
    op.create_index(
        "ix_list_price_organisation_id_product_id_listed_on",
        "list_price",
        ["organisation_id", "product_id", "listed_on"],
    )
