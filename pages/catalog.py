"""Suppliers: found by name, domain or category, and opened."""

import re

import streamlit as st

from app.contract.catalog import Category, CompanyInList
from app.contract.page import ListPage
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import SessionValue
from app.dashboard.signing_in import identity
from components.catalog.company_table import draw_company_table
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.pagination_bar import draw_pagination_bar, read_page_offset
from components.elements.sample_badge import draw_sample_banner, is_sample

ROWS = 25
DOMAIN = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)
EVERY = "All categories"
PAGE_NUMBER = SessionValue("companies-page", 1)
TEXT_FILTER = SessionValue("q", "")
CATEGORY_FILTER = SessionValue("category", EVERY)

deployment = identity.require_deployment()


def first_page() -> None:
    """Another filter makes another list: begin at its start."""
    PAGE_NUMBER.set(1)


def clear_filters() -> None:
    TEXT_FILTER.set("")
    CATEGORY_FILTER.set(EVERY)
    first_page()


def category_filter() -> str | None:
    """The id of the category that was chosen, children under their parents."""
    tree: dict[str, str] = {}
    for parent in queries.load_categories(deployment):
        tree[_unique(parent.name, parent, tree)] = parent.id
        for child in parent.child_categories or ():
            tree[_unique(f"{parent.name} › {child.name}", parent, tree)] = child.id
    if not tree:
        return None
    chosen = st.selectbox(
        "Category", [EVERY, *tree], key=CATEGORY_FILTER.key, bind="query-params", on_change=first_page
    )
    return tree.get(chosen)


def _unique(name: str, category: Category, taken: dict[str, str]) -> str:
    return name if name not in taken else f"{name} ({category.id[-4:]})"


def find(text: str, category_id: str | None, descending: bool) -> ListPage[CompanyInList]:
    """The asked page. What looks like a domain is looked up as one first, then as part of a name."""

    def ask(offset: int, *, name: str | None = None, domain: str | None = None) -> ListPage[CompanyInList]:
        return queries.load_companies(
            deployment,
            name=name,
            domain=domain,
            category_id=category_id,
            sort_order="desc" if descending else None,
            limit=ROWS,
            offset=offset,
        )

    def ask_within(*, name: str | None = None, domain: str | None = None) -> ListPage[CompanyInList]:
        """An address may name a page past the end: then the last one."""
        found = ask(read_page_offset(PAGE_NUMBER.key, ROWS), name=name, domain=domain)
        if not found.data and found.pagination.total:
            return ask((found.pagination.total - 1) // ROWS * ROWS, name=name, domain=domain)
        return found

    if DOMAIN.fullmatch(text):
        by_domain = ask_within(domain=text)
        if by_domain.data:
            return by_domain
    return ask_within(name=text or None)


draw_page_header("Catalog", caption="Suppliers, what they sell, and what others paid.")
filters = st.columns([3, 3, 1.4], vertical_alignment="bottom")
with filters[0]:
    text = st.text_input(
        "Name or domain",
        key=TEXT_FILTER.key,
        bind="query-params",
        placeholder="Part of a name, or a domain such as acme.com",
        icon=":material/search:",
        on_change=first_page,
    ).strip()
with filters[1]:
    category_id = category_filter()
with filters[2]:
    order = st.selectbox(
        "Order", ["A to Z", "Z to A"], key="order", bind="query-params", on_change=first_page
    )

with failure_panel("The list of companies"):
    found = find(text, category_id, order == "Z to A")
    if any(is_sample(company.domain, company.description) for company in found.data):
        draw_sample_banner()
    if found.data:
        chosen = draw_company_table(found.data, key="companies")
        draw_pagination_bar(found.pagination, PAGE_NUMBER.key, "company", "companies")
        if chosen:
            navigation.open_page("company", id=chosen.id)
    elif text or category_id:
        draw_empty_state(
            "No company matches",
            "No supplier of the catalog has this name or domain in this category.",
            icon="search_off",
            action="Clear filters",
            on_action=clear_filters,
            key="clear-filters",
        )
    else:
        draw_empty_state(
            "No companies yet",
            "This deployment's catalog is empty. `parley import purchases FILE` or "
            "`parley import catalog FILE` fills it, where it runs.",
            icon="storefront",
        )
