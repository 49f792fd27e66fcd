"""A scope described by form, and what the form amounts to. The address names its products (`?product=`) and
the scope that it follows (`&follows=`)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

import streamlit as st
from pydantic import ValidationError

from app.client import ApiError
from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_exact_quantity
from app.contract.scope import DimensionValue, NewProductTerm, NewScope, NewScopeTerm, Scope
from app.contract.validation_messages import describe_faults
from app.contract.values import MAX_AMOUNT
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.catalog.product_choice import ProductChoice
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import CheckedForm, form_button
from app.dashboard.session_values import PRODUCTS_CHANGED, form_faults, write_failure
from components.formatting.texts import escape_markdown
from components.scopes.scope_card import get_listed_currency
from components.scopes.scope_form import (
    FieldValue,
    TypedPrice,
    TypedScope,
    draw_scope_form,
    get_upper_limit,
    is_available,
    read_scope_form,
)


def find_scope_currency(deployment: Deployment, scope_id: str) -> str:
    """Find the currency of the scope. Where the deployment does not state it: the one in which the scope is
    priced, or that of its document; "" where there is neither."""
    with suppress(ApiError):
        if currency := get_listed_currency(queries.load_scope(deployment, scope_id)):
            return currency
    with suppress(ApiError):
        return queries.load_basic_estimate(deployment, scope_id).currency
    if queries.has_operation(deployment, "GET /v1/scope/{}/document"):
        with suppress(ApiError):
            return extension_queries.load_document_reading(deployment, scope_id).currency or ""
    return ""


def validate_scope(
    typed: TypedScope, products: Sequence[Product], previous_scope_id: str | None = None
) -> CheckedForm[NewScope]:
    """Return the scope to create, or the faults: by field of the terms (`termLength`), by `productId` or by
    `productId/dimensionId`. The service checks again; checking here saves a request."""
    faults: dict[str, str] = {}
    if not products:
        faults[""] = "Choose at least one product."
    term = typed.term_length
    if term is None or term != int(term) or not 1 <= term <= 1200:
        faults["termLength"] = "Enter a whole number of months from 1 to 1200."
    faults |= _find_price_faults(typed.price, "")
    terms: list[NewProductTerm] = []
    for product in products:
        price = typed.prices.get(product.id, TypedPrice())
        faults |= _find_price_faults(price, f"{product.id}/")
        values, wrong = collect_quantities(product, typed.quantities.get(product.id, {}))
        faults |= wrong
        if not values and not wrong:
            faults[product.id] = "Fill in at least one field."
        if not faults:
            terms.append(
                NewProductTerm(
                    product_id=product.id,
                    pricing_dimensions=values,
                    list_price=_to_decimal(price.list_price),
                    discount=_to_decimal(price.discount),
                    final_price=_to_decimal(price.final_price),
                )
            )
    if faults or term is None:
        return CheckedForm(None, faults)
    try:
        scope_term = NewScopeTerm(
            term_length=int(term),
            purchase_type=typed.purchase_type,
            start_date=typed.start_date,
            list_price=_to_decimal(typed.price.list_price),
            discount=_to_decimal(typed.price.discount),
            final_price=_to_decimal(typed.price.final_price),
        )
        return CheckedForm(
            NewScope(scope_terms=[scope_term], product_terms=terms, previous_scope_id=previous_scope_id), {}
        )
    except ValidationError as refusal:
        return CheckedForm(None, {"": describe_faults(refusal)})


def collect_quantities(
    product: Product, typed: Mapping[str, FieldValue]
) -> tuple[list[DimensionValue], dict[str, str]]:
    """Return the quantities of a product's dimensions, and the faults by `productId/dimensionId`."""
    values: list[DimensionValue] = []
    faults: dict[str, str] = {}
    for dimension in product.pricing_dimensions:
        if not is_available(dimension, typed):
            continue
        value = typed.get(dimension.id)
        place = f"{product.id}/{dimension.id}"
        if value is None or value is False or value == "":
            if dimension.form_field.required:
                faults[place] = "This field is required."
            continue
        fault = _find_fault(dimension, value, get_upper_limit(dimension, typed))
        if fault:
            faults[place] = fault
        elif isinstance(value, bool):
            values.append(DimensionValue(id=dimension.id, value=Decimal(1)))
        else:
            values.append(DimensionValue(id=dimension.id, value=_to_wire_value(value)))
    return values, faults


def _to_wire_value(value: int | float | str) -> Decimal | str:
    return value if isinstance(value, str) else Decimal(str(value)).normalize()


def _find_fault(dimension: PricingDimension, value: FieldValue, highest: float | None) -> str | None:
    field = dimension.form_field
    if isinstance(field, SelectField):
        known = {option.value for option in field.options}
        return None if value in known else "Choose one of the options."
    if not isinstance(field, NumberField) or isinstance(value, bool | str | None):
        return None
    number = Decimal(str(value))
    if not number.is_finite() or number >= MAX_AMOUNT:
        return "Enter a number below one trillion."
    if number < 0:
        return "Must not be below 0."
    if field.min is not None and number < field.min:
        return f"At least {format_exact_quantity(field.min)}."
    if field.max is not None and number > field.max:
        return f"At most {format_exact_quantity(field.max)}."
    if highest is not None and number > Decimal(str(highest)):
        return f"At most {highest:,.10g}, the quantity that it belongs to."
    if field.step and (number - (field.min or 0)) % field.step:
        return f"In steps of {format_exact_quantity(field.step)}."
    return None


def _find_price_faults(price: TypedPrice, prefix: str) -> dict[str, str]:
    faults: dict[str, str] = {}
    for place, amount in (("listPrice", price.list_price), ("finalPrice", price.final_price)):
        if amount is not None and not 0 <= amount < MAX_AMOUNT:
            faults[prefix + place] = "Enter 0 or more, and less than one trillion."
    if price.discount is not None and not 0 <= price.discount <= 100:
        faults[f"{prefix}discount"] = "Enter a percentage of the list price, 0 to 100."
    return faults


def _to_decimal(amount: float | None) -> Decimal | None:
    return None if amount is None else Decimal(str(amount))


def locate_field(pointer: str, body: NewScope) -> str:
    """Return the field that a JSON Pointer of the service into `body` stands for; "" where there is none."""
    parts = pointer.strip("/").split("/")
    if parts[0] == "scopeTerms":
        return parts[2] if len(parts) > 2 else ""
    if parts[0] != "productTerms" or len(parts) < 2 or not parts[1].isdigit():
        return ""
    at = int(parts[1])
    if at >= len(body.product_terms):
        return ""
    term = body.product_terms[at]
    if len(parts) > 3 and parts[2] == "pricingDimensions" and parts[3].isdigit():
        dimension = int(parts[3])
        if dimension < len(term.pricing_dimensions):
            return f"{term.product_id}/{term.pricing_dimensions[dimension].id}"
    if len(parts) == 3 and parts[2] in {"listPrice", "discount", "finalPrice"}:
        return f"{term.product_id}/{parts[2]}"
    return term.product_id


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
    counts = Counter(term.product_id for term in previous.product_terms)
    names = {term.product_id: term.product_name for term in previous.product_terms}
    repeated = [names[product_id] for product_id, count in counts.items() if count > 1]
    if repeated:
        st.warning(
            f"The earlier quote has several lines of {escape_markdown(', '.join(repeated))}. This form takes"
            " each product once and leaves out the others. To keep all lines, use its document's review.",
            icon=":material/warning:",
        )


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

    failure = write_failure(form).get()
    body = check().body if failure else None
    if failure and body:
        faults.set({locate_field(place.pointer, body): place.detail for place in failure.places})
    form_button(
        deployment,
        "Create the request",
        form=form,
        check=check,
        send=lambda client, body, key: client.scopes.create(body, idempotency_key=key),
        what="Creating the request",
        on_success=on_created,
        icon=":material/check:",
    )
