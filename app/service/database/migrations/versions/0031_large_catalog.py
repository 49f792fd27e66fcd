"""Indexes for a catalog of a million products: the products of a supplier and of a family by their ids, and
purchases by their dates."""

from alembic import op

from app.service.database.migrations.indexes import build_index

revision = "20261219"
down_revision = "20261218"
branch_labels = None
depends_on = None
oldest_code = "20261218"
optional = True

INDEXES = {
    "ix_product_company_id_sort_order_id_organisation_id_sort_name": (
        "product",
        ("company_id", "sort_order", "id", "organisation_id", "sort_name"),
    ),
    "ix_product_company_id_id": ("product", ("company_id", "id")),
    "ix_product_family_id_id": ("product", ("family_id", "id")),
    "ix_purchase_purchase_date_organisation_id": ("purchase", ("purchase_date", "organisation_id")),
}


def upgrade() -> None:
    for name, (table, columns) in INDEXES.items():
        build_index(name, table, columns)


def downgrade() -> None:
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table_name=table)
