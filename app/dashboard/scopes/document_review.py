"""The review of a document: its lines beside the catalog, corrected, added to it, and confirmed."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from app.client import NotFound, ScopedClient
from app.contract.catalog import Product
from app.contract.scope import DocumentReading, ReadSupplier, Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.catalog.product_choice import ProductChoice
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.catalog_additions import (
    ADD_OPERATION,
    draw_add_all_button,
    draw_entry_form,
    get_current_seller,
)
from app.dashboard.scopes.open_questions import find_open_question, is_clear
from app.dashboard.scopes.review_validation import validate_review
from app.dashboard.scopes.unestimated_lines import list_left_out_lines
from app.dashboard.session_values import assigned_products, reading_under_review
from components.documents.assigned_products import AssignedProducts
from components.documents.document_review import draw_other_values
from components.documents.line_review import (
    draw_candidates,
    draw_match_reason,
    draw_product_fields,
    draw_question,
)
from components.documents.review_form import describe_lines, draw_review_faults, draw_review_form
from components.documents.reviewed_line import ReviewedLine, describe_line
from components.documents.unestimated_lines import draw_unestimated_lines
from components.formatting.escape_markdown import escape_markdown
from components.scopes.dimension_field import FieldValue
from components.scopes.scope_card import PURCHASE_TYPE_LABELS

MAX_SUPPLIERS = 5
CONFIRM_OPERATION = "POST /v1/scope/{}/document/confirm"


def draw_document_review(deployment: Deployment, scope: Scope, reading: DocumentReading) -> None:
    """Draw the values and lines to correct, the product of each line, and the button that confirms them as a
    scope which follows this one. The button is at the top where the document leaves nothing to answer."""
    key = f"review-{scope.id}"
    reading = reading_under_review(key).get_or_set(reading) or reading
    assigned = AssignedProducts(assigned_products(key))
    products = _load_products(deployment, {line.product_id for line in reading.lines if line.product_id})
    tables = st.container()
    choices = _load_product_choices(deployment, reading, assigned)
    with tables:
        _draw_supplier(get_current_seller(reading, key))
        top = st.container()
        purchase_type = _draw_purchase_type(scope, key)
        terms, lines, summary = draw_review_form(scope, reading, choices, products, assigned, key=key)
    _draw_product_search(deployment, lines, assigned, key)
    products |= _load_products(
        deployment, {line.product_id for line in lines if line.product_id} - set(products)
    )
    if queries.has_operation(deployment, ADD_OPERATION):
        draw_add_all_button(deployment, reading, lines, assigned, key=key)
    reviewed = [_draw_line(deployment, reading, line, products, assigned, key) for line in lines]
    lines = [line for line, _ in reviewed]
    summary.markdown(describe_lines(lines, [line.line.index for line, question in reviewed if question]))
    checked = validate_review(scope, reading, terms | {"purchase_type": purchase_type}, lines, products)

    def confirm(client: ScopedClient, idempotency_key: str) -> Scope:
        review = checked.body
        if review is None:
            raise RuntimeError("the review changed between the click and the write")
        if queries.has_operation(deployment, CONFIRM_OPERATION):
            return client.scopes.confirm_document(scope.id, review.document, idempotency_key=idempotency_key)
        return client.scopes.create(review.scope, idempotency_key=idempotency_key)

    draw_unestimated_lines(list_left_out_lines(lines), reading.currency or "")
    with top if is_clear(reading) else st.container():
        draw_review_faults(checked.faults)
        write_button(
            deployment,
            "Confirm as a new version" if scope.next_scope_id else "Confirm and see the price",
            # Who confirms what somebody else has confirmed meanwhile is told, and makes no second scope.
            name=f"confirm-{'again-' if scope.next_scope_id else ''}{scope.id}",
            what="Confirming what was read",
            write=confirm,
            on_success=partial(_open_confirmed, scope),
            icon=":material/check:",
            type="primary",
            disabled=checked.body is None,
            help="Makes a new version with your corrections; the document as read is kept",
        )
    draw_other_values(reading, key="other")


def _open_confirmed(scope: Scope, created: Scope) -> None:
    """Open the price of what was confirmed first, and the changes of a later version."""
    if scope.next_scope_id:
        navigation.open_page("scope", id=created.id)
    navigation.open_page("estimates", ids=created.id)


def _draw_purchase_type(scope: Scope, key: str) -> str:
    """Draw the kind of purchase, at first the one that was chosen before the document was read."""
    kinds = list(PURCHASE_TYPE_LABELS)
    before = scope.scope_terms[0].purchase_type if scope.scope_terms else kinds[0]
    return st.radio(
        "Kind of purchase",
        kinds,
        index=kinds.index(before) if before in kinds else 0,
        format_func=lambda each: PURCHASE_TYPE_LABELS[each],
        horizontal=True,
        key=f"{key}-kind",
        label_visibility="collapsed",
    )


def _draw_supplier(supplier: ReadSupplier | None) -> None:
    """Draw who the document is from, and whether the catalog knows them."""
    if supplier is None or supplier.name is None:
        st.caption("The document does not clearly name its supplier.")
    elif supplier.company_id:
        st.markdown(f"**From** {escape_markdown(supplier.company_name or supplier.name)}")
    else:
        st.markdown(f"**From** {escape_markdown(supplier.name)} :orange[not in the catalog yet]")
        if supplier.candidates:
            alike = "; ".join(
                f"{escape_markdown(one.name)} ({escape_markdown(one.why)})" for one in supplier.candidates
            )
            st.caption(f"Similar suppliers on record: {alike}")


def _draw_line(
    deployment: Deployment,
    reading: DocumentReading,
    line: ReviewedLine,
    products: dict[str, Product],
    assigned: AssignedProducts,
    key: str,
) -> tuple[ReviewedLine, str | None]:
    """Draw one line, opened while something of it is not known. Return it with the dimensions in its fields,
    and the question that is still open."""
    if line.role != "product":
        return line, None
    line_key = f"{key}/{line.line.index}"
    product = products.get(line.product_id) if line.product_id else None
    description = describe_line(line.line)
    title = (
        f"{escape_markdown(description)}: {escape_markdown(product.name)}"
        if product
        else f"{escape_markdown(description)}: which product?"
    )
    is_matched = product is not None and line.product_id == line.line.product_id
    is_clear = is_matched and line.line.question is None
    is_chosen = product is not None and not is_matched
    icon = ":material/check:" if is_clear or is_chosen else ":material/help:"
    with st.expander(title, expanded=not is_clear, icon=icon):
        top = st.container()
        values: dict[str, FieldValue] = {}
        if product is not None:
            draw_match_reason(line.line, product)
            values = draw_product_fields(line, product, key=line_key)
        question = find_open_question(line, product, values)
        if question:
            with top:
                draw_question(question)
        draw_candidates(line, key=line_key, on_choose=assigned.assign)
        if product is None and queries.has_operation(deployment, ADD_OPERATION):
            draw_entry_form(deployment, reading, line, assigned, key=line_key, review_key=key)
    return replace(line, values=values), question


def _draw_product_search(
    deployment: Deployment, lines: Sequence[ReviewedLine], assigned: AssignedProducts, key: str
) -> None:
    """Draw the search for the product of a line in the whole catalog: a reseller's quote names the
    reseller."""
    search = st.expander(
        "Find the product of a line in the catalog",
        icon=":material/search:",
        key=f"{key}-search",
        on_change="rerun",
    )
    if not search.open or not lines:
        return
    by_index = {line.line.index: line for line in lines}
    with search:
        index = st.selectbox(
            "Line",
            list(by_index),
            format_func=lambda index: describe_line(by_index[index].line) if index in by_index else "",
            key=f"{key}-search-line",
        )
        line = by_index[index]

        def assign(product_id: str) -> None:
            assigned.assign(index, product_id, line.product_id)

        ProductChoice(deployment, f"{key}-search").draw([line.product_id or ""], assign)


def _load_products(deployment: Deployment, product_ids: set[str]) -> dict[str, Product]:
    """Load the products by id, without those that are gone."""
    products: dict[str, Product] = {}
    for product_id in sorted(product_ids):
        with suppress(NotFound):
            products[product_id] = queries.load_product(deployment, product_id)
    return products


def _load_product_choices(
    deployment: Deployment, reading: DocumentReading, assigned: AssignedProducts
) -> dict[str, str]:
    """Load the names, by id, of the products that lines may be given: their matches and candidates, the
    first products of the suppliers that the document points to, and the products that were looked up or
    added."""
    names = {line.product_id: line.product_name or "" for line in reading.lines if line.product_id}
    for line in reading.lines:
        for one in line.candidates:
            names.setdefault(one.product_id, f"{one.product_name} ({one.company_name})")
    supplier_ids = {product.company.id for product in _load_products(deployment, set(names)).values()}
    supplier = reading.supplier
    if supplier and supplier.company_id:
        supplier_ids.add(supplier.company_id)
    elif supplier and supplier.name and not supplier_ids:
        similar = queries.load_companies(deployment, name=supplier.name.split()[0], limit=MAX_SUPPLIERS)
        supplier_ids = {company.id for company in similar.data}
    for supplier_id in sorted(supplier_ids):
        offered = queries.load_products(deployment, supplier_id).data
        names = {product.id: product.name for product in offered} | names
    added = _load_products(
        deployment, {product_id for product_id, _ in assigned.by_line.values()} - set(names)
    )
    return names | {product.id: product.name for product in added.values()}
