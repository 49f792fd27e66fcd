"""The field of a price factor: what a product is bought by, as its catalog entry says."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField
from app.contract.money import format_quantity
from components.elements.form_fields import Field, draw_field, mark_required
from components.formatting.texts import escape_markdown

FieldValue = bool | int | float | str | None
"""The value of a field: a tick, a number, the value of an option, or None while it is empty."""


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


def make_dimension_field(
    dimension: PricingDimension,
    name: str,
    *,
    highest: float | None = None,
    none_label: str = "",
    is_in_row: bool = False,
) -> Field:
    """Return the field under `name`. `highest` is the quantity that limits it. `none_label` stands where
    nothing is chosen; a field that `is_in_row` shows no label above it."""
    field = dimension.form_field
    label = escape_markdown(dimension.name)
    unit = field.label
    match field:
        case CheckboxField():
            made = Field(name, label, kind="flag")
        case NumberField():
            unit = _describe_unit(field, highest)
            is_whole = _has_whole_steps(field)
            step = float(field.step or 1)
            made = Field(name, label, kind="number" if is_whole else "amount", step=step, placeholder=unit)
        case SelectField(options=options):
            made = Field(
                name,
                label,
                kind="choice",
                words={one.value: one.label for one in options},
                placeholder=none_label or (field.label if field.required else "not chosen"),
            )
    return replace(
        made,
        label=mark_required(label) if field.required else label,
        help=None if is_in_row else _describe_dimension(dimension, unit),
        is_locked=field.readonly,
        is_label_hidden=is_in_row,
    )


def draw_dimension_field(
    dimension: PricingDimension,
    others: Mapping[str, FieldValue],
    *,
    key: str,
    none_label: str = "",
    is_in_row: bool = False,
) -> FieldValue:
    """Draw the field under `key` and return its value; the rest is as for `make_dimension_field`. A dimension
    that is only available together with another one is not drawn, and None returned, while the other is not
    chosen."""
    if not is_available(dimension, others):
        return None
    highest = get_upper_limit(dimension, others)
    made = make_dimension_field(dimension, key, highest=highest, none_label=none_label, is_in_row=is_in_row)
    return draw_field(made, key)


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


def _describe_dimension(dimension: PricingDimension, unit: str) -> str:
    lines = [escape_markdown(dimension.description)] if dimension.description else []
    lines.append(escape_markdown(unit))
    lines.append(
        "The price depends on this."
        if dimension.price_impact_known
        else "Its effect on the price is unknown."
    )
    return "  \n".join(lines)
