"""Build and change pricing dimensions in their wire format."""

from collections.abc import Sequence
from typing import Literal

from app.service.catalog.wire import Record, Row

Dependency = Literal["quantity", "inclusion"]

QUANTITY_NAME = "Quantity"
DEFAULT_UNIT = "unit"
"""The unit of a quantity where the purchase names none."""


def number_dimension(
    dimension_id: str,
    name: str,
    label: str,
    *,
    description: str | None = None,
    required: bool = False,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    impact_known: bool = False,
) -> Record:
    """A number to enter; `label` names its unit."""
    field: Record = {"type": "number", "label": label, "readonly": False, "required": required}
    for key, value in (("defaultValue", default), ("min", minimum), ("max", maximum), ("step", step)):
        if value is not None:
            field[key] = value
    return _dimension(dimension_id, name, description, impact_known, field)


def quantity_dimension(dimension_id: str, unit: str | None) -> Record:
    """How many are bought: the one dimension that every product requires."""
    return number_dimension(
        dimension_id, QUANTITY_NAME, unit or DEFAULT_UNIT, required=True, default=1, minimum=0
    )


def select_dimension(
    dimension_id: str,
    name: str,
    label: str,
    options: Sequence[str],
    *,
    description: str | None = None,
    required: bool = False,
    default: str | None = None,
    impact_known: bool = False,
) -> Record:
    """A choice among `options`, whose values count from 1. `default` is one of the options."""
    listed = [{"label": option, "value": str(value)} for value, option in enumerate(options, 1)]
    field: Record = {"type": "select", "label": label, "readonly": False, "required": required}
    if default is not None:
        field["defaultValue"] = str(options.index(default) + 1)
    field["options"] = listed
    return _dimension(dimension_id, name, description, impact_known, field)


def checkbox_dimension(
    dimension_id: str,
    name: str,
    label: str,
    *,
    description: str | None = None,
    default: bool = False,
    impact_known: bool = False,
) -> Record:
    """Something that is bought or not; its value in a scope is 1 when it is."""
    field: Record = {
        "type": "checkbox",
        "label": label,
        "readonly": False,
        "required": False,
        "defaultValue": default,
    }
    return _dimension(dimension_id, name, description, impact_known, field)


def make_dependent(dimension: Record, on: str, dependency: Dependency) -> Record:
    """Return the dimension as one that needs the dimension `on` (inclusion) or is limited by it
    (quantity)."""
    return {**dimension, "dependsOn": {"dependsOnDimensionId": on, "dependency": dependency}}


def add_option(dimension: Record, label: str) -> Record:
    """Return a select with one more option, at the end, so that values in scopes keep their meaning."""
    field = dimension["formField"]
    options: list[Record] = field["options"]
    value = str(1 + max((int(option["value"]) for option in options), default=0))
    return {**dimension, "formField": {**field, "options": [*options, {"label": label, "value": value}]}}


def merge_dimensions(seen: Row, everybodys: Row) -> Record:
    """Return the dimensions and their sources of a product as an organisation sees it, with those that the
    shared row got since. Existing ones keep their ids and values; the same column is the same dimension."""
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
                    dimensions[place] = add_option(dimensions[place], option["label"])
    return {"dimensions": dimensions, "dimension_source": sources}


def set_impact_known(dimension: Record, impact_known: bool) -> Record:
    """Return the dimension with whether past purchases show its effect on the price."""
    return (
        dimension
        if dimension["priceImpactKnown"] == impact_known
        else {**dimension, "priceImpactKnown": impact_known}
    )


def _dimension(dimension_id: str, name: str, description: str | None, known: bool, field: Record) -> Record:
    return {
        "id": dimension_id,
        "name": name,
        "description": description,
        "priceImpactKnown": known,
        "formField": field,
        "dependsOn": {},
    }
