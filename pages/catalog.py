"""Suppliers: found by name, domain or category, and opened."""

import re
from functools import partial

import streamlit as st

from app.contract.catalog import Category, CompanyInList
from app.contract.page import ListPage
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.session_values import SessionValue
from app.dashboard.signing_in import identity
from components.catalog.company_table import draw_company_table
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar
from components.elements.sample_badge import draw_sample_banner, is_sample

ROWS = 25
DOMAIN = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)
EVERY = "All categories"
PAGE = "companies-page"
TEXT_FILTER = SessionValue("q", "")
CATEGORY_FILTER = SessionValue("category", EVERY)

deployment = identity.require_deployment()

open_first_page = partial(go_to_first_page, PAGE)


def clear_filters() -> None:
    TEXT_FILTER.set("")
    CATEGORY_FILTER.set(EVERY)
    open_first_page()


def draw_empty_catalog() -> None:
    title = "No companies yet"
    if not queries.has_operation(deployment, "POST /v1/imports"):
        draw_empty_state(
            title,
            "This workspace's catalog is empty. `parley import purchases FILE` or "
            "`parley import catalog FILE` fills it, where it runs.",
            icon="storefront",
        )
    elif draw_empty_state(
        title,
        "The catalog is empty. Import past purchases: their suppliers and products become its entries.",
        icon="storefront",
        action="Import a file",
        key="to-import",
    ):
        navigation.open_page("imports")


def draw_category_filter() -> str | None:
    """Draw the categories, children after their parents, and return the id of the chosen one."""
    tree: dict[str, str] = {}
    for parent in queries.load_categories(deployment):
        tree[_unique(parent.name, parent, tree)] = parent.id
        for child in parent.child_categories or ():
            tree[_unique(f"{parent.name} › {child.name}", parent, tree)] = child.id
    if not tree:
        return None
    chosen = st.selectbox(
        "Category", [EVERY, *tree], key=CATEGORY_FILTER.key, bind="query-params", on_change=open_first_page
    )
    return tree.get(chosen)


def _unique(name: str, category: Category, taken: dict[str, str]) -> str:
    return name if name not in taken else f"{name} ({category.id[-4:]})"


def load_companies(text: str, category_id: str | None, descending: bool) -> ListPage[CompanyInList]:
    """Load the page that the address asks for. A text that looks like a domain is looked up as one first,
    then as part of a name."""

    def load(*, name: str | None = None, domain: str | None = None) -> ListPage[CompanyInList]:
        return load_list_page(
            PAGE,
            ROWS,
            lambda offset: queries.load_companies(
                deployment,
                name=name,
                domain=domain,
                category_id=category_id,
                sort_order="desc" if descending else None,
                limit=ROWS,
                offset=offset,
            ),
        )

    if DOMAIN.fullmatch(text):
        by_domain = load(domain=text)
        if by_domain.data:
            return by_domain
    return load(name=text or None)


draw_page_header("Catalog", caption="Suppliers, what they sell, and what others paid.")
filters = st.columns([3, 3, 1.4], vertical_alignment="bottom")
with filters[0]:
    text = st.text_input(
        "Name or domain",
        key=TEXT_FILTER.key,
        bind="query-params",
        placeholder="Part of a name, or a domain such as acme.com",
        icon=":material/search:",
        on_change=open_first_page,
    ).strip()
with filters[1]:
    category_id = draw_category_filter()
with filters[2]:
    order = st.selectbox(
        "Order", ["A to Z", "Z to A"], key="order", bind="query-params", on_change=open_first_page
    )

with failure_panel("The list of companies"):
    page = load_companies(text, category_id, order == "Z to A")
    if queries.has_operation(deployment, "POST /v1/imports"):
        navigation.draw_link("imports", "Import purchases, suppliers or rates", icon=":material/upload_file:")
    if any(is_sample(company.domain, company.description) for company in page.data):
        draw_sample_banner()
    if page.data:
        draw_company_table(page.data)
        draw_pagination_bar(page.pagination, PAGE, "company", "companies")
    elif text or category_id:
        draw_empty_state(
            "No company matches",
            "No supplier in the catalog matches this name or domain in this category.",
            icon="search_off",
            action="Clear filters",
            on_action=clear_filters,
            key="clear-filters",
        )
    else:
        draw_empty_catalog()
