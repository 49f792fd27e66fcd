"""The form of a scope: what is bought, on which terms, product by product."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import cast

import streamlit as st

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, Product, SelectField
from app.contract.money import format_quantity
from app.contract.scope import ProductTerm, PurchaseType, Scope, ScopeTerm
from components.elements.form_fields import (
    draw_amount_input,
    draw_fault,
    get_date,
    get_number,
    mark_required,
    read_fields,
    set_default,
)
from components.formatting.texts import escape_markdown
from components.scopes.scope_card import PURCHASE_TYPE_LABELS

FieldValue = bool | int | float | str | None
"""The value of a field: a tick, a number, the value of an option, or None while it is empty."""

_NONE_LABEL = "not chosen"


def is_available(dimension: PricingDimension, quantities: Mapping[str, FieldValue]) -> bool:
    """Return whether a dimension can be chosen: one that is only included with another needs that one."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "inclusion" or depends_on.depends_on_dimension_id is None:
        return True
    return bool(quantities.get(depends_on.depends_on_dimension_id))


def get_upper_limit(dimension: PricingDimension, quantities: Mapping[str, FieldValue]) -> float | None:
    """Return the quantity of the dimension that limits this one, None where nothing limits it."""
    depends_on = dimension.depends_on
    if depends_on.dependency != "quantity" or depends_on.depends_on_dimension_id is None:
        return None
    other = quantities.get(depends_on.depends_on_dimension_id)
    return float(other) if isinstance(other, int | float) else None


def get_default_value(dimension: PricingDimension) -> FieldValue:
    """Return what the field holds before anything is entered."""
    field = dimension.form_field
    if isinstance(field, CheckboxField):
        return bool(field.default_value)
    if isinstance(field, NumberField):
        return None if field.default_value is None else _to_field_number(float(field.default_value), field)
    known = {option.value for option in field.options}
    return field.default_value if field.default_value in known else None


def to_field_value(dimension: PricingDimension, value: Decimal | str | None) -> FieldValue:
    """Return a value of a scope as the field of its dimension holds it."""
    if value is None:
        return None
    match dimension.form_field:
        case CheckboxField():
            return bool(Decimal(value))
        case SelectField(options=options):
            return next((one.value for one in options if Decimal(one.value) == Decimal(value)), None)
        case NumberField() as field:
            return _to_field_number(float(value), field)


def _to_field_number(value: float, field: NumberField) -> int | float:
    """Return an int where the field counts in whole steps, so that the input shows no decimals."""
    return int(value) if _has_whole_steps(field) and value == int(value) else value


def _has_whole_steps(field: NumberField) -> bool:
    """Return whether every value of the field is a whole number of units."""
    return field.step is not None and field.step == int(field.step) and field.step > 0


def draw_dimension_field(
    dimension: PricingDimension,
    others: Mapping[str, FieldValue],
    *,
    key: str,
    fault: str | None = None,
    none_label: str = _NONE_LABEL,
    is_in_row: bool = False,
) -> FieldValue:
    """Draw the field under `key` and return its value. `none_label` names the choice of none in an optional
    select; one that `is_in_row` shows no label above it. A dimension that is only available together with
    another one is not drawn, and None returned, while the other is not chosen."""
    if not is_available(dimension, others):
        return None
    field = dimension.form_field
    # A required select says so itself.
    marked = field.required and not isinstance(field, SelectField)
    name = escape_markdown(dimension.name)
    label = mark_required(name) if marked else name
    value: FieldValue
    if isinstance(field, CheckboxField):
        value = st.checkbox(
            label, key=key, help=_describe_dimension(dimension), disabled=field.readonly, persist_state="page"
        )
    elif isinstance(field, NumberField):
        value = _number_input(label, dimension, field, others, key)
    else:
        value = _select(label, dimension, field, key, none_label, is_in_row)
    draw_fault(fault)
    return value


def _number_input(
    label: str, dimension: PricingDimension, field: NumberField, others: Mapping[str, FieldValue], key: str
) -> int | float | None:
    unit = _describe_unit(field, get_upper_limit(dimension, others))
    step = int(field.step) if field.step is not None and _has_whole_steps(field) else float(field.step or 1)
    return st.number_input(
        label,
        key=key,
        value=None,
        step=step,
        format="%d" if isinstance(step, int) else "%g",
        placeholder=unit,
        help=_describe_dimension(dimension, unit),
        disabled=field.readonly,
        persist_state="page",
    )


def _select(
    label: str,
    dimension: PricingDimension,
    field: SelectField,
    key: str,
    none_label: str,
    is_in_row: bool,
) -> str | None:
    """An optional select has an option of its own for none: the built-in button that clears it is too small
    to hit (WCAG 2.2, 2.5.8)."""
    labels = {option.value: option.label for option in field.options}

    return st.selectbox(
        label,
        list(labels) if field.required else [None, *labels],
        index=None if field.required else 0,
        required=field.required,
        format_func=lambda value: none_label if value is None else labels.get(value, value),
        key=key,
        help=None if is_in_row else _describe_dimension(dimension),
        placeholder=none_label if is_in_row else field.label,
        disabled=field.readonly,
        persist_state="page",
        label_visibility="collapsed" if is_in_row else "visible",
    )


def _describe_unit(field: NumberField, highest: float | None) -> str:
    """Return the unit with its bounds: `users, 5 to 5,000`."""
    low = field.min
    high = field.max if highest is None else min(field.max or highest, highest)
    if low is not None and high is not None:
        return f"{field.label}, {format_quantity(low)} to {format_quantity(high)}"
    if low:
        return f"{field.label}, {format_quantity(low)} or more"
    if high is not None:
        return f"{field.label}, at most {format_quantity(high)}"
    return field.label


def _describe_dimension(dimension: PricingDimension, unit: str | None = None) -> str:
    lines = [escape_markdown(dimension.description)] if dimension.description else []
    lines.append(escape_markdown(unit or dimension.form_field.label))
    lines.append(
        "The price depends on this."
        if dimension.price_impact_known
        else "Its effect on the price is unknown."
    )
    return "  \n".join(lines)


_PRICES = (("listPrice", "List price"), ("discount", "Discount in %"), ("finalPrice", "Quoted price"))
"""Names and labels of the price fields."""
_PRICE_HELP = "Before tax, for the whole term. Optional."


@dataclass(frozen=True)
class TypedPrice:
    """Optional prices of the whole purchase or of one product."""

    list_price: float | None = None
    discount: float | None = None
    final_price: float | None = None


@dataclass(frozen=True)
class TypedScope:
    """The content of the form. `quantities` and `prices` are by product id, the quantities then by dimension
    id."""

    term_length: float | None
    purchase_type: PurchaseType
    start_date: date | None = None
    price: TypedPrice = TypedPrice()
    quantities: Mapping[str, Mapping[str, FieldValue]] = field(
        default_factory=dict[str, Mapping[str, FieldValue]]
    )
    prices: Mapping[str, TypedPrice] = field(default_factory=dict[str, TypedPrice])


def draw_scope_form(
    products: Sequence[Product],
    *,
    key: str,
    faults: Mapping[str, str] | None = None,
    initial_scope: Scope | None = None,
) -> None:
    """Draw the form for `products`; `read_scope_form` returns what was entered.

    `faults` of the last attempt are shown at their fields; `initial_scope` fills the form the first time it
    is drawn under `key`.
    """
    wrong = faults or {}
    _set_initial_values(products, key, initial_scope)
    if wrong.get(""):
        st.error(escape_markdown(wrong[""]), icon=":material/error:")
    with st.container(border=True):
        st.markdown("**Terms**")
        with st.grid(3, min_column_width=190):
            _draw_terms(key, wrong)
        with st.grid(3, min_column_width=190):
            _draw_prices(key, "", wrong)
    for product in products:
        _draw_product(product, key, wrong)


def read_scope_form(products: Sequence[Product], *, key: str) -> TypedScope:
    """Return what the form under `key` holds at this moment, for a callback that sends it."""
    terms = read_fields(key, ("termLength", "purchaseType", "startDate"))
    return TypedScope(
        term_length=get_number(terms, "termLength"),
        purchase_type="renewal" if terms["purchaseType"] == "renewal" else "new_purchase",
        start_date=get_date(terms, "startDate"),
        price=_read_price(key),
        quantities={product.id: _read_quantities(f"{key}/{product.id}", product) for product in products},
        prices={product.id: _read_price(f"{key}/{product.id}") for product in products},
    )


def _draw_terms(key: str, faults: Mapping[str, str]) -> None:
    with st.container():
        st.selectbox(
            "Kind of purchase",
            list(PURCHASE_TYPE_LABELS),
            format_func=lambda kind: PURCHASE_TYPE_LABELS[kind],
            key=f"{key}/purchaseType",
            persist_state="page",
        )
    with st.container():
        st.number_input(
            mark_required("Term in months"), value=None, step=1, key=f"{key}/termLength", persist_state="page"
        )
        draw_fault(faults.get("termLength"))
    with st.container():
        st.date_input("Start", value=None, key=f"{key}/startDate", format="YYYY-MM-DD", persist_state="page")
        draw_fault(faults.get("startDate"))


def _draw_prices(key: str, prefix: str, faults: Mapping[str, str]) -> None:
    for name, label in _PRICES:
        with st.container():
            draw_amount_input(
                label,
                key=f"{key}/{prefix}{name}",
                help="Percent of the list price, 0 to 100. Optional." if name == "discount" else _PRICE_HELP,
            )
            draw_fault(faults.get(prefix + name))


def _draw_product(product: Product, key: str, faults: Mapping[str, str]) -> None:
    with st.container(border=True):
        st.markdown(f"**{escape_markdown(product.name)}** from {escape_markdown(product.company.name)}")
        if not product.pricing_dimensions:
            st.caption("This product has no price factors, so its price cannot be estimated.")
        draw_fault(faults.get(product.id))
        typed: dict[str, FieldValue] = {}
        with st.grid(3, min_column_width=190):
            for dimension in product.pricing_dimensions:
                with st.container():
                    typed[dimension.id] = draw_dimension_field(
                        dimension,
                        typed,
                        key=_field_key(key, product.id, dimension.id),
                        fault=faults.get(f"{product.id}/{dimension.id}"),
                    )
        with st.expander("Prices quoted for this product alone"), st.grid(3, min_column_width=190):
            _draw_prices(key, f"{product.id}/", faults)


def _field_key(key: str, product_id: str, dimension_id: str) -> str:
    return f"{key}/{product_id}/dimension/{dimension_id}"


def _set_initial_values(products: Sequence[Product], key: str, initial_scope: Scope | None) -> None:
    """Fill the fields in which nothing was entered yet."""
    term = initial_scope.scope_terms[0] if initial_scope and initial_scope.scope_terms else None
    kind = term.purchase_type if term and term.purchase_type in PURCHASE_TYPE_LABELS else "new_purchase"
    set_default(f"{key}/purchaseType", kind)
    set_default(f"{key}/termLength", int(term.term_length) if term else 12)
    _set_default_prices(key, "", term)
    bought = {each.product_id: each for each in initial_scope.product_terms} if initial_scope else {}
    for product in products:
        before = bought.get(product.id)
        _set_default_prices(key, f"{product.id}/", _get_price(initial_scope, product.id))
        values = {each.id: each.value for each in before.pricing_dimensions} if before else {}
        for dimension in product.pricing_dimensions:
            value = get_default_value(dimension)
            if dimension.id in values:
                value = to_field_value(dimension, values[dimension.id])
            set_default(_field_key(key, product.id, dimension.id), value)


def _get_price(scope: Scope | None, product_id: str) -> ProductTerm | None:
    """Return the prices of a product in the scope that is followed; where it stands there once for each year
    of a ramp, their sum."""
    terms = [term for term in scope.product_terms if term.product_id == product_id] if scope else []
    if len(terms) <= 1:
        return terms[0] if terms else None
    prices = [term.final_price for term in terms if term.final_price is not None]
    whole = sum(prices, Decimal(0)) if len(prices) == len(terms) else None
    return terms[0].model_copy(update={"final_price": whole, "list_price": None, "discount": None})


def _set_default_prices(key: str, prefix: str, term: ScopeTerm | ProductTerm | None) -> None:
    """Fill in the prices of the scope that is followed: a follow-up keeps what was quoted."""
    if term is None:
        return
    amounts = (term.list_price, term.discount, term.final_price)
    for (name, _), amount in zip(_PRICES, amounts, strict=True):
        set_default(f"{key}/{prefix}{name}", None if amount is None else float(amount))


def _read_quantities(key: str, product: Product) -> dict[str, FieldValue]:
    typed = read_fields(f"{key}/dimension", [dimension.id for dimension in product.pricing_dimensions])
    return cast(dict[str, FieldValue], typed)


def _read_price(key: str) -> TypedPrice:
    names = [name for name, _ in _PRICES]
    typed = read_fields(key, names)
    return TypedPrice(*(get_number(typed, name) for name in names))
