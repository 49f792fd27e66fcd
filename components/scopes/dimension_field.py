"""One field of a product's price: a tick, a number or a choice, as the product's record describes it."""

from collections.abc import Mapping

import streamlit as st

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField
from components import fixtures
from components.formatting.escape_markdown import plain
from components.formatting.money import quantity
from components.scopes.scope_entry import Typed, ceiling, present

_NONE = "not taken"


def first_value(dimension: PricingDimension) -> Typed:
    """What the field holds before anybody types."""
    field = dimension.form_field
    if isinstance(field, CheckboxField):
        return bool(field.default_value)
    if isinstance(field, NumberField):
        return None if field.default_value is None else number(float(field.default_value), field)
    known = {option.value for option in field.options}
    return field.default_value if field.default_value in known else None


def number(value: float, field: NumberField) -> int | float:
    """Whole where the field counts in whole steps, so that the widget shows no decimals."""
    return int(value) if is_whole(field) and value == int(value) else value


def is_whole(field: NumberField) -> bool:
    return field.step is not None and field.step == int(field.step) and field.step > 0


def draw_dimension_field(
    dimension: PricingDimension,
    others: Mapping[str, Typed],
    *,
    key: str,
    fault: str | None = None,
    none: str = _NONE,
) -> Typed:
    """Draw the field under `key`; what it holds. `none` is what an optional choice says where there is none.
    Nothing is drawn, and None given, for a dimension whose
    inclusion hangs on another one that is not taken."""
    if not present(dimension, others):
        return None
    field = dimension.form_field
    # A required select says so itself.
    marked = field.required and not isinstance(field, SelectField)
    label = plain(dimension.name) + (" \\*" if marked else "")
    value: Typed
    if isinstance(field, CheckboxField):
        value = st.checkbox(
            label, key=key, help=_help(dimension), disabled=field.readonly, persist_state="page"
        )
    elif isinstance(field, NumberField):
        value = _number_input(label, dimension, field, others, key)
    else:
        value = _select(label, dimension, field, key, none)
    if fault:
        st.caption(f":red[:material/error: {plain(fault)}]")
    return value


def _number_input(
    label: str, dimension: PricingDimension, field: NumberField, others: Mapping[str, Typed], key: str
) -> int | float | None:
    unit = _unit(field, ceiling(dimension, others))
    step = int(field.step) if field.step is not None and is_whole(field) else float(field.step or 1)
    return st.number_input(
        label,
        key=key,
        value=None,
        step=step,
        format="%d" if isinstance(step, int) else "%g",
        placeholder=unit,
        help=_help(dimension, unit),
        disabled=field.readonly,
        persist_state="page",
    )


def _select(label: str, dimension: PricingDimension, field: SelectField, key: str, none: str) -> str | None:
    """An optional choice has an option of its own for none: the widget's button that clears it is too small
    to hit (WCAG 2.2, 2.5.8)."""
    labels = {option.value: option.label for option in field.options}

    def label_of(value: str | None) -> str:
        return none if value is None else labels.get(value, value)

    return st.selectbox(
        label,
        list(labels) if field.required else [None, *labels],
        index=None if field.required else 0,
        required=field.required,
        format_func=label_of,
        key=key,
        help=_help(dimension),
        placeholder=field.label,
        disabled=field.readonly,
        persist_state="page",
    )


def _unit(field: NumberField, highest: float | None) -> str:
    """The unit with its bounds: `users, 5 to 5,000`."""
    low = field.min
    high = field.max if highest is None else min(field.max or highest, highest)
    if low is not None and high is not None:
        return f"{field.label}, {quantity(low)} to {quantity(high)}"
    if low:
        return f"{field.label}, {quantity(low)} or more"
    if high is not None:
        return f"{field.label}, at most {quantity(high)}"
    return field.label


def _help(dimension: PricingDimension, unit: str | None = None) -> str:
    lines = [plain(dimension.description)] if dimension.description else []
    lines.append(plain(unit or dimension.form_field.label))
    lines.append(
        "The price is known to depend on it."
        if dimension.price_impact_known
        else "Its effect on the price is not known."
    )
    return "  \n".join(lines)


def example() -> None:
    typed: dict[str, Typed] = {}
    for dimension in fixtures.product().pricing_dimensions:
        key = f"example-dimension-{dimension.id}"
        st.session_state.setdefault(key, first_value(dimension))
        typed[dimension.id] = draw_dimension_field(
            dimension, typed, key=key, fault="This is needed." if dimension.form_field.required else None
        )
