"""A scope described by form. The address names its products (`?product=`) and the scope that it follows
(`&follows=`)."""

from collections import Counter
from collections.abc import Callable

import streamlit as st

from app.client import ScopedClient
from app.contract.catalog import Product
from app.contract.scope import NewScope, Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.catalog.product_choice import ProductChoice
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.scopes.scope_validation import locate_field, validate_scope
from app.dashboard.session_values import PRODUCTS_CHANGED, form_faults, write_failure
from components.formatting.escape_markdown import escape_markdown
from components.scopes.scope_form import draw_scope_form, read_scope_form


def draw_scope_creation(deployment: Deployment, *, on_created: Callable[[Scope], None]) -> None:
    """Draw the choice of products, then the form for them."""
    previous = None
    with failure_panel("The quote that this one follows"):
        previous = _load_previous(deployment)
    if previous:
        _draw_previous(previous)
    products: list[Product] = []
    for product_id in _list_product_ids(deployment):
        with failure_panel(f"The product {product_id}", key=product_id):
            products.append(queries.load_product(deployment, product_id))
    _draw_product_choice(deployment, products)
    if products:
        _draw_form(deployment, products, previous, on_created)


def _load_previous(deployment: Deployment) -> Scope | None:
    scope_id = st.query_params.get("follows")
    return queries.load_scope(deployment, scope_id) if scope_id else None


def _list_product_ids(deployment: Deployment) -> list[str]:
    """Return the products of the address, else those of the scope that this one follows."""
    in_address = [product_id for product_id in st.query_params.get("product", "").split(",") if product_id]
    if in_address or "product" in st.query_params:
        return list(dict.fromkeys(in_address))
    previous = _load_previous(deployment)
    return list(dict.fromkeys(term.product_id for term in previous.product_terms)) if previous else []


def _draw_previous(previous: Scope) -> None:
    navigation.draw_link(
        "scope",
        "This quote follows another one and starts as a copy of it",
        icon=":material/link:",
        id=previous.id,
    )
    repeated = _find_repeated_products(previous)
    if repeated:
        st.warning(
            f"The earlier quote has several lines of {escape_markdown(', '.join(repeated))}. This form takes"
            " each product once and leaves out the others. To keep all lines, use its document's review.",
            icon=":material/warning:",
        )


def _find_repeated_products(scope: Scope) -> list[str]:
    """Return the names of products that the scope buys more than once, for example in two editions."""
    counts = Counter(term.product_id for term in scope.product_terms)
    names = {term.product_id: term.product_name for term in scope.product_terms}
    return [names[product_id] for product_id, count in counts.items() if count > 1]


@st.fragment
def _draw_product_choice(deployment: Deployment, products: list[Product]) -> None:
    """Draw the products and the search for more; the page runs again only when a product was added or
    removed."""
    if PRODUCTS_CHANGED.pop():
        st.rerun()

    def add(product_id: str) -> None:
        PRODUCTS_CHANGED.set(True)
        st.query_params["product"] = ",".join([*_list_product_ids(deployment), product_id])

    def remove(product_id: str) -> None:
        PRODUCTS_CHANGED.set(True)
        others = [other for other in _list_product_ids(deployment) if other != product_id]
        st.query_params["product"] = ",".join(others)

    with failure_panel("The search for products"), st.container(border=True):
        st.markdown("**Products**")
        if products:
            with st.container(horizontal=True):
                for product in products:
                    st.button(
                        escape_markdown(product.name),
                        icon=":material/close:",
                        key=f"put-back-{product.id}",
                        on_click=remove,
                        args=(product.id,),
                        help="Remove",
                    )
        ProductChoice(deployment, "form").draw([product.id for product in products], add)


@st.fragment
def _draw_form(
    deployment: Deployment,
    products: list[Product],
    previous: Scope | None,
    on_created: Callable[[Scope], None],
) -> None:
    """Draw the form, which each field redraws alone, since some fields depend on others."""
    form = f"scope-form-{previous.id if previous else 'new'}"
    previous_id = previous.id if previous else None
    faults = form_faults(form)
    draw_scope_form(products, key=form, faults=faults.get(), initial_scope=previous)

    def check() -> CheckedForm[NewScope]:
        return validate_scope(read_scope_form(products, key=form), products, previous_id)

    def create(client: ScopedClient, body: NewScope, idempotency_key: str) -> Scope:
        return client.scopes.create(body, idempotency_key=idempotency_key)

    failure = write_failure(form).get()
    body = check().body if failure else None
    if failure and body:
        faults.set({locate_field(place.pointer, body): place.detail for place in failure.places})
    form_button(
        deployment,
        "Create the request",
        form=form,
        check=check,
        send=create,
        what="Creating the request",
        on_success=on_created,
        icon=":material/check:",
    )
