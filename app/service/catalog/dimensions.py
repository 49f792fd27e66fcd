"""Build and change pricing dimensions in their wire format."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from app.service.catalog.rows import (
    CheckboxFieldRecord,
    Dependency,
    DimensionRecord,
    FieldRecord,
    FormFieldRecord,
    NumberFieldRecord,
    OptionRecord,
    ProductRow,
    SelectFieldRecord,
)

QUANTITY_NAME = "Quantity"
DEFAULT_UNIT = "unit"
"""The unit of a quantity where the purchase names none."""


def number_dimension(
    dimension_id: str,
    name: str,
    label: str,
    *,
    required: bool = False,
    default: float | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
) -> DimensionRecord:
    """A number to enter; `label` names its unit."""
    field: NumberFieldRecord = {"type": "number", "label": label, "readonly": False, "required": required}
    if default is not None:
        field["defaultValue"] = default
    if minimum is not None:
        field["min"] = minimum
    if maximum is not None:
        field["max"] = maximum
    if step is not None:
        field["step"] = step
    return _dimension(dimension_id, name, field)


def quantity_dimension(dimension_id: str, unit: str | None) -> DimensionRecord:
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
    required: bool = False,
    default: str | None = None,
) -> DimensionRecord:
    """A choice among `options`, whose values count from 1. `default` is one of the options."""
    listed: list[OptionRecord] = [
        {"label": option, "value": str(value)} for value, option in enumerate(options, 1)
    ]
    head: FieldRecord = {"label": label, "readonly": False, "required": required}
    field: SelectFieldRecord = (
        {"type": "select", **head, "options": listed}
        if default is None
        else {"type": "select", **head, "defaultValue": str(options.index(default) + 1), "options": listed}
    )
    return _dimension(dimension_id, name, field)


def checkbox_dimension(dimension_id: str, name: str, label: str) -> DimensionRecord:
    """Something that is bought or not; its value in a scope is 1 when it is."""
    field: CheckboxFieldRecord = {
        "type": "checkbox",
        "label": label,
        "readonly": False,
        "required": False,
        "defaultValue": False,
    }
    return _dimension(dimension_id, name, field)


def make_dependent(dimension: DimensionRecord, on: str, dependency: Dependency) -> DimensionRecord:
    """Return the dimension as one that needs the dimension `on` (inclusion), or as one that is at most its
    number or, for a checkbox, takes it (quantity)."""
    return {**dimension, "dependsOn": {"dependsOnDimensionId": on, "dependency": dependency}}


def add_option(dimension: DimensionRecord, label: str) -> DimensionRecord:
    """Return a select with one more option, at the end, so that values in scopes keep their meaning."""
    field = dimension["formField"]
    assert field["type"] == "select"
    value = str(1 + max((int(option["value"]) for option in field["options"]), default=0))
    longer: SelectFieldRecord = {**field, "options": [*field["options"], {"label": label, "value": value}]}
    return {**dimension, "formField": longer}


class ProductDimensions(TypedDict):
    """The dimensions of a product, and the columns of purchases that they stand for by their ids."""

    dimensions: list[DimensionRecord]
    dimension_source: dict[str, str]


def merge_dimensions(seen: ProductRow, everybodys: ProductRow) -> ProductDimensions:
    """Return the dimensions of a product as an organisation sees it, with those that the shared row got
    since. Existing ones keep their ids and values; the same column is the same dimension."""
    dimensions = list(seen["dimensions"])
    sources = dict(seen["dimension_source"])
    places = {dimension["id"]: place for place, dimension in enumerate(dimensions)}
    of_column = {column: places[key] for key, column in sources.items() if key in places}
    for dimension in everybodys["dimensions"]:
        column = everybodys["dimension_source"].get(dimension["id"])
        place = places.get(dimension["id"], of_column.get(column or ""))
        if place is None:
            dimensions.append(dimension)
            if column is not None:
                sources[dimension["id"]] = column
        else:
            dimensions[place] = add_options(dimensions[place], option_labels(dimension))
    return {"dimensions": dimensions, "dimension_source": sources}


def option_labels(dimension: DimensionRecord) -> list[str]:
    """Return the labels of a select's options; none where the dimension is no select."""
    field = dimension["formField"]
    return [option["label"] for option in field["options"]] if field["type"] == "select" else []


def add_options(dimension: DimensionRecord, labels: Iterable[str]) -> DimensionRecord:
    """Return a select with the options that it lacks; another dimension as it is."""
    if dimension["formField"]["type"] != "select":
        return dimension
    there = set(option_labels(dimension))
    for label in labels:
        if label not in there:
            dimension = add_option(dimension, label)
    return dimension


def set_impact_known(dimension: DimensionRecord, impact_known: bool) -> DimensionRecord:
    """Return the dimension with whether past purchases show its effect on the price."""
    return (
        dimension
        if dimension["priceImpactKnown"] == impact_known
        else {**dimension, "priceImpactKnown": impact_known}
    )


def _dimension(dimension_id: str, name: str, field: FormFieldRecord) -> DimensionRecord:
    return {
        "id": dimension_id,
        "name": name,
        "description": None,
        "priceImpactKnown": False,
        "formField": field,
        "dependsOn": {},
    }
