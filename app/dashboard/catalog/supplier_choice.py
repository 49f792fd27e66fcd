"""Choosing a supplier of the catalog by part of its name."""

import streamlit as st

from app.contract.catalog import CompanyInList
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from components.scopes.product_picker import draw_supplier_choice, draw_supplier_search

MAX_LISTED = 50


def choose_supplier(deployment: Deployment, *, key: str) -> tuple[CompanyInList | None, str]:
    """Draw the search and what it finds; the chosen one, and the text while nothing is found by it."""
    search, which = st.columns(2)
    with search:
        wanted = draw_supplier_search(key)
    with which:
        found = queries.load_companies(deployment, name=wanted or None, limit=MAX_LISTED)
        chosen = draw_supplier_choice(found.data, found.pagination.total, key=key)
    company = next((company for company in found.data if company.id == chosen), None)
    return company, "" if found.data else wanted
