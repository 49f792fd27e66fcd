"""What a document brings to the catalog: products that it does not know, and the prices of a price list. Only
this organisation sees what it adds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st
from pydantic import ValidationError

from app.client import Conflict, ScopedClient
from app.contract.catalog import CatalogEntry, EntrySupplier, NewCatalogEntry
from app.contract.scope import (
    DocumentReading,
    ListedLine,
    ListedPer,
    ProposedDimension,
    ProposedEntry,
    ReadLine,
    ReadSupplier,
)
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import Form
from app.dashboard.session_values import assigned_products, latest_seller, similar_entries
from components.documents.review_form import (
    NEW_PRODUCT,
    AssignedProducts,
    ReviewedLine,
    describe_line,
    find_value,
)
from components.elements.form_fields import Field, Fields, get_text
from components.formatting import escape_markdown, format_count


@dataclass(frozen=True)
class Review:
    """The review of a document in this session; what is typed and chosen in it is under `key`."""

    deployment: Deployment
    reading: DocumentReading
    key: str

    @property
    def assigned(self) -> AssignedProducts:
        """What was chosen outside the table of the lines."""
        return AssignedProducts(assigned_products(self.key))

    @property
    def seller(self) -> ReadSupplier | None:
        """The seller of the product that was added last, else the supplier of the document."""
        return latest_seller(self.key).get() or self.reading.supplier

    def name_line(self, line: ReviewedLine) -> str:
        """Return the key of what is asked about a line."""
        return f"{self.key}/{line.line.index}"

    def remember_seller(self, entry: CatalogEntry) -> None:
        """Keep the seller of the new entry, which is proposed for the next lines."""
        seller = queries.load_product(self.deployment, entry.product_id).company
        known = ReadSupplier(name=seller.name, company_id=seller.id, company_name=seller.name)
        latest_seller(self.key).set(known)


def make_catalog_entry(seller: EntrySupplier | None, proposed: ProposedEntry) -> NewCatalogEntry | None:
    """Return the entry to add; None without a seller or a name, or where a text is too long."""
    if seller is None or not proposed.name.strip():
        return None
    try:
        return NewCatalogEntry.model_validate(_describe_entry(seller.wire(), proposed))
    except ValidationError:
        return None


def _describe_entry(supplier: Mapping[str, object], proposed: ProposedEntry) -> dict[str, Any]:
    dimensions = [
        {"name": one.name, "type": "select", "options": [one.option.strip()]}
        for one in proposed.dimensions
        if one.option.strip()
    ]
    return {
        "supplier": supplier,
        "product": {
            "name": proposed.name.strip(),
            "unit": (proposed.unit or "").strip() or None,
            "dimensions": dimensions or None,
        },
    }


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


def draw_add_all_button(review: Review, lines: Sequence[ReviewedLine]) -> None:
    """Draw one button that adds all lines which are like nothing on record, as proposed. A line that turns
    out to be much like something is left to its own form, which opens with what it is like."""
    new_lines = [line for line in lines if is_unlike_all(line, review.reading.kind)]
    if not new_lines:
        return
    seller, seller_name = get_seller(review.seller)
    if seller is None:
        st.caption("Say who sells it: then one click adds what is not on record yet.")
        return

    words = f"these {len(new_lines)} lines as products" if len(new_lines) > 1 else "this line as a product"

    def add(client: ScopedClient, idempotency_key: str) -> dict[int, CatalogEntry | Conflict]:
        by_line: dict[int, CatalogEntry | Conflict] = {}
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
            except Conflict as conflict:
                by_line[line.line.index] = conflict
                continue
            supplier = EntrySupplier(company_id=entry.company_id)
            by_line[line.line.index] = by_product[product_key] = entry
        return by_line

    def assign_entries(by_line: dict[int, CatalogEntry | Conflict]) -> None:
        for line in new_lines:
            entry = by_line.get(line.line.index)
            if isinstance(entry, Conflict):
                similar_entries(review.name_line(line)).set(list(entry.candidates))
                st.session_state[f"{review.name_line(line)}/product"] = NEW_PRODUCT
            elif entry is not None:
                review.assigned.assign(line.line.index, entry.product_id, line.product_id)
                review.remember_seller(entry)

    write_button(
        review.deployment,
        f"Add {words} of “{escape_markdown(seller_name)}”",
        name=f"add-all-{review.key}",
        what="Adding them to the catalog",
        write=add,
        on_success=assign_entries,
        icon="playlist_add",
        type="primary" if len(new_lines) == len(lines) else "secondary",
        help="With the names below, visible only to your organisation. Each can also be named by hand.",
    )


ProductKey = tuple[str, tuple[str, ...]]


def _get_proposed(line: ReadLine) -> ProposedEntry:
    return line.proposed or ProposedEntry(name=describe_line(line))


def _make_product_key(line: ReadLine) -> ProductKey:
    """Return a key that is equal for lines which are one product, such as one line for each year of a
    ramp."""
    proposed = _get_proposed(line)
    return proposed.name.casefold(), tuple(one.option.casefold() for one in proposed.dimensions)


NEW_SELLER = "new"
"""The choice of a seller that is not on record."""


def make_entry_form(
    deployment: Deployment, key: str, line: ReadLine, supplier: ReadSupplier | None
) -> Form[NewCatalogEntry]:
    """Return the form of a product that is not on record, which begins with what the text of the line
    proposes. Its seller is the company that the document is from, one that it may be from, or a new one."""
    proposed = _get_proposed(line)
    edition = next(iter(proposed.dimensions), ProposedDimension(name="Edition", option=""))
    on_record = supplier.company_id if supplier else None
    alike = supplier.candidates if supplier and on_record is None else ()
    unused = {"seller", "seller_name"} if on_record else {"sold_by"} if alike else {"sold_by", "seller"}
    seller_name = get_seller(supplier)[1]
    sellers = {NEW_SELLER: "a new supplier", **{one.company_id: f"{one.name}: {one.why}" for one in alike}}
    name_label = "Name of a new supplier" if alike else "Sold by"
    fields = [
        Field("name", "Product", "Enter what it is called.", kind="text", most=250),
        Field("seller", "Sold by", kind="choice", words=sellers, default=NEW_SELLER),
        Field("seller_name", name_label, kind="text", most=250),
        Field("sold_by", "Sold by", kind="text", is_locked=True),
        Field("unit", "Unit", kind="text", placeholder="user"),
        Field("option", edition.name, kind="text", placeholder="if there are several"),
    ]

    def find_seller(values: Fields) -> str:
        return on_record or get_text(values, "seller") or NEW_SELLER

    def check(values: Fields) -> dict[str, str]:
        is_named = find_seller(values) != NEW_SELLER or values["seller_name"]
        return {} if is_named else {"seller_name": "Enter who sells it."}

    def shape(values: Fields) -> dict[str, Any]:
        seller = find_seller(values)
        option = ProposedDimension(name=edition.name, option=get_text(values, "option"))
        return _describe_entry(
            {"name": values["seller_name"]} if seller == NEW_SELLER else {"companyId": seller},
            ProposedEntry(name=get_text(values, "name"), unit=get_text(values, "unit"), dimensions=[option]),
        )

    return Form(
        deployment,
        key,
        NewCatalogEntry,
        [one for one in fields if one.name not in unused],
        shape=shape,
        check_fields=check,
        places={"supplier": "seller_name", "dimensions": "option"},
        record={
            "name": proposed.name,
            "seller_name": seller_name,
            "sold_by": seller_name,
            "unit": proposed.unit,
            "option": edition.option,
        },
    )


def draw_entry_form(review: Review, line: ReviewedLine) -> None:
    """Draw the form that adds the line as a product which only this organisation sees. Entries that are much
    like it are offered first."""
    key, assigned = review.name_line(line), review.assigned
    form = make_entry_form(review.deployment, f"{key}/new", line.line, review.seller)
    similar = similar_entries(key).get()

    def add(client: ScopedClient, body: NewCatalogEntry, idempotency_key: str) -> CatalogEntry:
        similar_entries(key).pop()
        entry = body.model_copy(update={"confirm_new": True}) if similar else body
        try:
            return client.catalog.create_entry(entry, idempotency_key=idempotency_key)
        except Conflict as conflict:
            similar_entries(key).set(list(conflict.candidates))
            raise

    def assign_entry(entry: CatalogEntry) -> None:
        product_key = _make_product_key(line.line)
        for other in review.reading.lines:
            is_open = other.product_id is None and other.index not in assigned.by_line
            if is_open and _make_product_key(other) == product_key:
                assigned.assign(other.index, entry.product_id, None)
        assigned.assign(line.line.index, entry.product_id, line.product_id)
        review.remember_seller(entry)

    with form.drawing():
        name = get_text(form.read(), "name")
        with st.grid(2, min_column_width=190):
            form.draw_fields()
    form.draw_button(
        f"Add “{escape_markdown(name)}”{' anyway' if similar else ''}, for your organisation alone",
        send=add,
        what="Adding it to the catalog",
        on_success=assign_entry,
        icon="add",
        type="secondary",
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
            st.caption(f"{escape_markdown(candidate.name)}: {escape_markdown(candidate.why)}")


TAKE_OPERATION = "POST /v1/scope/{}/document/list-prices"
PER_LABELS: Mapping[ListedPer, str] = {
    "month": "a month",
    "quarter": "a quarter",
    "year": "a year",
    "once": "all time, paid once",
}


def draw_price_list(review: Review, lines: Sequence[ReviewedLine], taken: Collection[int]) -> None:
    """Draw the button that takes the prices of the lines with a product, and the one that takes them back.
    `taken` are the lines, by index, that are list prices already."""
    deployment, scope_id = review.deployment, review.reading.scope_id
    if review.reading.kind != "price_list" or not queries.has_operation(deployment, TAKE_OPERATION):
        return
    prices = {line.line.index: find_value(line.line.values, "unit_price") for line in lines}
    priced = [
        line
        for line in lines
        if _find_priced_product(line) and (price := prices[line.line.index]) and price.value
    ]
    asks_period = any(not says_its_period(line) for line in priced)
    per: ListedPer | None = None

    def draw_button(label: str, lines: Sequence[ListedLine], name: str, **look: Any) -> None:
        write_button(
            deployment,
            label,
            name=f"{name}-{scope_id}",
            what="Changing the list prices",
            write=lambda client, key: client.scopes.take_list_prices(scope_id, lines, idempotency_key=key),
            help="Your organisation alone sees them, with this document as their source.",
            **look,
        )

    with st.container(horizontal=True, vertical_alignment="bottom"):
        if asks_period:
            per = st.selectbox(
                "The prices of a unit are for",
                list(PER_LABELS),
                index=None,
                format_func=PER_LABELS.__getitem__,
                placeholder="The list does not say",
                key=f"{review.key}-list-price-per",
            )
        draw_button(
            f"Take {format_count(len(priced), 'price')} as list prices",
            list_taken_lines(priced, per),
            "take-list-prices",
            icon="sell",
            disabled=not priced or (asks_period and per is None),
        )
        if taken:
            draw_button("Take them back", [], "untake-list-prices")
    if priced:
        st.caption(
            escape_markdown(f"Prices of: {', '.join(dict.fromkeys(map(_name_priced_product, priced)))}.")
        )
    if taken:
        count = format_count(len(taken), "price")
        st.caption(f"{count} of this list are list prices in your catalog: estimates compare with them.")
    elif not priced:
        st.caption("No line has a product of the catalog yet: give it one in the table, or add it.")


def list_taken_lines(lines: Sequence[ReviewedLine], per: ListedPer | None) -> list[ListedLine]:
    """Return the lines as they are taken; `per` is what the prices are for that do not say it."""
    return [
        ListedLine(index=line.line.index, product_id=product_id, per=None if says_its_period(line) else per)
        for line in lines
        if (product_id := _find_priced_product(line)) is not None
    ]


def says_its_period(line: ReviewedLine) -> bool:
    """Return whether the line says what its price is for."""
    return line.line.recurring is False or find_value(line.line.values, "period_months") is not None


def _find_priced_product(line: ReviewedLine) -> str | None:
    """The product that a person gave the line, else that which it was matched to: no price alone buys it."""
    return line.product_id or line.line.product_id


def _name_priced_product(line: ReviewedLine) -> str:
    """What the line was matched to, with what it says where that is something else."""
    said, matched = describe_line(line.line), line.line.product_name
    return said if matched in (None, said) or line.product_id is not None else f"{matched} ({said})"
