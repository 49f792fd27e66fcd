"""Pricing dimensions as they go over the wire."""

from collections.abc import Sequence
from typing import Literal

from app.service.catalog.wire import Record, Row

Dependency = Literal["quantity", "inclusion"]

QUANTITY = "Quantity"
ONE = "unit"
"""What a quantity counts where the purchase does not say."""


def number_dimension(
    dimension_id: str,
    name: str,
    label: str,
    *,
    description: str | None = None,
    required: bool = False,
    default: float | None = None,
    least: float | None = None,
    most: float | None = None,
    step: float | None = None,
    known: bool = False,
) -> Record:
    """A number to enter; `label` names its unit."""
    field: Record = {"type": "number", "label": label, "readonly": False, "required": required}
    for key, value in (("defaultValue", default), ("min", least), ("max", most), ("step", step)):
        if value is not None:
            field[key] = value
    return _dimension(dimension_id, name, description, known, field)


def quantity_dimension(dimension_id: str, unit: str | None) -> Record:
    """How many were bought: the one dimension that every product requires."""
    return number_dimension(dimension_id, QUANTITY, unit or ONE, required=True, default=1, least=0)


def select_dimension(
    dimension_id: str,
    name: str,
    label: str,
    options: Sequence[str],
    *,
    description: str | None = None,
    required: bool = False,
    default: str | None = None,
    known: bool = False,
) -> Record:
    """A choice among `options`, whose values count from 1. `default` is one of the options."""
    listed = [{"label": option, "value": str(value)} for value, option in enumerate(options, 1)]
    field: Record = {"type": "select", "label": label, "readonly": False, "required": required}
    if default is not None:
        field["defaultValue"] = str(options.index(default) + 1)
    field["options"] = listed
    return _dimension(dimension_id, name, description, known, field)


def checkbox_dimension(
    dimension_id: str,
    name: str,
    label: str,
    *,
    description: str | None = None,
    default: bool = False,
    known: bool = False,
) -> Record:
    """Something that is bought or not; 1 in a scope when it is."""
    field: Record = {
        "type": "checkbox",
        "label": label,
        "readonly": False,
        "required": False,
        "defaultValue": default,
    }
    return _dimension(dimension_id, name, description, known, field)


def depending(dimension: Record, on: str, dependency: Dependency) -> Record:
    """`dimension`, there only with the dimension `on` (inclusion), or at most as many (quantity)."""
    return {**dimension, "dependsOn": {"dependsOnDimensionId": on, "dependency": dependency}}


def with_option(dimension: Record, label: str) -> Record:
    """A select with one option more, at the end: values that scopes hold keep their meaning."""
    field = dimension["formField"]
    options: list[Record] = field["options"]
    value = str(1 + max((int(option["value"]) for option in options), default=0))
    return {**dimension, "formField": {**field, "options": [*options, {"label": label, "value": value}]}}


def with_new_dimensions(seen: Row, everybodys: Row) -> Record:
    """The dimensions and their sources of a product as an organisation sees it, with what everybody's row has
    got since. What is there keeps its ids and values; the same column is the same dimension."""
    dimensions: list[Record] = list(seen["dimensions"])
    sources: dict[str, str] = dict(seen["dimension_source"])
    places = {dimension["id"]: place for place, dimension in enumerate(dimensions)}
    of_column = {column: places[key] for key, column in sources.items() if key in places}
    for dimension in everybodys["dimensions"]:
        column: str | None = everybodys["dimension_source"].get(dimension["id"])
        place = places.get(dimension["id"], of_column.get(column or ""))
        if place is None:
            dimensions.append(dimension)
            if column is not None:
                sources[dimension["id"]] = column
        elif dimension["formField"]["type"] == dimensions[place]["formField"]["type"] == "select":
            there = {option["label"] for option in dimensions[place]["formField"]["options"]}
            for option in dimension["formField"]["options"]:
                if option["label"] not in there:
                    dimensions[place] = with_option(dimensions[place], option["label"])
    return {"dimensions": dimensions, "dimension_source": sources}


def with_known_impact(dimension: Record, known: bool) -> Record:
    """`dimension`, saying whether past purchases show its effect on the price."""
    return dimension if dimension["priceImpactKnown"] == known else {**dimension, "priceImpactKnown": known}


def _dimension(dimension_id: str, name: str, description: str | None, known: bool, field: Record) -> Record:
    return {
        "id": dimension_id,
        "name": name,
        "description": description,
        "priceImpactKnown": known,
        "formField": field,
        "dependsOn": {},
    }
