"""A search for a supplier, and buttons to add its products."""

from collections.abc import Callable, Sequence

import streamlit as st

from app.contract.catalog import CompanyInList, ProductInList
from components.catalog.fixtures import make_product
from components.formatting.escape_markdown import escape_markdown


def draw_supplier_search(key: str) -> str:
    """Draw the search field and return its text."""
    return (
        st.text_input(
            "Supplier",
            type="search",
            live="400ms",
            key=f"{key}/supplier-name",
            placeholder="Part of its name",
            icon=":material/search:",
            persist_state="page",
        )
        or ""
    ).strip()


def draw_supplier_choice(companies: Sequence[CompanyInList], total: int, *, key: str) -> str | None:
    """Draw a choice among `companies`, the first of `total` matches, and return the id of the chosen one. A
    single match is chosen at once."""
    names = {company.id: company.name for company in companies}

    def name_of(ident: str) -> str:
        return names.get(ident, ident)

    return st.selectbox(
        "Choose a supplier",
        list(names),
        index=0 if len(names) == 1 else None,
        format_func=name_of,
        key=f"{key}/supplier-{hash(tuple(names))}",
        placeholder=_describe_count(len(names), total),
        required=True,
        disabled=not names,
    )


def _describe_count(shown: int, total: int) -> str:
    if not shown:
        return "No suppliers found"
    return f"{total:,} found" if shown >= total else f"First {shown} of {total:,}: type more of the name"


def draw_product_buttons(
    products: Sequence[ProductInList],
    chosen_ids: Sequence[str],
    *,
    key: str,
    on_choose: Callable[[str], None],
) -> None:
    """Draw a button for each product that is not chosen yet."""
    available = [product for product in products if product.id not in chosen_ids]
    if not available:
        st.caption(
            "All products of this supplier are chosen." if products else "This supplier has no products."
        )
        return
    with st.container(horizontal=True):
        for product in available:
            st.button(
                escape_markdown(product.name),
                icon=":material/add:",
                key=f"{key}/take-{product.id}",
                on_click=on_choose,
                args=(product.id,),
                help=None if product.is_custom_estimate_available is not False else "No estimate yet",
            )


def example() -> None:
    draw_supplier_search("example-picker")
    draw_product_buttons([make_product()], [], key="example-picker", on_choose=lambda _: None)
