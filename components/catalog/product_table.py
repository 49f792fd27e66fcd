"""A table of products."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.catalog import ProductSummary
from app.contract.money import format_money
from components.elements.clickable_table import draw_clickable_table
from components.elements.table import drop_empty_columns
from components.formatting.counts import format_count

ESTIMATE_LABELS = {True: "from purchases", False: "not yet", None: None}
"""Labels of `isCustomEstimateAvailable`, which a deployment may leave out."""


def draw_product_table(
    products: Sequence[ProductSummary], families: Mapping[str, str], *, key: str
) -> ProductSummary | None:
    """Draw the products and return the one that was chosen. `families` are the names of product families by
    id. A column that no product fills is left out."""
    rows = [
        {
            "Product": product.name,
            "Family": families.get(product.product_family_id or ""),
            "Description": product.description or None,
            "Default price": None
            if product.default_price is None
            else format_money(product.default_price, product.currency or ""),
            "Estimate": ESTIMATE_LABELS.get(product.is_custom_estimate_available),
        }
        for product in products
    ]
    columns = {
        "Family": st.column_config.TextColumn(),
        "Default price": st.column_config.TextColumn(alignment="right"),
        "Estimate": st.column_config.TextColumn(
            help="Whether past purchases support an estimate of this product."
        ),
        "Description": st.column_config.TextColumn(width="large"),
    }
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'product')} with default prices",
        button_column="Product",
        columns=drop_empty_columns(columns, rows),
        help="Opens the product.",
    )
    return None if chosen is None else products[chosen]


def example() -> None:
    product = ProductSummary(
        id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
        name="Acme Platform",
        description="Does the work.",
        default_price=120,  # pyright: ignore[reportArgumentType]
        currency="USD",
        is_custom_estimate_available=True,
        last_updated_at=None,
    )
    draw_product_table([product], {}, key="example-products")
