"""Lines of a quote that the catalog does not know, added to it: one by one, or all that nothing on record is
like. Only this organisation sees what it adds."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from pydantic import ValidationError

from app.client import Conflict, ScopedClient
from app.contract.catalog import CatalogEntry, EntryDimension, EntryProduct, EntrySupplier, NewCatalogEntry
from app.contract.scope import DocumentReading, ProposedEntry, ReadLine, ReadSupplier
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import latest_seller, similar_entries
from components.documents.line_review import AssignedProducts, ReviewedLine, describe_line
from components.documents.review_form import (
    describe_candidate,
    draw_custom_product_form,
)
from components.formatting.texts import escape_markdown


def make_catalog_entry(seller: EntrySupplier | None, proposed: ProposedEntry) -> NewCatalogEntry | None:
    """Return the entry to add; None without a seller or a name, or where a text is too long."""
    if seller is None or not proposed.name.strip():
        return None
    options = {one.name: one.option.strip() for one in proposed.dimensions if one.option.strip()}
    try:
        product = EntryProduct(
            name=proposed.name.strip(),
            unit=(proposed.unit or "").strip() or None,
            dimensions=[
                EntryDimension(name=name, type="select", options=[option]) for name, option in options.items()
            ]
            or None,
        )
        return NewCatalogEntry(supplier=seller, product=product)
    except ValidationError:
        return None


def get_seller(supplier: ReadSupplier | None) -> tuple[EntrySupplier | None, str]:
    """Return the company that the document is from, on record or new, and its name."""
    name = (supplier.company_name or supplier.name or "").strip() if supplier else ""
    if supplier and supplier.company_id:
        return EntrySupplier(company_id=supplier.company_id), name
    try:
        return (EntrySupplier(name=name), name) if name else (None, "")
    except ValidationError:
        return None, name


ADD_OPERATION = "POST /v1/catalog/entries"


def is_unlike_all(line: ReviewedLine, kind: str | None) -> bool:
    """Return whether the line is a product that nothing on record is like; in a document of the kind
    `price_list` each line with a proposed entry is a product, though none is bought."""
    is_listed = kind == "price_list" and line.line.proposed is not None and line.line.product_id is None
    return (line.role == "product" or is_listed) and line.product_id is None and not line.line.candidates


def draw_add_all_button(
    deployment: Deployment,
    reading: DocumentReading,
    lines: Sequence[ReviewedLine],
    assigned: AssignedProducts,
    *,
    key: str,
) -> None:
    """Draw one button that adds all lines which are like nothing on record, as proposed. A line that turns
    out to be much like something is left to its own form; one line alone, too, but for a price list, whose
    lines have none."""
    new_lines = [line for line in lines if is_unlike_all(line, reading.kind)]
    seller, seller_name = get_seller(get_current_seller(reading, key))
    if seller is None or len(new_lines) < (1 if reading.kind == "price_list" else 2):
        return

    words = f"these {len(new_lines)} lines as products" if len(new_lines) > 1 else "this line as a product"

    def add(client: ScopedClient, idempotency_key: str) -> dict[int, CatalogEntry]:
        by_line: dict[int, CatalogEntry] = {}
        by_product: dict[ProductKey, CatalogEntry] = {}
        supplier = seller
        for line in new_lines:
            body = make_catalog_entry(supplier, _get_proposed(line.line))
            if body is None:
                continue
            product_key = _make_product_key(line.line)
            try:
                entry = by_product.get(product_key) or client.catalog.create_entry(
                    body, idempotency_key=f"{idempotency_key}-{line.line.index}"
                )
            except Conflict:
                continue
            supplier = EntrySupplier(company_id=entry.company_id)
            by_line[line.line.index] = by_product[product_key] = entry
        return by_line

    def assign_entries(by_line: dict[int, CatalogEntry]) -> None:
        for line in new_lines:
            entry = by_line.get(line.line.index)
            if entry is not None:
                assigned.assign(line.line.index, entry.product_id, line.product_id)
                _remember_seller(deployment, entry, key)

    write_button(
        deployment,
        f"Add {words} of “{escape_markdown(seller_name)}”",
        name=f"add-all-{key}",
        what="Adding them to the catalog",
        write=add,
        on_success=assign_entries,
        icon=":material/playlist_add:",
        help="With the names below, visible only to your organisation. You can also add them one by one.",
    )


ProductKey = tuple[str, tuple[str, ...]]


def _get_proposed(line: ReadLine) -> ProposedEntry:
    return line.proposed or ProposedEntry(name=describe_line(line))


def _make_product_key(line: ReadLine) -> ProductKey:
    """Return a key that is equal for lines which are one product, such as one line for each year of a
    ramp."""
    proposed = _get_proposed(line)
    return proposed.name.casefold(), tuple(one.option.casefold() for one in proposed.dimensions)


def get_current_seller(reading: DocumentReading, key: str) -> ReadSupplier | None:
    """Return the seller of the product that was added last, else the supplier of the document."""
    return latest_seller(key).get() or reading.supplier


def _remember_seller(deployment: Deployment, entry: CatalogEntry, key: str) -> None:
    """Keep the seller of the new entry, which is proposed for the next lines."""
    seller = queries.load_product(deployment, entry.product_id).company
    latest_seller(key).set(ReadSupplier(name=seller.name, company_id=seller.id, company_name=seller.name))


def draw_entry_form(
    deployment: Deployment,
    reading: DocumentReading,
    line: ReviewedLine,
    assigned: AssignedProducts,
    *,
    key: str,
    review_key: str,
) -> None:
    """Draw the form that adds the line as a product which only this organisation sees. Entries that are much
    like it are offered first. `key` is that of the line, `review_key` that of the review."""
    st.caption("Added to the catalog for your organisation alone.")
    form = f"{key}/new"
    draft = draw_custom_product_form(line.line, get_current_seller(reading, review_key), key=form)
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

    def assign_entry(entry: CatalogEntry) -> None:
        product_key = _make_product_key(line.line)
        for other in reading.lines:
            is_open = other.product_id is None and other.index not in assigned.by_line
            if is_open and _make_product_key(other) == product_key:
                assigned.assign(other.index, entry.product_id, None)
        assigned.assign(line.line.index, entry.product_id, line.product_id)
        _remember_seller(deployment, entry, review_key)

    write_button(
        deployment,
        f"{draft.label} anyway" if similar else draft.label,
        name=form,
        what="Adding it to the catalog",
        write=add,
        on_success=assign_entry,
        icon=":material/add:",
        disabled=body is None,
    )
    for candidate in similar:
        with st.container(horizontal=True, vertical_alignment="center"):
            if candidate.product_id is not None:
                st.button(
                    f"Choose {escape_markdown(candidate.name)}",
                    icon=":material/check:",
                    key=f"{key}/alike-{candidate.product_id}",
                    on_click=partial(assigned.assign, line.line.index, candidate.product_id, line.product_id),
                )
            st.caption(describe_candidate(candidate))
