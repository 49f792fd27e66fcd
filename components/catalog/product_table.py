"""A table of products."""

from collections.abc import Mapping, Sequence

from app.contract.catalog import ProductSummary
from app.contract.money import format_money
from components.elements.record_table import LEFT, RIGHT, RecordColumn, RecordRow, draw_record_table
from components.formatting.counts import format_count

ESTIMATE_LABELS = {True: "from purchases", False: "not yet", None: None}
"""Labels of `isCustomEstimateAvailable`, which a deployment may leave out."""


def draw_product_table(products: Sequence[ProductSummary], families: Mapping[str, str]) -> None:
    """Draw the products. `families` are the names of product families by id. A column that no product fills
    is left out."""
    rows = [
        RecordRow(
            "product",
            {"id": product.id},
            {
                "Product": product.name,
                "Family": families.get(product.product_family_id or ""),
                "Description": product.description if product.description != product.name else None,
                "List price": None
                if product.default_price is None
                else format_money(product.default_price, product.currency or ""),
                "Estimate": ESTIMATE_LABELS.get(product.is_custom_estimate_available),
            },
        )
        for product in products
    ]
    columns = {
        "Product": LEFT,
        "Family": LEFT,
        "List price": RIGHT,
        "Estimate": RecordColumn(help="Whether past purchases support an estimate of this product."),
        "Description": LEFT,
    }
    draw_record_table(
        rows,
        alt=f"{format_count(len(rows), 'product')} with list prices",
        columns=columns,
        optional=tuple(columns),
    )
