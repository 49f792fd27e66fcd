"""Refresh products from their purchases: dimensions and options, the usual price and what moves it.

This is done for the products marked `stale`, a few companies in each transaction.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from math import log
from statistics import median
from typing import Any, NamedTuple, TypedDict

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.pricing import MIN_PURCHASES
from app.service.catalog.denormalise import rebuild_records
from app.service.catalog.rows import (
    DimensionRecord,
    ProductRow,
    add_options,
    merge_dimensions,
    number_dimension,
    select_dimension,
    select_rows,
    set_impact_known,
)
from app.service.charges.charge import convert_price, count_months_of_price
from app.service.database.dialect import (
    dialect_of,
    latest_of_each,
    list_parameter,
    listed_values,
    lock_imports,
    upsert,
)
from app.service.database.engine import Database
from app.service.database.rows import batched
from app.service.database.tables import article, organisation_view, product, purchase
from app.service.database.visibility import as_seen_by, owned_by, shared, visible_to
from app.service.ids import new_id
from app.service.purchase_records import UNIT_COLUMN, PricePeriod
from app.service.purchases.attributes import ColumnDecision, format_option, load_column_decisions
from app.service.purchases.competitors import link_competitors
from app.service.purchases.impact import Floats, build_choice_columns, build_number_column, find_price_drivers

PRICE_SAMPLE = 50
"""The latest purchases, from which the usual price is taken."""
IMPACT_SAMPLE = 500
"""The latest purchases, in which we look for what moves the price."""
COMPANY_BATCH = 20
MARK_BATCH = 10_000
PRODUCT_BATCH = 500

Attributes = Mapping[str, str | float]


class _ViewedProductRow(ProductRow):
    """A row of `product` with the organisation whose view of it is stale."""

    viewer: str


class _RefreshedColumns(TypedDict):
    """The columns of a product, or of a view of it, that follow from its purchases."""

    dimensions: list[DimensionRecord]
    dimension_source: dict[str, str]
    currency: str | None
    default_price: float | None
    purchase_count: int
    stale: bool


def delete_purchases(
    connection: Connection,
    owner: str,
    wanted: sa.ColumnElement[bool],
    parameters: Mapping[str, object] | None = None,
) -> tuple[set[str], int]:
    """Delete purchases of the owner; return the products that they were of, now stale, and how many they
    were. Their usual prices are forgotten: without purchases, none is computed in their place."""
    products = connection.scalars(
        sa.select(article.c.product_id)
        .join(purchase, purchase.c.article_id == article.c.id)
        .where(wanted)
        .distinct(),
        parameters,
    ).all()
    mark_stale(connection, products, owner)
    for batch in batched(products, MARK_BATCH):
        own = product.c.id.in_(batch), owned_by(product.c, owner)
        connection.execute(product.update().where(*own).values(default_price=None))
        views = organisation_view.c.record_id.in_(batch), owned_by(organisation_view.c, owner)
        forgotten = organisation_view.update().where(*views).values(currency=None, default_price=None)
        connection.execute(forgotten)
    return set(products), connection.execute(purchase.delete().where(wanted), parameters).rowcount


def mark_stale(connection: Connection, product_ids: Collection[str], owner: str | None) -> None:
    """Mark products stale that got purchases of the owner, or shared ones. Purchases of one organisation make
    only its own view of a shared product stale."""
    for batch in batched(sorted(product_ids), MARK_BATCH):
        in_batch = product.c.id.in_(batch)
        fresh = in_batch, product.c.stale.is_(sa.false()), owned_by(product.c, owner)
        connection.execute(product.update().where(*fresh).values(stale=True))
        if owner is not None:
            everybodys = connection.scalars(sa.select(product.c.id).where(in_batch, shared(product.c))).all()
            views = [{"organisation_id": owner, "record_id": key, "stale": True} for key in everybodys]
            if views:
                upsert(connection, organisation_view, views)


def refresh_stale_products(database: Database, now: datetime, ids: Callable[[], str] = new_id) -> int:
    """Refresh every stale product and every stale view of one, and rebuild the records of their companies.
    Returns the number of products."""
    with database.reading() as connection:
        companies = sorted(connection.scalars(_COMPANIES_WITH_STALE))
    completed = 0
    introduced: set[str] = set()
    for some in batched(companies, COMPANY_BATCH):
        with database.writing() as connection:
            lock_imports(connection)
            completed += _refresh_companies(connection, some, ids, introduced)
            rebuild_records(connection, some, now)
    # Records show their competitors' dimensions, which a later batch may have changed.
    for some in batched(sorted(introduced), COMPANY_BATCH):
        with database.writing() as connection:
            lock_imports(connection)
            rebuild_records(connection, some, now)
    return completed


_COMPANIES_WITH_STALE = sa.union(
    sa.select(product.c.company_id).where(product.c.stale.is_(sa.true())),
    sa.select(product.c.company_id)
    .join(organisation_view, organisation_view.c.record_id == product.c.id)
    .where(organisation_view.c.stale.is_(sa.true())),
)
"""The companies with a product that is stale, or of which a view is."""


def _refresh_companies(
    connection: Connection, companies: Sequence[str], ids: Callable[[], str], introduced: set[str]
) -> int:
    """Refresh the stale products of some companies. Companies that got new competitors are added to
    `introduced`."""
    stale = sa.select(product).where(product.c.company_id.in_(companies), product.c.stale.is_(sa.true()))
    of_owner: defaultdict[str | None, dict[str, ProductRow]] = defaultdict(dict)
    for row in select_rows(connection, ProductRow, stale):
        of_owner[row["organisation_id"]][row["id"]] = row
    for owner, products in of_owner.items():
        for few, completed in _refreshed_rows(connection, products, owner, ids):
            places: dict[str, sa.BindParameter[Any]] = {name: sa.bindparam(name) for name in completed[0]}
            rows = [{"row_id": key, **values} for key, values in zip(few, completed, strict=True)]
            update = product.update().where(product.c.id == sa.bindparam("row_id")).values(places)
            connection.execute(update, rows)
            if owner is None:
                outdated = organisation_view.c.record_id.in_(few)
                connection.execute(organisation_view.update().where(outdated).values(stale=True))
        introduced |= link_competitors(connection, products, owner)
    _refresh_views(connection, companies, ids)
    return sum(map(len, of_owner.values()))


def _refresh_views(connection: Connection, companies: Sequence[str], ids: Callable[[], str]) -> None:
    """Refresh the stale views that organisations have of shared products."""
    view = organisation_view.c
    stale = (
        sa.select(view.organisation_id.label("viewer"), product)
        .join(product, product.c.id == view.record_id)
        .where(product.c.company_id.in_(companies), view.stale.is_(sa.true()))
    )
    of_viewer: defaultdict[str, dict[str, ProductRow]] = defaultdict(dict)
    for row in select_rows(connection, _ViewedProductRow, stale):
        of_viewer[row["viewer"]][row["id"]] = row
    for viewer, products in of_viewer.items():
        seen = as_seen_by(product, viewer)
        rows: dict[str, ProductRow] = {}
        for few in batched(products, PRODUCT_BATCH):
            for row in select_rows(connection, ProductRow, sa.select(seen).where(seen.c.id.in_(few))):
                rows[row["id"]] = {**row, **merge_dimensions(row, products[row["id"]])}
        for few, completed in _refreshed_rows(connection, rows, viewer, ids):
            views = [
                {"organisation_id": viewer, "record_id": key, **values}
                for key, values in zip(few, completed, strict=True)
            ]
            upsert(connection, organisation_view, views)


def _refreshed_rows(
    connection: Connection, products: Mapping[str, ProductRow], viewer: str | None, ids: Callable[[], str]
) -> Iterator[tuple[list[str], list[_RefreshedColumns]]]:
    """Yield batches of product ids with the refreshed values of their rows, as the viewer sees them."""
    kinds = load_column_decisions(connection, viewer)
    for few in batched(products, PRODUCT_BATCH):
        bought = _load_histories(connection, few, viewer)
        yield few, [_refresh_row(products[key], bought[key], kinds, ids) for key in few]


class _PastPurchase(NamedTuple):
    """What a purchase says about its product. `attributes` stays JSON text, because the same texts repeat."""

    product_id: str
    purchase_date: date
    currency: str
    unit: str | None
    quantity: float
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    list_price: float | None
    attributes: str

    @property
    def months(self) -> int | None:
        """How many months the unit price pays for; 1 where it is paid once."""
        return count_months_of_price(self.price_period, self.term_months)

    @property
    def kind(self) -> tuple[str, str, int, str] | None:
        """The currency, and the time and the unit that its unit price is for; None where the time is not
        known."""
        months, unit = self.months, (self.unit or "").casefold()
        return None if months is None else (self.currency, self.price_period, months, unit)


@lru_cache(maxsize=65_536)
def _attributes_with_unit(text: str, unit: str | None) -> Attributes:
    attributes: Attributes = json.loads(text)
    return {**attributes, UNIT_COLUMN: unit} if unit and UNIT_COLUMN not in attributes else attributes


@dataclass(slots=True)
class _PurchaseHistory:
    """The purchases of one product that a viewer may see: their different values, their number, and the
    latest of them, oldest first."""

    values: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    number: int = 0
    latest: list[_PastPurchase] = field(default_factory=list[_PastPurchase])


def _load_histories(
    connection: Connection, product_ids: list[str], viewer: str | None
) -> defaultdict[str, _PurchaseHistory]:
    histories: defaultdict[str, _PurchaseHistory] = defaultdict(_PurchaseHistory)
    dialect = dialect_of(connection)
    wanted = (
        sa.select(article.c.id, article.c.product_id)
        .where(article.c.product_id.in_(listed_values(dialect, list_parameter("products"))))
        .subquery("wanted")
    )
    attributes: sa.Cast[str] = sa.cast(purchase.c.attributes, sa.Text)
    counted = (
        sa.select(wanted.c.product_id, attributes, purchase.c.unit, sa.func.count())
        .join(purchase, purchase.c.article_id == wanted.c.id)
        .where(visible_to(purchase.c, viewer))
        .group_by(wanted.c.product_id, attributes, purchase.c.unit)
        .order_by(wanted.c.product_id, sa.func.min(purchase.c.purchase_date), attributes, purchase.c.unit)
    )
    for product_id, text, unit, number in connection.execute(counted, {"products": product_ids}):
        bought = histories[product_id]
        bought.values.append((text, unit))
        bought.number += number
    source, columns = latest_of_each(
        dialect,
        purchase,
        "article_id",
        wanted,
        "purchase_date",
        lambda row: visible_to(row, viewer),
        most=IMPACT_SAMPLE,
    )
    chosen = [wanted.c.product_id, *(columns[name] for name in _PastPurchase._fields[1:-1])]
    latest = sa.select(*chosen, sa.cast(columns.attributes, sa.Text)).select_from(source)
    for row in connection.execute(latest, {"products": product_ids}).all():
        line = _PastPurchase._make(row)
        histories[line.product_id].latest.append(line)
    for bought in histories.values():
        bought.latest = sorted(bought.latest, key=lambda line: line.purchase_date)[-IMPACT_SAMPLE:]
    return histories


def _refresh_row(
    row: ProductRow, bought: _PurchaseHistory, kinds: Mapping[str, ColumnDecision], ids: Callable[[], str]
) -> _RefreshedColumns:
    dimensions, sources = _extend_dimensions(row, bought, kinds, ids)
    currency, price = _typical_price(bought.latest)
    if price is None and row["default_price"] is not None:  # a price stays in its currency
        currency, price = row["currency"], row["default_price"]
    known = _find_dimensions_with_impact(row["quantity_dimension_id"], dimensions, sources, bought.latest)
    return {
        "dimensions": [set_impact_known(one, one["id"] in known) for one in dimensions],
        "dimension_source": sources,
        "currency": currency or row["currency"],
        "default_price": price,
        "purchase_count": bought.number,
        "stale": False,
    }


def _extend_dimensions(
    row: ProductRow, bought: _PurchaseHistory, kinds: Mapping[str, ColumnDecision], ids: Callable[[], str]
) -> tuple[list[DimensionRecord], dict[str, str]]:
    """Return the product's dimensions with new options and new dimensions at the end, and their columns."""
    dimensions, sources = list(row["dimensions"]), dict(row["dimension_source"])
    values: defaultdict[str, dict[str | float, None]] = defaultdict(dict)
    for text, unit in bought.values:
        for column, value in _attributes_with_unit(text, unit).items():
            values[column][value] = None
    if len({unit for _, unit in bought.values if unit}) < 2:
        values.pop(UNIT_COLUMN, None)
    at = {dimension["id"]: index for index, dimension in enumerate(dimensions)}
    of_column = {column: at[dimension_id] for dimension_id, column in sources.items() if dimension_id in at}
    for column, found in values.items():
        kind = "select" if column == UNIT_COLUMN else kinds[column].kind if column in kinds else "none"
        if column in of_column:
            if kind == "select":
                index = of_column[column]
                dimensions[index] = add_options(dimensions[index], _sorted_labels(found))
        elif kind != "none":
            dimension_id = ids()
            sources[dimension_id] = column
            name = column.replace("_", " ").strip().capitalize()
            named = dimension_id, name, name[:1].lower() + name[1:]
            is_number = kind == "number"
            dimensions.append(
                number_dimension(*named) if is_number else select_dimension(*named, _sorted_labels(found))
            )
    return dimensions, sources


def _sorted_labels(values: Iterable[str | float]) -> list[str]:
    return sorted({format_option(value) for value in values})


def _typical_price(lines: Sequence[_PastPurchase]) -> tuple[str | None, float | None]:
    """Return currency and price of one unit for the most common currency, time that is paid for and unit: the
    median of the latest list prices, else of the prices paid where there are enough of them."""
    of_lines = [line.kind for line in lines]
    kinds = Counter(kind for kind in of_lines if kind is not None)
    if not kinds:
        return None, None
    kind = max(sorted(kinds.items()), key=lambda item: item[1])[0]
    alike = [line for line, one in zip(lines, of_lines, strict=True) if one == kind][-PRICE_SAMPLE:]
    listed = [line.list_price for line in alike if line.list_price]
    if listed:
        return kind[0], median(listed)
    paid = [line.unit_price for line in alike]
    return kind[0], median(paid) if len(paid) >= MIN_PURCHASES else None


def _find_dimensions_with_impact(
    quantity_id: str | None,
    dimensions: Sequence[DimensionRecord],
    sources: Mapping[str, str],
    lines: Sequence[_PastPurchase],
) -> set[str]:
    """Return the ids of the dimensions whose effect on the price those purchases show that are in the most
    common currency. The total always grows with the quantity, so the quantity is among them wherever there
    are enough purchases."""
    most = [currency for currency, _ in Counter(line.currency for line in lines).most_common(1)]
    priced = [
        (line, months) for line in lines if line.currency in most and (months := line.months) is not None
    ]
    rates = [log(convert_price(line.unit_price, months)) for line, months in priced]
    lines = [line for line, _ in priced]
    if len(lines) < MIN_PURCHASES:
        return set()
    columns: dict[str, Floats] = {}
    attributes = [_attributes_with_unit(line.attributes, line.unit) for line in lines]
    for dimension in dimensions:
        column = sources.get(dimension["id"])
        if column is None:
            continue
        values = [one.get(column) for one in attributes]
        if dimension["formField"]["type"] == "select":
            columns[dimension["id"]] = build_choice_columns(
                [v if v is None else format_option(v) for v in values]
            )
        else:
            absent = 0.0 if dimension["formField"]["type"] == "checkbox" else None
            columns[dimension["id"]] = build_number_column(
                [absent if isinstance(v, str | None) else v for v in values]
            )
    controls = np.array([[log(line.quantity), line.purchase_date.toordinal() / 365.25] for line in lines])
    known = find_price_drivers(columns, controls, np.array(rates))
    return known | {quantity_id} if quantity_id else known
