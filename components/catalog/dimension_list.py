"""The pricing dimensions of a product, each explained in words."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.catalog import FormField, NumberField, PricingDimension, SelectField
from app.contract.money import format_quantity
from components.formatting.counts import format_count
from components.formatting.escape_markdown import escape_markdown


def draw_dimension_list(dimensions: Sequence[PricingDimension]) -> None:
    """Draw a row for each dimension: description, what to enter, what it depends on, and whether its effect
    on the price is known."""
    names = {dimension.id: dimension.name for dimension in dimensions}
    st.table(  # pyright: ignore[reportUnknownMemberType]
        [_row(dimension, names) for dimension in dimensions],
        border="horizontal",
        hide_index=True,
        alt=f"{format_count(len(dimensions), 'pricing dimension')} and what to enter for each",
    )


def _row(dimension: PricingDimension, names: Mapping[str, str]) -> dict[str, str]:
    description = f" — {escape_markdown(dimension.description)}" if dimension.description else ""
    required = ":gray-badge[required]" if dimension.form_field.required else "optional"
    known = ":green-badge[:material/trending_up: known]" if dimension.price_impact_known else "unknown"
    return {
        "Dimension": f"**{escape_markdown(dimension.name)}**{description}",
        "What to enter": escape_markdown(describe_field(dimension.form_field)),
        "Depends on": escape_markdown(describe_dependency(dimension, names)) or "—",
        "Required": required,
        "Price impact": known,
    }


def describe_field(field: FormField) -> str:
    """Return what to enter, such as "A number, in named users, at least 1, in steps of 1; default 10."."""
    if isinstance(field, NumberField):
        return _describe_number(field)
    if isinstance(field, SelectField):
        labels = {option.value: option.label for option in field.options}
        chosen = labels.get(field.default_value or "")
        first = f"One of {format_count(len(labels), 'choice')}: {_join_labels(list(labels.values()))}"
        return f"{first}; default {chosen}." if chosen else f"{first}."
    start = "; ticked by default" if field.default_value else ""
    return f"A checkbox: {field.label}{start}."


def describe_dependency(dimension: PricingDimension, names: Mapping[str, str]) -> str:
    """Return what the dimension depends on, "" where it depends on nothing. An unknown kind of dependency is
    passed on as it is."""
    depends = dimension.depends_on
    if depends.depends_on_dimension_id is None:
        return ""
    other = names.get(depends.depends_on_dimension_id, "another dimension")
    if depends.dependency == "quantity":
        return f"At most the quantity of {other}"
    if depends.dependency == "inclusion":
        return f"Only with {other}"
    return f"Depends on {other}" + (f" ({depends.dependency})" if depends.dependency else "")


def _describe_number(field: NumberField) -> str:
    parts = [f"A number, in {field.label}"]
    if field.min is not None and field.max is not None:
        parts.append(f"{format_quantity(field.min)} to {format_quantity(field.max)}")
    elif field.min is not None and field.min > 0:
        parts.append(f"at least {format_quantity(field.min)}")
    elif field.max is not None:
        parts.append(f"at most {format_quantity(field.max)}")
    if field.step is not None:
        parts.append(f"in steps of {format_quantity(field.step)}")
    text = ", ".join(parts)
    return (
        f"{text}; default {format_quantity(field.default_value)}."
        if field.default_value is not None
        else f"{text}."
    )


def _join_labels(labels: Sequence[str], limit: int = 6) -> str:
    shown = ", ".join(labels[:limit])
    return f"{shown} and {len(labels) - limit} more" if len(labels) > limit else shown
