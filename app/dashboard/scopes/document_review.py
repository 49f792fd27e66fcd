"""The review of a document: its lines beside the catalog, corrected, added to it, and confirmed."""

import streamlit as st

from app.client import NotFound, ScopedClient
from app.contract.catalog import Product
from app.contract.scope import DocumentReading, ReadSupplier, Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.catalog.supplier_choice import choose_supplier
from app.dashboard.deployment import Deployment
from app.dashboard.scopes.catalog_additions import (
    ADD_OPERATION,
    current_seller,
    draw_add_all_button,
    draw_add_entry,
)
from app.dashboard.scopes.open_questions import find_open_question
from app.dashboard.scopes.review_validation import validate_review
from app.dashboard.scopes.unestimated_lines import list_left_out_lines
from app.dashboard.session_values import assigned_products
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

MAX_SUPPLIERS = 5
CONFIRM_OPERATION = "POST /v1/scope/{}/document/confirm"


def draw_document_review(deployment: Deployment, scope: Scope, reading: DocumentReading) -> None:
    """The values and lines to correct, what each line is, and the way to confirm them as a scope that follows
    this one."""
    key = f"review-{scope.id}"
    taken = AssignedProducts(assigned_products(key))
    products = _load_products(deployment, {line.product_id for line in reading.lines if line.product_id})
    tables = st.container()
    choices = _load_product_choices(deployment, reading, taken, key)
    with tables:
        _draw_supplier(current_seller(reading, key))
        terms, lines, head = draw_review_form(scope, reading, choices, products, taken, key=key)
    products |= _load_products(
        deployment, {line.product_id for line in lines if line.product_id} - set(products)
    )
    if queries.has_operation(deployment, ADD_OPERATION):
        draw_add_all_button(deployment, reading, lines, taken, key=key)
    drawn = [_draw_line(deployment, reading, line, products, taken, key) for line in lines]
    lines = [line for line, _ in drawn]
    head.markdown(describe_lines(lines, [line.line.index for line, question in drawn if question]))
    checked = validate_review(scope, reading, terms, lines, products)

    def confirm(client: ScopedClient, idempotency_key: str) -> Scope:
        review = checked.body
        if review is None:
            raise RuntimeError("the review changed between the click and the write")
        if queries.has_operation(deployment, CONFIRM_OPERATION):
            return client.scopes.confirm_document(scope.id, review.document, idempotency_key=idempotency_key)
        return client.scopes.create(review.scope, idempotency_key=idempotency_key)

    draw_unestimated_lines(list_left_out_lines(lines))
    draw_review_faults(checked.faults)
    write_button(
        deployment,
        "Confirm as a new version",
        name=f"confirm-{scope.id}",
        what="Confirming what was read",
        write=confirm,
        on_success=lambda made: navigation.open_page("scope", id=made.id),
        icon=":material/check:",
        type="primary",
        disabled=checked.body is None,
        help="Makes a scope with your corrections that follows this one; the document stays as it was read",
    )
    draw_other_values(reading, key="other")


def _draw_supplier(supplier: ReadSupplier | None) -> None:
    """Who the document is from, and whether the catalog knows them."""
    if supplier is None or supplier.name is None:
        st.caption("The document does not say clearly who it is from.")
    elif supplier.company_id:
        st.markdown(f"**From** {escape_markdown(supplier.company_name or supplier.name)}")
    else:
        st.markdown(f"**From** {escape_markdown(supplier.name)} :orange[not on record yet]")
        if supplier.candidates:
            alike = "; ".join(
                f"{escape_markdown(one.name)} ({escape_markdown(one.why)})" for one in supplier.candidates
            )
            st.caption(f"On record is: {alike}")


def _draw_line(
    deployment: Deployment,
    reading: DocumentReading,
    line: ReviewedLine,
    products: dict[str, Product],
    taken: AssignedProducts,
    key: str,
) -> tuple[ReviewedLine, str | None]:
    """One line with its dimensions as they are in its fields, and what is still to be answered of it; drawn
    open while there is something."""
    if line.role != "product":
        return line, None
    own_key = f"{key}/{line.line.index}"
    product = products.get(line.product_id) if line.product_id else None
    words = describe_line(line.line)
    title = (
        f"{escape_markdown(words)}: {escape_markdown(product.name)}"
        if product
        else f"{escape_markdown(words)}: which product?"
    )
    as_read = product is not None and line.product_id == line.line.product_id
    known = as_read and line.line.question is None
    icon = ":material/check:" if known or (product is not None and not as_read) else ":material/help:"
    with st.expander(title, expanded=not known, icon=icon):
        question = st.container()
        values = {}
        if product is not None:
            draw_match_reason(line.line, product)
            values = draw_product_fields(line, product, key=own_key)
        asked = find_open_question(line, product, values)
        if asked:
            with question:
                draw_question(asked)
        draw_candidates(line, key=own_key, on_choose=taken.assign)
        if product is None and queries.has_operation(deployment, ADD_OPERATION):
            draw_add_entry(deployment, reading, line, taken, key=own_key, whole_key=key)
    return ReviewedLine(line.line, line.product_id, line.quantity, line.amount, line.role, values), asked


def _load_products(deployment: Deployment, wanted: set[str]) -> dict[str, Product]:
    found: dict[str, Product] = {}
    for ident in sorted(wanted):
        try:
            found[ident] = queries.load_product(deployment, ident)
        except NotFound:
            continue
    return found


def _load_product_choices(
    deployment: Deployment, reading: DocumentReading, taken: AssignedProducts, key: str
) -> dict[str, str]:
    """The products that lines may be given: what they were matched to or may mean, those of the suppliers
    that the document points to, what was added, and those of a supplier that is looked up."""
    offered = {line.product_id: line.product_name or "" for line in reading.lines if line.product_id}
    for line in reading.lines:
        for one in line.candidates:
            offered.setdefault(one.product_id, f"{one.product_name} ({one.company_name})")
    suppliers = {product.company.id for product in _load_products(deployment, set(offered)).values()}
    supplier = reading.supplier
    if supplier and supplier.company_id:
        suppliers.add(supplier.company_id)
    elif supplier and supplier.name and not suppliers:
        found = queries.load_companies(deployment, name=supplier.name.split()[0], limit=MAX_SUPPLIERS)
        suppliers = {company.id for company in found.data}
    with st.expander("Match lines to the products of another supplier", icon=":material/add_business:"):
        st.caption(
            "A reseller's quote names its own company. What is found here can be chosen for each line."
        )
        another, _ = choose_supplier(deployment, key=key)
    if another:
        suppliers.add(another.id)
    for ident in sorted(suppliers):
        offered = {
            product.id: product.name for product in queries.load_products(deployment, ident).data
        } | offered
    added = {ident for ident, _ in taken.by_line.values()} - set(offered)
    return offered | {ident: product.name for ident, product in _load_products(deployment, added).items()}
