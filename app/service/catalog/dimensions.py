"""Pricing dimensions as they go over the wire."""

from collections.abc import Sequence
from typing import Literal

from app.service.catalog.wire import Record

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
