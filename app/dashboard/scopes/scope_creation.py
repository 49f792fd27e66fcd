"""A scope described by form, and what the form amounts to. The address names its products (`?product=`) and
the scope that it follows (`&follows=`)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, cast

import streamlit as st
from pydantic.alias_generators import to_camel

from app.client import ApiError
from app.contract.catalog import NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_exact_quantity
from app.contract.scope import (
    GUESSED_TERM_MONTHS,
    DimensionValue,
    NewScope,
    ProductTerm,
    Scope,
    ScopeTerm,
    add_stated_prices,
)
from app.contract.scope_list import ListedScope
from app.contract.values import MAX_AMOUNT
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.form import Form
from app.dashboard.product_choice import ProductChoice
from app.dashboard.session_values import PRODUCTS_CHANGED
from components.elements.form_fields import Field, Fields, draw_fault, get_amount, read_fields
from components.formatting import escape_markdown
from components.scopes import (
    PURCHASE_TYPE_LABELS,
    FieldValue,
    get_default_value,
    get_listed_currency,
    get_upper_limit,
    is_available,
    make_dimension_field,
    to_field_value,
)


def find_scope_currency(deployment: Deployment, scope_id: str) -> str:
    """Find the currency of the scope. Where the deployment does not state it: the one in which the scope is
    priced, or that of its document; "" where there is neither, or nobody has said it."""
    with suppress(ApiError):
        if isinstance(scope := queries.load_scope(deployment, scope_id), ListedScope):
            return get_listed_currency(scope)
    with suppress(ApiError):
        return queries.load_basic_estimate(deployment, scope_id).currency
    with suppress(ApiError):
        if reading := queries.find_document_reading(deployment, scope_id):
            return reading.currency or ""
    return ""


PURCHASE_TYPE = Field(
    "purchase_type", "Kind of purchase", kind="choice", words=PURCHASE_TYPE_LABELS, default="new_purchase"
)
TERM_LABEL = "Term in months"
TERM_LENGTH = Field(
    "term_length",
    TERM_LABEL,
    kind="number",
    least=1,
    most=1200,
    help="For how long it is paid. Leave it empty for what is bought once.",
)
TERM_FIELDS = (PURCHASE_TYPE, TERM_LENGTH, Field("start_date", "Start", kind="day"))
_PRICE_HELP = "Before tax, for the whole term. Optional."
PRICE_FIELDS = (
    Field("list_price", "List price", kind="amount", help=_PRICE_HELP),
    Field("discount", "Discount in %", kind="amount", help="Percent of the list price, 0 to 100. Optional."),
    Field("final_price", "Quoted price", kind="amount", help=_PRICE_HELP),
)


@dataclass(frozen=True)
class ScopeForm:
    """The form of a scope of `products`: its terms, and the price factors and prices of each product, under
    `product id/dimension id` and `product id/list_price`. A follow-up begins as a copy of `previous`."""

    deployment: Deployment
    products: Sequence[Product]
    previous: Scope | None = None

    @property
    def key(self) -> str:
        """The name of the form."""
        return f"scope-form-{self.previous.id if self.previous else 'new'}"

    @property
    def form(self) -> Form[NewScope]:
        """The form as it is while its fields hold what they hold."""
        product_fields = [one for product in self.products for one in self._list_fields(product)]
        return Form(
            self.deployment,
            self.key,
            NewScope,
            [*TERM_FIELDS, *PRICE_FIELDS, *product_fields],
            shape=self._shape,
            check_fields=self._find_faults,
            find_field=self._find_field,
            record=self._copy_previous(),
        )

    def draw(self, on_created: Callable[[Scope], None]) -> None:
        """Draw the terms, a box for each product, and the button. In a fragment each field redraws the form
        alone, since some depend on others."""
        form = self.form
        with form.drawing():
            with st.container(border=True):
                st.markdown("**Terms**")
                with st.grid(3, min_column_width=190):
                    form.draw_fields([one.name for one in (*TERM_FIELDS, *PRICE_FIELDS)])
            for product in self.products:
                with st.container(border=True):
                    self._draw_product(form, product)
        form.draw_button(
            "Create the request",
            send=lambda client, body, key: client.scopes.create(body, idempotency_key=key),
            what="Creating the request",
            on_success=on_created,
            icon="check",
        )

    def _draw_product(self, form: Form[NewScope], product: Product) -> None:
        st.markdown(f"**{escape_markdown(product.name)}** from {escape_markdown(product.company.name)}")
        if not product.pricing_dimensions:
            st.caption("This product has no price factors, so its price cannot be estimated.")
        draw_fault(form.faults.get(product.id))
        with st.grid(3, min_column_width=190):
            for one in product.pricing_dimensions:
                if is_available(one, _get_quantities(product, form.read())):
                    form.draw_fields([f"{product.id}/{one.id}"])
        with st.expander("Prices quoted for this product alone"), st.grid(3, min_column_width=190):
            form.draw_fields([f"{product.id}/{one.name}" for one in PRICE_FIELDS])

    def _list_fields(self, product: Product) -> list[Field]:
        names = [f"{product.id}/{one.id}" for one in product.pricing_dimensions]
        typed = _get_quantities(product, read_fields(self.key, names))
        return [
            *(
                make_dimension_field(one, name, highest=get_upper_limit(one, typed))
                for name, one in zip(names, product.pricing_dimensions, strict=True)
            ),
            *(replace(one, name=f"{product.id}/{one.name}") for one in PRICE_FIELDS),
        ]

    def _copy_previous(self) -> dict[str, object]:
        """Return what the fields begin with: what was bought and quoted, else the defaults of the catalog."""
        values: dict[str, object] = {}
        term = self.previous.scope_terms[0] if self.previous and self.previous.scope_terms else None
        if term is not None:
            values |= {
                "term_length": None if term.term_assumed else term.term_length,
                "start_date": term.start_date,
                **_get_prices(term),
            }
            if term.purchase_type in PURCHASE_TYPE_LABELS:
                values["purchase_type"] = term.purchase_type
        for product in self.products:
            terms = self.previous.product_terms if self.previous else []
            bought = [one for one in terms if one.product_id == product.id]
            stated = {one.id: one.value for one in bought[-1].pricing_dimensions} if bought else {}
            for one in product.pricing_dimensions:
                values[f"{product.id}/{one.id}"] = (
                    to_field_value(one, stated[one.id]) if one.id in stated else get_default_value(one)
                )
            for name, price in _sum_prices(bought).items():
                values[f"{product.id}/{name}"] = price
        return values

    def _find_faults(self, values: Fields) -> dict[str, str]:
        faults: dict[str, str] = {} if self.products else {"": "Choose at least one product."}
        for product in self.products:
            quantities, wrong = collect_quantities(product, _get_quantities(product, values))
            faults |= wrong
            if not quantities and not wrong:
                faults[product.id] = "Fill in at least one field."
        return faults

    def _shape(self, values: Fields) -> dict[str, Any]:
        """Return the content of the scope; prices with the decimals that were typed."""

        def price(prefix: str) -> dict[str, Decimal | None]:
            names = [one.name for one in PRICE_FIELDS]
            return {to_camel(name): get_amount(values, prefix + name) for name in names}

        term = {to_camel(one.name): values[one.name] for one in TERM_FIELDS}
        if values["term_length"] is None:
            term |= {"termLength": GUESSED_TERM_MONTHS, "termAssumed": True}
        return {
            "scope_terms": [term | price("")],
            "product_terms": [
                {
                    "productId": product.id,
                    "pricingDimensions": collect_quantities(product, _get_quantities(product, values))[0],
                    **price(f"{product.id}/"),
                }
                for product in self.products
            ],
            "previous_scope_id": self.previous.id if self.previous else None,
        }

    def _find_field(self, place: tuple[str | int, ...]) -> str:
        prices: dict[str | int, str] = {to_camel(one.name): one.name for one in PRICE_FIELDS}
        terms = prices | {to_camel(one.name): one.name for one in TERM_FIELDS}
        if place[:1] == ("scopeTerms",):
            return terms.get(str(place[2]), "") if len(place) > 2 else ""
        at = place[1] if place[:1] == ("productTerms",) and len(place) > 1 else None
        if not isinstance(at, int) or at >= len(self.products):
            return ""
        product = self.products[at]
        name = place[2] if len(place) > 2 else ""
        if name in prices:
            return f"{product.id}/{prices[name]}"
        sent, _ = collect_quantities(product, _get_quantities(product, self.form.read()))
        one = place[3] if name == "pricingDimensions" and len(place) > 3 else None
        return f"{product.id}/{sent[one].id}" if isinstance(one, int) and one < len(sent) else product.id


def _get_quantities(product: Product, values: Fields) -> dict[str, FieldValue]:
    return {
        one.id: cast(FieldValue, values.get(f"{product.id}/{one.id}")) for one in product.pricing_dimensions
    }


def _get_prices(term: ScopeTerm | ProductTerm) -> dict[str, object]:
    return {one.name: getattr(term, one.name) for one in PRICE_FIELDS}


def _sum_prices(terms: Sequence[ProductTerm]) -> dict[str, object]:
    """Return the prices of a product in the scope that is followed, of several lines those of the last, which
    the form takes; where it stands there once for each year of a ramp, their sum."""
    if len(terms) <= 1 or any(term.months is None for term in terms):
        return _get_prices(terms[-1]) if terms else {}
    return {"final_price": add_stated_prices(terms)}


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
        else:
            number = value if isinstance(value, str) else Decimal(str(float(value))).normalize()
            values.append(DimensionValue(id=dimension.id, value=number))
    return values, faults


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
        st.fragment(ScopeForm(deployment, products, previous).draw)(on_created)


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
        "scope", "This quote follows another one and starts as a copy of it", icon="link", id=previous.id
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
