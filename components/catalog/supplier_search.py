"""A search for a supplier, and a choice among those that were found."""

from collections.abc import Sequence

import streamlit as st

from app.contract.catalog import CompanyInList


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
