"""Searches for a supplier and for a product, each with a choice among what was found."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from app.contract.catalog import CompanyInList
from components.catalog.fixtures import make_product


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


def draw_supplier_choice(
    companies: Sequence[CompanyInList], total: int, *, key: str, required: bool
) -> str | None:
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
        required=required,
        disabled=not names,
    )


def _describe_count(shown: int, total: int) -> str:
    if not shown:
        return "No suppliers found"
    return f"{total:,} found" if shown >= total else f"First {shown} of {total:,}: type more of the name"


@dataclass(frozen=True)
class ProductOptions:
    """Products that were found: their names by id, and how many there are (None: more, nobody counted them).
    `prompt` says what to do where nothing was searched yet."""

    names: Mapping[str, str]
    total: int | None
    prompt: str = ""

    def describe(self) -> str:
        """Return `12 found`, or how to see more than are listed."""
        listed = len(self.names)
        if self.prompt:
            return self.prompt
        if self.total == 0:
            return "No products found"
        if self.total is None or self.total > listed:
            of = "" if self.total is None else f" of {self.total:,}"
            return f"First {listed}{of}: type more of the name"
        return f"{listed} found"


def draw_product_picker(
    find: Callable[[str], ProductOptions],
    chosen_ids: Collection[str],
    *,
    key: str,
    on_choose: Callable[[str], None],
    disabled: bool = False,
) -> None:
    """Draw a search field and a choice among the products that `find` returns for its text, without those
    that are chosen already. `on_choose` gets the id of the one that the reader chooses."""
    left, right = st.columns(2)
    text = left.text_input(
        "Product",
        type="search",
        live="400ms",
        key=f"{key}/product-name",
        placeholder="Part of its name",
        icon=":material/search:",
        persist_state="page",
        disabled=disabled,
    )
    found = find((text or "").strip())
    names = {ident: name for ident, name in found.names.items() if ident not in chosen_ids}
    # A new field for other options: what was chosen must not stand in it any longer.
    field = f"{key}/product-{hash(tuple(names))}"

    def name_of(ident: str) -> str:
        return names.get(ident, ident)

    def choose() -> None:
        ident = st.session_state.pop(field, None)
        if ident is not None:
            on_choose(ident)

    right.selectbox(
        "Choose a product",
        list(names),
        index=None,
        format_func=name_of,
        key=field,
        on_change=choose,
        placeholder=found.describe(),
        disabled=not names,
    )


def example() -> None:
    draw_supplier_search("example-picker")
    products = [make_product(), make_product(2, "Ledger Cloud Plus")]

    def find(text: str) -> ProductOptions:
        names = {one.id: one.name for one in products if text.casefold() in one.name.casefold()}
        return ProductOptions(names, len(names))

    draw_product_picker(find, [], key="example-picker", on_choose=lambda _: None)
