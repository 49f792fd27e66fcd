"""Whether an estimate of a product succeeds, in a column of its own: at first as its record said."""

import sqlalchemy as sa
from alembic import op

revision = "20261125"
down_revision = "20261124"
branch_labels = None
depends_on = None

_AVAILABLE = '%"isCustomEstimateAvailable":true%'


def upgrade() -> None:
    op.add_column(
        "product",
        sa.Column("estimate_available", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("organisation_view", sa.Column("estimate_available", sa.Boolean(), nullable=True))
    products = sa.table(
        "product", sa.column("wire_list", sa.Text), sa.column("estimate_available", sa.Boolean)
    )
    views = sa.table(
        "organisation_view",
        sa.column("dimensions", sa.Text),
        sa.column("wire_list", sa.Text),
        sa.column("estimate_available", sa.Boolean),
    )
    op.execute(products.update().where(products.c.wire_list.like(_AVAILABLE)).values(estimate_available=True))
    of_products = views.c.dimensions.is_not(None)  # a company's view contains the records of its products
    op.execute(
        views.update().where(of_products, views.c.wire_list.like(_AVAILABLE)).values(estimate_available=True)
    )


def downgrade() -> None:
    op.drop_column("organisation_view", "estimate_available")
    op.drop_column("product", "estimate_available")
