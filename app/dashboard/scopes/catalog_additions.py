"""Lines of a quote that the catalog does not know, added to it: one by one, or all that nothing on record is
like. Only this organisation sees what it adds."""

from functools import partial

import streamlit as st

from app.client import Conflict, ScopedClient
from app.contract.catalog import CatalogEntry, EntrySupplier
from app.contract.scope import DocumentReading, ProposedEntry, ReadSupplier
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.catalog_entries import get_seller, make_catalog_entry
from app.dashboard.session_values import latest_seller, similar_entries
from components.documents.assigned_products import AssignedProducts
from components.documents.custom_product_form import (
    describe_candidate,
    draw_custom_product_form,
)
from components.documents.reviewed_line import ReviewedLine, describe_line
from components.formatting.escape_markdown import escape_markdown

ADD_OPERATION = "POST /v1/catalog/entries"


def draw_add_all_button(
    deployment: Deployment,
    reading: DocumentReading,
    lines: list[ReviewedLine],
    taken: AssignedProducts,
    *,
    key: str,
) -> None:
    """One button for several lines that nothing on record is like: they are added as proposed. What turns out
    to be much like something is left to its own line."""
    fresh = [
        line
        for line in lines
        if line.role == "product" and line.product_id is None and not line.line.candidates
    ]
    seller, called = get_seller(current_seller(reading, key))
    if seller is None or len(fresh) < 2:
        return

    def add(client: ScopedClient, idempotency_key: str) -> dict[int, CatalogEntry]:
        made: dict[int, CatalogEntry] = {}
        supplier, same = seller, dict[EntryKey, CatalogEntry]()
        for line in fresh:
            proposed = line.line.proposed or ProposedEntry(name=describe_line(line.line))
            body = make_catalog_entry(supplier, proposed)
            if body is None:
                continue
            known = same.get(_entry_key(proposed))
            try:
                entry = known or client.catalog.create_entry(
                    body, idempotency_key=f"{idempotency_key}-{line.line.index}"
                )
            except Conflict:
                continue
            supplier = EntrySupplier(company_id=entry.company_id)
            made[line.line.index] = same[_entry_key(proposed)] = entry
        return made

    def added(made: dict[int, CatalogEntry]) -> None:
        for line in fresh:
            entry = made.get(line.line.index)
            if entry is not None:
                taken.assign(line.line.index, entry.product_id, line.product_id)
                _remember_seller(deployment, entry, key)

    write_button(
        deployment,
        f"Add these {len(fresh)} lines as products of “{escape_markdown(called)}”",
        name=f"add-all-{key}",
        what="Adding them to the catalog",
        write=add,
        on_success=added,
        icon=":material/playlist_add:",
        help="With the names below, seen by your organisation alone; each can be added by itself as well",
    )


EntryKey = tuple[str, tuple[str, ...]]


def _entry_key(proposed: ProposedEntry) -> EntryKey:
    """Equal for lines that are one product: each year of a ramp has a line."""
    return proposed.name.casefold(), tuple(one.option.casefold() for one in proposed.dimensions)


def current_seller(reading: DocumentReading, key: str) -> ReadSupplier | None:
    """Return who sells the product that was added last, else the supplier of the document."""
    return latest_seller(key).get() or reading.supplier


def _remember_seller(deployment: Deployment, entry: CatalogEntry, key: str) -> None:
    """Keep who sells the new entry: the next lines are sold by the same company."""
    queries.load_companies.clear()
    queries.load_products.clear()
    queries.load_product.clear(deployment, entry.product_id)
    seller = queries.load_product(deployment, entry.product_id).company
    latest_seller(key).set(ReadSupplier(name=seller.name, company_id=seller.id, company_name=seller.name))


def draw_add_entry(
    deployment: Deployment,
    reading: DocumentReading,
    line: ReviewedLine,
    taken: AssignedProducts,
    *,
    key: str,
    whole_key: str,
) -> None:
    """Draw the form that adds the line as a product which only this organisation sees. Entries that are much
    like it are offered first. `key` is that of the line, `whole_key` that of the review."""
    st.markdown("**Or add it to the catalog**, seen by your organisation alone")
    draft = draw_custom_product_form(line.line, current_seller(reading, whole_key), key=f"{key}/new")
    body = make_catalog_entry(draft.seller, draft.proposed)
    similar = similar_entries(key).get()

    def add(client: ScopedClient, idempotency_key: str) -> CatalogEntry:
        if body is None:
            raise RuntimeError("the entry changed between the click and the write")
        similar_entries(key).pop()
        entry = body.model_copy(update={"confirm_new": True}) if similar else body
        try:
            return client.catalog.create_entry(entry, idempotency_key=idempotency_key)
        except Conflict as conflict:
            similar_entries(key).set(list(conflict.candidates))
            raise

    def added(entry: CatalogEntry) -> None:
        # Lines with the same words, such as one for each year of a ramp, are one product.
        for other in reading.lines:
            if other.product_id is None and describe_line(other) == describe_line(line.line):
                taken.assign(other.index, entry.product_id, None)
        taken.assign(line.line.index, entry.product_id, line.product_id)
        _remember_seller(deployment, entry, whole_key)

    write_button(
        deployment,
        f"{draft.label} all the same" if similar else draft.label,
        name=f"add-{key}",
        what="Adding it to the catalog",
        write=add,
        on_success=added,
        icon=":material/add:",
        disabled=body is None,
    )
    for candidate in similar:
        with st.container(horizontal=True, vertical_alignment="center"):
            if candidate.product_id is not None:
                st.button(
                    f"It is {escape_markdown(candidate.name)}",
                    icon=":material/check:",
                    key=f"{key}/alike-{candidate.product_id}",
                    on_click=partial(taken.assign, line.line.index, candidate.product_id, line.product_id),
                )
            st.caption(describe_candidate(candidate))
