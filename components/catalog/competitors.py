"""Tables of competing companies and competing products."""

from collections.abc import Sequence

import streamlit as st

from app.contract.catalog import CompanyCompetitor, ProductCompetitor
from app.contract.money import format_money
from components.elements.clickable_table import draw_clickable_table
from components.elements.table import drop_empty_columns
from components.formatting.counts import format_count


def draw_company_competitors(competitors: Sequence[CompanyCompetitor], *, key: str) -> str | None:
    """Draw the companies and return the id of the one that was chosen."""
    chosen = draw_clickable_table(
        [{"Company": rival.name, "Domain": rival.domain or None} for rival in competitors],
        key=key,
        alt=format_count(len(competitors), "competing company", "competing companies"),
        button_column="Company",
        columns={"Domain": st.column_config.TextColumn()},
        help="Opens the company.",
    )
    return None if chosen is None else competitors[chosen].id


def draw_product_competitors(
    competitors: Sequence[ProductCompetitor], currency: str, *, key: str
) -> str | None:
    """Draw the products and return the id of the one that was chosen. Default prices are in `currency`: a
    competitor states none of its own."""
    rows = [
        {
            "Product": rival.product_name,
            "Company": rival.company_name,
            "Default price": None
            if rival.default_price is None
            else format_money(rival.default_price, currency),
            "Dimensions": ", ".join(dimension.name for dimension in rival.pricing_dimensions) or None,
            "Features": len(rival.included_features),
        }
        for rival in competitors
    ]
    columns = {
        "Company": st.column_config.TextColumn(),
        "Default price": st.column_config.TextColumn(alignment="right"),
        "Dimensions": st.column_config.TextColumn("Priced by", width="large"),
        "Features": st.column_config.NumberColumn("Included features", alignment="right"),
    }
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=format_count(len(rows), "competing product"),
        button_column="Product",
        columns=drop_empty_columns(columns, rows, ("Default price",)),
        help="Opens the product.",
    )
    return None if chosen is None else competitors[chosen].product_id


def example() -> None:
    competitor = CompanyCompetitor(
        id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", name="Nimbus", domain="nimbus.example"
    )
    draw_company_competitors([competitor], key="example-rivals")
