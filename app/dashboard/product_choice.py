"""The choice of a supplier or product in the catalog, found by part of its name."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import streamlit as st

from app.contract.catalog import CompanyInList, ProductInList
from app.contract.overview import MAX_SEARCH_LIMIT, MIN_SEARCH_LENGTH
from app.contract.page import ListPage
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import cut_page
from components.elements.form_fields import FoundOptions, draw_search_choice, draw_search_field

MAX_LISTED = 50


def choose_supplier(
    deployment: Deployment, *, key: str, required: bool = True
) -> tuple[CompanyInList | None, str]:
    """Draw the search and the suppliers that it finds. Return the chosen one, and the typed name where the
    catalog has none like it."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        text = draw_search_field("supplier", key=key)
    page = queries.load_companies(deployment, name=text or None, limit=MAX_LISTED)
    found = FoundOptions({company.id: company.name for company in page.data}, page.pagination.total)
    # A single one is chosen at once.
    chosen_id = row.selectbox(
        "Choose a supplier",
        list(found.names),
        index=0 if len(found.names) == 1 else None,
        format_func=lambda ident: found.names.get(ident, ident),
        key=f"{key}/supplier-{hash(tuple(found.names))}",
        placeholder=found.describe("suppliers"),
        required=required,
        disabled=not found.names,
    )
    chosen = next((company for company in page.data if company.id == chosen_id), None)
    return chosen, "" if page.data else text


NAME_PARAMETER = "GET /v1/catalog/companies/{}/products?name"


@dataclass(frozen=True)
class ProductChoice:
    """Draws the choice for `deployment`, each with widgets under its `key`."""

    deployment: Deployment
    key: str

    def draw(self, chosen_ids: Collection[str], on_choose: Callable[[str], None]) -> None:
        """Draw the search for a supplier, then that for its products; without a supplier the products of all
        are searched where the deployment can. `on_choose` gets the id of the chosen product."""
        supplier, _ = choose_supplier(self.deployment, key=self.key, required=False)
        supplier_id = supplier.id if supplier else None

        is_searchable = supplier is not None or queries.has_operation(self.deployment, "GET /v1/search")
        draw_search_choice(
            lambda text: find_products(self.deployment, supplier_id, text),
            "product",
            chosen_ids,
            key=f"{self.key}/of-{supplier_id or 'all'}",
            on_choose=on_choose,
            disabled=not is_searchable,
        )


def find_products(deployment: Deployment, supplier_id: str | None, text: str) -> FoundOptions:
    """Find the products of a supplier, or of all, with `text` in their names."""
    if supplier_id is None:
        if sum(map(str.isalnum, text)) < MIN_SEARCH_LENGTH:
            return FoundOptions({}, 0, prompt="Type two letters of its name, or choose the supplier")
        results = queries.search(deployment, text, limit=MAX_SEARCH_LIMIT)
        group = next((group for group in results.groups if group.kind == "product"), None)
        if group is None:
            return FoundOptions({}, 0)
        names = {hit.id: f"{hit.name} ({hit.detail})" if hit.detail else hit.name for hit in group.hits}
        return FoundOptions(names, None if group.more else len(names))
    page = list_products(deployment, supplier_id, text, limit=MAX_LISTED)
    return FoundOptions({product.id: product.name for product in page.data}, page.pagination.total)


def list_products(
    deployment: Deployment,
    supplier_id: str,
    text: str | None,
    *,
    family_id: str | None = None,
    limit: int,
    offset: int = 0,
) -> ListPage[ProductInList]:
    """Return a page of a supplier's products with `text` in their names. A deployment that cannot search them
    is asked for all."""
    if text and NAME_PARAMETER not in queries.load_parameters(deployment):
        named = [
            product
            for product in queries.load_all_products(deployment, supplier_id)
            if text.casefold() in product.name.casefold() and family_id in (None, product.product_family_id)
        ]
        return cut_page(named, limit=limit, offset=offset)
    return queries.load_products(
        deployment, supplier_id, name=text or None, product_family_id=family_id, limit=limit, offset=offset
    )
