"""Suppliers: found by name, domain or category, and opened."""

import re
from collections.abc import Collection
from typing import Any

from app.contract.catalog import Category, CompanyInList
from app.contract.page import ListPage
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.signing_in import identity
from components.catalog import draw_company_table
from components.elements.page_header import MARKET_SAMPLE, draw_page_header, draw_sample_banner, is_sample

DOMAIN = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)

deployment = identity.require_deployment()


def can_import() -> bool:
    return queries.has_operation(deployment, "POST /v1/imports")


def list_categories() -> dict[str, str]:
    """Return the ids of the categories by name, children after their parents."""
    tree: dict[str, str] = {}
    for parent in queries.load_categories(deployment):
        tree[_unique(parent.name, parent, tree)] = parent.id
        for child in parent.child_categories or ():
            tree[_unique(f"{parent.name} › {child.name}", parent, tree)] = child.id
    return tree


def _unique(name: str, category: Category, taken: Collection[str]) -> str:
    return name if name not in taken else f"{name} ({category.id[-4:]})"


def load_companies(**query: Any) -> ListPage[CompanyInList]:
    """Load a page. A text that looks like a domain is looked up as one first, then as part of a name."""
    if query["name"] and DOMAIN.fullmatch(query["name"]):
        domain: dict[str, Any] = {**query, "name": None, "domain": query["name"]}
        by_domain = queries.load_companies(deployment, **domain)
        if by_domain.pagination.total:
            return by_domain
    return queries.load_companies(deployment, **query)


def draw_above(page: ListPage[CompanyInList]) -> None:
    if can_import():
        navigation.draw_link("imports", "Import purchases, suppliers or rates", icon="upload_file")
    if any(is_sample(company.domain, company.description) for company in page.data):
        draw_sample_banner(MARKET_SAMPLE)


def make_empty() -> Empty:
    title, icon = "No companies yet", "storefront"
    if not can_import():
        return Empty(
            title,
            "This workspace's catalog is empty. `parley import purchases FILE` or `parley import catalog"
            " FILE` fills it, where it runs.",
            icon,
        )
    reason = "The catalog is empty. Import past purchases: their suppliers and products become its entries."
    return Empty(title, reason, icon, "Import a file", page="imports")


draw_page_header("Catalog", caption="Suppliers, what they sell, and what others paid.")
categories: dict[str, str | None] = {"All categories": None}
with failure_panel("The list of categories"):
    categories |= list_categories()
FilteredList(
    key="companies-page",
    noun="company",
    nouns="companies",
    load=load_companies,
    draw_above=draw_above,
    draw=lambda page: draw_company_table(page.data),
    filters=(
        TextFilter("Name or domain", "q", placeholder="Part of a name, or a domain such as acme.com"),
        ChoiceFilter("Category", "category", categories, "category_id"),
        ChoiceFilter("Order", "order", {"A to Z": {}, "Z to A": {"sort_order": "desc"}}),
    ),
    empty=make_empty,
).show()
