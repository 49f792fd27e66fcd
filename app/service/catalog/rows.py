"""The rows of the catalog's tables, and the JSON values in their columns, pricing dimensions among them.

The JSON values have the keys of the interface, because they are sent as they are stored.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import Connection

Row = TypeVar("Row")

Dependency = Literal["quantity", "inclusion"]


class OptionRecord(TypedDict):
    """An option of a select. `value` is a number as text."""

    label: str
    value: str


class FieldRecord(TypedDict):
    """What the form fields of all dimensions have."""

    label: str
    readonly: bool
    required: bool


class NumberFieldRecord(FieldRecord):
    """A number to enter, in the unit that `label` names."""

    type: Literal["number"]
    defaultValue: NotRequired[float]
    min: NotRequired[float]
    max: NotRequired[float]
    step: NotRequired[float]


class SelectFieldRecord(FieldRecord):
    """A choice between options. `defaultValue` is the value of one."""

    type: Literal["select"]
    defaultValue: NotRequired[str]
    options: list[OptionRecord]


class CheckboxFieldRecord(FieldRecord):
    """A box to tick."""

    type: Literal["checkbox"]
    defaultValue: bool


FormFieldRecord = NumberFieldRecord | SelectFieldRecord | CheckboxFieldRecord


class DependencyRecord(TypedDict, total=False):
    """The dimension on which another one depends; empty where it depends on none."""

    dependsOnDimensionId: str
    dependency: Dependency


class DimensionRecord(TypedDict):
    """A pricing dimension of a product."""

    id: str
    name: str
    description: str | None
    priceImpactKnown: bool
    formField: FormFieldRecord
    dependsOn: DependencyRecord


class FeatureRecord(TypedDict):
    """Something that a product includes at no extra price."""

    id: str
    name: str
    description: str


class StockSymbolRecord(TypedDict):
    """A symbol under which a company is listed at a stock exchange."""

    symbol: str
    exchange: str


class CompanyDetails(TypedDict, total=False):
    """The parts of a company's record that have no column of their own."""

    description: str
    url: str
    icon: str
    fiscalYearEnd: str
    stockSymbols: list[StockSymbolRecord]
    competitorIds: list[str]


class ProductDetails(TypedDict, total=False):
    """The parts of a product's record that have no column of their own."""

    description: str
    icon: str
    url: str
    competitorIds: list[str]


class CategoryRow(TypedDict):
    """A row of `category`."""

    id: str
    organisation_id: str | None
    parent_id: str | None
    name: str
    description: str
    sort_name: str
    last_updated_at: datetime
    wire_list: str


class CompanyRow(TypedDict):
    """A row of `company`."""

    id: str
    organisation_id: str | None
    name: str
    sort_name: str
    name_key: str
    legal_name: str
    domain: str
    category_id: str | None
    discontinued: bool
    sample: bool
    details: CompanyDetails
    real_purchase_count: int
    last_updated_at: datetime
    wire_read: str
    wire_list: str


class FamilyRow(TypedDict):
    """A row of `product_family`."""

    id: str
    organisation_id: str | None
    company_id: str
    name: str
    sort_name: str
    sort_order: int
    last_updated_at: datetime
    wire_list: str


class ProductRow(TypedDict):
    """A row of `product`. `dimension_source` leads from a dimension's id to the column of purchases that it
    stands for."""

    id: str
    organisation_id: str | None
    company_id: str
    family_id: str | None
    name: str
    sort_name: str
    name_key: str
    sort_order: int
    item_id: str | None
    item_key: str | None
    currency: str | None
    default_price: float | None
    details: ProductDetails
    dimensions: list[DimensionRecord]
    features: list[FeatureRecord]
    dimension_source: dict[str, str]
    quantity_dimension_id: str | None
    purchase_count: int
    estimate_available: bool
    stale: bool
    last_updated_at: datetime
    wire_read: str
    wire_list: str


class SoldProductRow(ProductRow):
    """A row of `product` with what its competitors' records show of its company."""

    company_name: str
    company_domain: str
    company_details: CompanyDetails


def select_rows(connection: Connection, row_type: type[Row], query: sa.Select[*tuple[Any, ...]]) -> list[Row]:
    """Return the rows of a query whose columns are the keys of `row_type`, a TypedDict."""
    return [cast(Row, dict(row)) for row in connection.execute(query).mappings()]


QUANTITY_NAME = "Quantity"
_DEFAULT_UNIT = "unit"
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
    bounds = {"defaultValue": default, "min": minimum, "max": maximum, "step": step}
    stated = {key: value for key, value in bounds.items() if value is not None}
    return _dimension(dimension_id, name, cast(NumberFieldRecord, {**field, **stated}))


def quantity_dimension(dimension_id: str, unit: str | None) -> DimensionRecord:
    """How many are bought: the one dimension that every product requires."""
    return number_dimension(
        dimension_id, QUANTITY_NAME, unit or _DEFAULT_UNIT, required=True, default=1, minimum=0
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


class _ProductDimensions(TypedDict):
    """The dimensions of a product, and the columns of purchases that they stand for by their ids."""

    dimensions: list[DimensionRecord]
    dimension_source: dict[str, str]


def merge_dimensions(seen: ProductRow, everybodys: ProductRow) -> _ProductDimensions:
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
