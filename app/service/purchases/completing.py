"""What the catalog says of a product follows from its purchases: dimensions and options, the usual price and
what moves it. Done for the products marked `stale`, a few companies in each transaction."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from math import log
from statistics import median
from typing import Any, NamedTuple, cast

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.dimensions import (
    number_dimension,
    select_dimension,
    with_known_impact,
    with_option,
)
from app.service.catalog.rebuilding import chunks, refresh
from app.service.catalog.wire import ENOUGH_PURCHASES, Record, Row
from app.service.database.dialect import each, latest_of_each, list_parameter, lock_imports
from app.service.database.engine import Database
from app.service.database.tables.catalog import product
from app.service.database.tables.purchases import article, attribute_column, purchase
from app.service.ids import new_id
from app.service.purchases.attributes import ColumnsSeen, Judgement, option_label
from app.service.purchases.impact import Floats, choice_columns, number_column, what_matters
from app.service.purchases.records import MONTHS_IN, UNIT, PricePeriod
from app.service.purchases.rivals import introduce_rivals

LATEST = 50
"""Purchases that the usual price is taken from."""
JUDGED = 500
"""Purchases that are looked at to see what moves the price, the latest."""
COMPANIES_AT_ONCE = 20
PRODUCTS_AT_ONCE = 500

Attributes = Mapping[str, str | float]


def keep_judgements(database: Database, seen: ColumnsSeen) -> dict[str, Judgement]:
    """Judges the columns of an import and keeps what was decided. Returns those of this import."""
    with database.writing() as connection:
        lock_imports(connection)
        known = _judgements(connection)
        judged = seen.judge(known)
        for name, judgement in judged.items():
            values = {"kind": judgement.kind, "reason": judgement.reason}
            if name not in known:
                connection.execute(attribute_column.insert().values(name=name, **values))
            elif known[name] != judgement:
                connection.execute(
                    attribute_column.update().where(attribute_column.c.name == name).values(**values)
                )
    return judged


def complete(database: Database, now: datetime, ids: Callable[[], str] = new_id) -> int:
    """Completes every stale product and builds the records of its company anew. Returns how many."""
    with database.reading() as connection:
        owners = sa.select(product.c.company_id).where(product.c.stale.is_(sa.true())).distinct()
        companies = sorted(connection.scalars(owners))
    completed = 0
    introduced: set[str] = set()
    for some in chunks(companies, COMPANIES_AT_ONCE):
        with database.writing() as connection:
            lock_imports(connection)
            kinds = _judgements(connection)
            stale = sa.select(product).where(product.c.company_id.in_(some), product.c.stale.is_(sa.true()))
            rows = cast(Iterable[Row], connection.execute(stale).mappings())
            products = {row["id"]: row for row in rows}
            for few in chunks(products, PRODUCTS_AT_ONCE):
                _complete_some(connection, {key: products[key] for key in few}, kinds, ids)
            completed += len(products)
            introduced |= introduce_rivals(connection, products)
            refresh(connection, some, now)
    # Records show their competitors' dimensions, which a later turn may have changed.
    for some in chunks(sorted(introduced), COMPANIES_AT_ONCE):
        with database.writing() as connection:
            lock_imports(connection)
            refresh(connection, some, now)
    return completed


def _judgements(connection: Connection) -> dict[str, Judgement]:
    rows = connection.execute(sa.select(attribute_column))
    return {row.name: Judgement(row.kind, row.reason) for row in rows}


def _complete_some(
    connection: Connection,
    products: Mapping[str, Row],
    kinds: Mapping[str, Judgement],
    ids: Callable[[], str],
) -> None:
    bought = _bought(connection, list(products))
    updates = [
        {"row_id": product_id, **_completed(row, bought[product_id], kinds, ids)}
        for product_id, row in products.items()
    ]
    values: dict[str, sa.BindParameter[Any]] = {
        name: sa.bindparam(name) for name in updates[0] if name != "row_id"
    }
    connection.execute(product.update().where(product.c.id == sa.bindparam("row_id")).values(values), updates)


class _Line(NamedTuple):
    """What a purchase says of its product. `attributes` is JSON: the same text comes again and again."""

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

    def all_attributes(self) -> Attributes:
        return _attributes_with_unit(self.attributes, self.unit)

    def log_rate(self) -> float:
        """ln of the price of a unit, a month's share of it where it is paid for a time."""
        if self.price_period == "once":
            return log(self.unit_price)
        return log(self.unit_price / (MONTHS_IN.get(self.price_period) or self.term_months or 1))


@lru_cache(maxsize=65_536)
def _attributes_with_unit(text: str, unit: str | None) -> Attributes:
    attributes: Attributes = json.loads(text)
    return {**attributes, UNIT: unit} if unit and UNIT not in attributes else attributes


@dataclass(slots=True)
class _Bought:
    """The purchases of one product: what values they have, how many every caller may learn from, and of
    those the latest, the oldest first."""

    values: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    shared: int = 0
    latest: list[_Line] = field(default_factory=list[_Line])

    def units(self) -> set[str]:
        return {unit for _, unit in self.values if unit}


def _bought(connection: Connection, product_ids: list[str]) -> defaultdict[str, _Bought]:
    """What was bought of each product."""
    found: defaultdict[str, _Bought] = defaultdict(_Bought)
    dialect = connection.dialect.name
    articles = sa.select(article.c.id).where(
        article.c.product_id.in_(each(dialect, list_parameter("products")))
    )
    attributes = sa.cast(purchase.c.attributes, sa.Text)
    shared = sa.func.sum(sa.case((purchase.c.organisation_id.is_(None), 1), else_=0))
    counted = (
        sa.select(purchase.c.product_id, attributes, purchase.c.unit, shared)
        .where(purchase.c.article_id.in_(articles))
        .group_by(purchase.c.product_id, attributes, purchase.c.unit)
        .order_by(purchase.c.product_id, sa.func.min(purchase.c.id))
    )
    for product_id, text, unit, number in connection.execute(counted, {"products": product_ids}):
        bought = found[product_id]
        bought.values.append((text, unit))
        bought.shared += number
    source, columns = latest_of_each(
        dialect,
        purchase,
        "article_id",
        articles.subquery("wanted"),
        "purchase_date",
        lambda row: row.organisation_id.is_(None),
        most=JUDGED,
    )
    latest = sa.select(
        *(
            sa.cast(columns[name], sa.Text) if name == "attributes" else columns[name]
            for name in _Line._fields
        )
    ).select_from(source)
    for row in connection.execute(latest, {"products": product_ids}).all():
        line = _Line._make(row)
        found[line.product_id].latest.append(line)
    for bought in found.values():
        bought.latest = sorted(bought.latest, key=lambda line: line.purchase_date)[-JUDGED:]
    return found


def _completed(row: Row, bought: _Bought, kinds: Mapping[str, Judgement], ids: Callable[[], str]) -> Record:
    dimensions, sources = _dimensions(row, bought, kinds, ids)
    currency, price = _usual_price(bought.latest)
    known = _known_impact(row["quantity_dimension_id"], dimensions, sources, bought.latest)
    return {
        "dimensions": [with_known_impact(one, one["id"] in known) for one in dimensions],
        "dimension_source": sources,
        "currency": currency or row["currency"],
        "default_price": row["default_price"] if price is None else price,
        "purchase_count": bought.shared,
        "stale": False,
    }


def _dimensions(
    row: Row, bought: _Bought, kinds: Mapping[str, Judgement], ids: Callable[[], str]
) -> tuple[list[Record], dict[str, str]]:
    """The product's dimensions with new options and new columns at the end."""
    dimensions: list[Record] = list(row["dimensions"])
    sources: dict[str, str] = dict(row["dimension_source"])
    values: defaultdict[str, dict[str | float, None]] = defaultdict(dict)
    for text, unit in bought.values:
        for column, value in _attributes_with_unit(text, unit).items():
            values[column][value] = None
    if len(bought.units()) < 2:
        values.pop(UNIT, None)
    at = {dimension["id"]: index for index, dimension in enumerate(dimensions)}
    of_column = {column: at[dimension_id] for dimension_id, column in sources.items() if dimension_id in at}
    for column, found in values.items():
        kind = "select" if column == UNIT else kinds[column].kind if column in kinds else "none"
        if column in of_column:
            if kind == "select":
                index = of_column[column]
                dimensions[index] = _with_options(dimensions[index], found)
        elif kind != "none":
            dimension_id = ids()
            sources[dimension_id] = column
            dimensions.append(_new_dimension(dimension_id, column, kind, found))
    return dimensions, sources


def _new_dimension(dimension_id: str, column: str, kind: str, found: Iterable[str | float]) -> Record:
    name = column.replace("_", " ").strip().capitalize()
    label = name[:1].lower() + name[1:]
    if kind == "number":
        return number_dimension(dimension_id, name, label)
    return select_dimension(dimension_id, name, label, sorted({option_label(value) for value in found}))


def _with_options(dimension: Record, found: Iterable[str | float]) -> Record:
    if dimension["formField"]["type"] != "select":
        return dimension
    there = {option["label"] for option in dimension["formField"]["options"]}
    for label in sorted({option_label(value) for value in found} - there):
        dimension = with_option(dimension, label)
    return dimension


def _usual_price(shared: Sequence[_Line]) -> tuple[str | None, float | None]:
    """Currency and price of one unit and price period: of the kind that is most common, the median of the
    latest list prices, else of the prices paid where there are enough of them."""
    if not shared:
        return None, None
    kinds = Counter((line.currency, line.price_period) for line in shared)
    kind = max(sorted(kinds.items()), key=lambda item: item[1])[0]
    alike = [line for line in shared if (line.currency, line.price_period) == kind][-LATEST:]
    listed = [line.list_price for line in alike if line.list_price]
    if listed:
        return kind[0], median(listed)
    paid = [line.unit_price for line in alike]
    return kind[0], median(paid) if len(paid) >= ENOUGH_PURCHASES else None


def _known_impact(
    quantity_id: str | None,
    dimensions: Sequence[Record],
    sources: Mapping[str, str],
    lines: Sequence[_Line],
) -> set[str]:
    """Ids of the dimensions whose effect on the price the purchases show. The total grows with the quantity,
    so that one is known wherever there is enough to go by."""
    if len(lines) < ENOUGH_PURCHASES:
        return set()
    columns: dict[str, Floats] = {}
    attributes = [line.all_attributes() for line in lines]
    for dimension in dimensions:
        column = sources.get(dimension["id"])
        if column is None:
            continue
        values = [one.get(column) for one in attributes]
        if dimension["formField"]["type"] == "select":
            columns[dimension["id"]] = choice_columns([v if v is None else option_label(v) for v in values])
        else:
            absent = 0.0 if dimension["formField"]["type"] == "checkbox" else None
            columns[dimension["id"]] = number_column(
                [absent if isinstance(v, str | None) else v for v in values]
            )
    controls = np.array([[log(line.quantity), line.purchase_date.toordinal() / 365.25] for line in lines])
    known = what_matters(columns, controls, np.array([line.log_rate() for line in lines]))
    return known | {quantity_id} if quantity_id else known
