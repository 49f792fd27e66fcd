"""The choice of a supplier in the catalog, found by part of its name."""

import streamlit as st

from app.contract.catalog import CompanyInList
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from components.catalog.supplier_search import draw_supplier_choice, draw_supplier_search

MAX_LISTED = 50


def choose_supplier(
    deployment: Deployment, *, key: str, required: bool = True
) -> tuple[CompanyInList | None, str]:
    """Draw the search and the suppliers that it finds. Return the chosen one, and the typed name where the
    catalog has none like it."""
    left, right = st.columns(2)
    with left:
        text = draw_supplier_search(key)
    with right:
        page = queries.load_companies(deployment, name=text or None, limit=MAX_LISTED)
        chosen_id = draw_supplier_choice(page.data, page.pagination.total, key=key, required=required)
    chosen = next((company for company in page.data if company.id == chosen_id), None)
    return chosen, "" if page.data else text
