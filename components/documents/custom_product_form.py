"""The form that adds a product to the catalog for a line of a quote that matches none."""

from dataclasses import dataclass

import streamlit as st

from app.contract.catalog import (
    EntrySupplier,
)
from app.contract.problem import EntryCandidate
from app.contract.scope import ProposedDimension, ProposedEntry, ReadLine, ReadSupplier
from components.documents.reviewed_line import describe_line
from components.formatting.escape_markdown import escape_markdown


@dataclass(frozen=True)
class CatalogEntryDraft:
    """What the form holds: `seller` is None while it has no name, `label` says what will be added."""

    seller: EntrySupplier | None
    proposed: ProposedEntry
    label: str


def draw_custom_product_form(line: ReadLine, supplier: ReadSupplier | None, *, key: str) -> CatalogEntryDraft:
    """Draw the fields, filled with what the text of the line proposes."""
    proposed = line.proposed or ProposedEntry(name=describe_line(line))
    edition = next((one for one in proposed.dimensions), None)
    with st.grid(2, min_column_width=190):
        with st.container():
            name = st.text_input("Product", value=proposed.name, key=f"{key}/name", max_chars=250)
        with st.container():
            seller, seller_name = _draw_seller(supplier, key)
        with st.container():
            unit = st.text_input("Unit", value=proposed.unit or "", key=f"{key}/unit", placeholder="user")
        with st.container():
            option = st.text_input(
                edition.name if edition else "Edition",
                value=edition.option if edition else "",
                key=f"{key}/edition",
                placeholder="if there are several",
            )
    label = f"Add “{escape_markdown((name or '').strip())}”, sold by “{escape_markdown(seller_name)}”"
    chosen = ProposedDimension(name=edition.name if edition else "Edition", option=option or "")
    return CatalogEntryDraft(seller, ProposedEntry(name=name or "", unit=unit, dimensions=[chosen]), label)


def _draw_seller(supplier: ReadSupplier | None, key: str) -> tuple[EntrySupplier | None, str]:
    """Draw the choice of the seller and return it with its name: the company that the document is from, one
    that it may be from, or a new one."""
    if supplier and supplier.company_id:
        seller_name = supplier.company_name or supplier.name or ""
        st.text_input("Sold by", value=seller_name, key=f"{key}/known-seller", disabled=True)
        return EntrySupplier(company_id=supplier.company_id), seller_name
    candidates = list(supplier.candidates) if supplier else []
    known = {one.company_id: one for one in candidates}
    chosen = None
    if known:
        chosen = st.selectbox(
            "Sold by",
            [None, *known],
            format_func=lambda ident: (
                "a new supplier" if ident is None else f"{known[ident].name}: {known[ident].why}"
            ),
            key=f"{key}/seller",
        )
    if chosen is not None:
        return EntrySupplier(company_id=chosen), known[chosen].name
    name = st.text_input(
        "Name of the supplier" if known else "Sold by",
        value=(supplier.name if supplier else None) or "",
        key=f"{key}/seller-name",
        max_chars=250,
    )
    seller_name = (name or "").strip()
    return (EntrySupplier(name=seller_name), seller_name) if seller_name else (None, "…")


def describe_candidate(candidate: EntryCandidate) -> str:
    return f"{escape_markdown(candidate.name)}: {escape_markdown(candidate.why)}"
