"""A product of the catalog, as far as its price depends on it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import Connection, RowMapping

from app.contract.catalog import PricingDimension
from app.service.database.tables import article, company, product
from app.service.database.visibility import CALLER, as_seen_by, visible_to
from app.service.purchase_records import UNIT_COLUMN

_DIMENSIONS = TypeAdapter(list[PricingDimension])


@dataclass(frozen=True)
class CatalogProduct:
    """A product as an organisation sees it. `company_sample` says that its supplier is part of the sample
    data. `brand` is the one that its latest purchase names.

    `default_price` is of one unit and price period. `dimension_source` has, by the id of a dimension, the
    column of past purchases that it stands for; `quantity_dimension_id` is the dimension for the number
    bought.
    """

    id: str
    name: str
    company_id: str
    company_name: str
    company_sample: bool
    family_id: str | None
    item_id: str | None
    item_key: str | None
    brand: str | None
    currency: str | None
    default_price: float | None
    purchase_count: int
    dimensions: Sequence[PricingDimension]
    dimension_source: Mapping[str, str]
    quantity_dimension_id: str | None

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """Read a row of the columns that are named like the fields."""
        columns: dict[str, Any] = {str(name): value for name, value in row.items()}
        columns["dimensions"] = _DIMENSIONS.validate_python(row["dimensions"])
        return cls(**columns)

    @cached_property
    def quantity_dimension(self) -> PricingDimension | None:
        return next((one for one in self.dimensions if one.id == self.quantity_dimension_id), None)

    @property
    def quantity_unit(self) -> str | None:
        """The unit that the label of its quantity names; None for a product sold in several units, which has
        a dimension to choose one."""
        if self.quantity_dimension is None or UNIT_COLUMN in self.dimension_source.values():
            return None
        return self.quantity_dimension.form_field.label


def load_products(
    connection: Connection, product_ids: Collection[str], organisation_id: str
) -> dict[str, CatalogProduct]:
    parameters = {"ids": list(product_ids), "organisation": organisation_id}
    rows = connection.execute(_SELECT, parameters).mappings()
    return {row["id"]: CatalogProduct.from_row(row) for row in rows}


_SEEN = as_seen_by(product, CALLER)
_NAMED_BRAND = (
    sa.select(article.c.brand)
    .where(article.c.product_id == _SEEN.c.id, article.c.brand.is_not(None), visible_to(article.c, CALLER))
    .order_by(article.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_OF_OTHER_TABLES = {
    "brand": _NAMED_BRAND.label("brand"),
    "company_name": company.c.name.label("company_name"),
    "company_sample": company.c.sample.label("company_sample"),
}
_SELECT = (
    sa.select(
        *(
            _OF_OTHER_TABLES[field.name] if field.name in _OF_OTHER_TABLES else _SEEN.c[field.name]
            for field in fields(CatalogProduct)
        )
    )
    .join(company, company.c.id == _SEEN.c.company_id)
    .where(_SEEN.c.id.in_(sa.bindparam("ids", expanding=True)))
)
