"""The rows of the catalog's tables, and the JSON values in their columns.

The JSON values have the keys of the interface, because they are sent as they are stored.
"""

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
