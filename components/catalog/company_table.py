"""A table of companies."""

from collections.abc import Sequence

import streamlit as st

from app.contract.catalog import CompanyInList
from components.elements.clickable_table import draw_clickable_table
from components.elements.sample_badge import is_sample
from components.elements.table import drop_empty_columns
from components.formatting import datetimes
from components.formatting.counts import format_count


def draw_company_table(companies: Sequence[CompanyInList], *, key: str) -> CompanyInList | None:
    """Draw the companies and return the one that was chosen. Purchases and labels are left out where no
    company has any."""
    zone = datetimes.get_reader_zone()
    rows = [
        {
            "Company": company.name,
            "Domain": company.domain or None,
            "Category": company.category.name if company.category else None,
            "Purchases": company.real_purchase_count,
            "Labels": _marks(company) or None,
            "Updated": datetimes.format_local_time(company.last_updated_at, zone)
            if company.last_updated_at
            else None,
        }
        for company in companies
    ]
    columns = {
        "Domain": st.column_config.TextColumn(),
        "Category": st.column_config.TextColumn(),
        "Purchases": st.column_config.NumberColumn(
            format="localized", alignment="right", help="On record, in the past two years."
        ),
        "Labels": st.column_config.MultiselectColumn(
            options=["sample", "discontinued"], color=["orange", "gray"], width=170
        ),
        "Updated": st.column_config.TextColumn(help="In your time zone."),
    }
    chosen = draw_clickable_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'company', 'companies')} with domain and category",
        button_column="Company",
        columns=drop_empty_columns(columns, rows, ("Purchases", "Labels")),
        help="Opens the company.",
    )
    return None if chosen is None else companies[chosen]


def _marks(company: CompanyInList) -> list[str]:
    marks = ["sample"] if is_sample(company.domain, company.description) else []
    return [*marks, "discontinued"] if company.discontinued else marks


def example() -> None:
    draw_company_table(
        [
            CompanyInList(
                id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
                name="Acme Cloud",
                legal_name="Acme Cloud Inc.",
                domain="acme.example",
                description="Sample data.",
                discontinued=True,
                last_updated_at=None,
                real_purchase_count=1240,
            )
        ],
        key="example-companies",
    )
