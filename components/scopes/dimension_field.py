"""The input for one pricing dimension of a product: a tick box, a number or a choice."""

from collections.abc import Mapping
from decimal import Decimal

import streamlit as st

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField
from app.contract.money import format_quantity
from components.elements.form_fields import draw_fault, mark_required
from components.formatting.escape_markdown import escape_markdown

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

    def label_of(value: str | None) -> str:
        return none_label if value is None else labels.get(value, value)

    return st.selectbox(
        label,
        list(labels) if field.required else [None, *labels],
        index=None if field.required else 0,
        required=field.required,
        format_func=label_of,
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
