"""What the catalog says of a product follows from its purchases: dimensions and options, the usual price and
what moves it. Done for the products marked `stale`, a few companies in each transaction."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from math import log
from statistics import median
from typing import Any, NamedTuple, cast

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.pricing import MIN_PURCHASES
from app.service.catalog.denormalise import refresh
from app.service.catalog.dimensions import (
    number_dimension,
    select_dimension,
    with_known_impact,
    with_new_dimensions,
    with_option,
)
from app.service.catalog.wire import Record, Row
from app.service.database.batches import batched
from app.service.database.dialect import (
    dialect_of,
    latest_of_each,
    list_parameter,
    listed_values,
    lock_imports,
    upsert,
)
from app.service.database.engine import Database
from app.service.database.tables.catalog import organisation_view, product
from app.service.database.tables.purchases import article, attribute_column, purchase
from app.service.database.visibility import EVERYBODY, as_seen_by, judged_for, owned_by, shared, visible_to
from app.service.ids import new_id
from app.service.purchase_records.records import MONTHS_IN, UNIT, PricePeriod
from app.service.purchases.attributes import ColumnsSeen, Judgement, option_label
from app.service.purchases.competitors import introduce_rivals
from app.service.purchases.impact import Floats, choice_columns, number_column, what_matters

LATEST = 50
"""Purchases that the usual price is taken from."""
JUDGED = 500
"""Purchases that are looked at to see what moves the price, the latest."""
COMPANIES_AT_ONCE = 20
MARKED_AT_ONCE = 10_000
PRODUCTS_AT_ONCE = 500

Attributes = Mapping[str, str | float]


def keep_judgements(database: Database, seen: ColumnsSeen, owner: str | None) -> dict[str, Judgement]:
    """Judges the columns of an import, the owner's or everybody's, and keeps what was decided. Returns those
    of this import."""
    with database.writing() as connection:
        lock_imports(connection)
        judged = seen.judge(_judgements(connection, owner))
        if judged:
            rows = [
                {"organisation_id": owner or EVERYBODY, "name": name, "kind": one.kind, "reason": one.reason}
                for name, one in judged.items()
            ]
            upsert(connection, attribute_column, rows)
    return judged


def mark_stale(connection: Connection, product_ids: Collection[str], owner: str | None) -> None:
    """Purchases of these products came in, the owner's or everybody's. What everybody sees of a product does
    not become stale by the purchases of one."""
    for some in batched(sorted(product_ids), MARKED_AT_ONCE):
        asked = product.c.id.in_(some)
        fresh = asked, product.c.stale.is_(sa.false()), owned_by(product.c, owner)
        connection.execute(product.update().where(*fresh).values(stale=True))
        if owner is not None:
            everybodys = connection.scalars(sa.select(product.c.id).where(asked, shared(product.c))).all()
            views = [{"organisation_id": owner, "record_id": key, "stale": True} for key in everybodys]
            if views:
                upsert(connection, organisation_view, views)


def complete(database: Database, now: datetime, ids: Callable[[], str] = new_id) -> int:
    """Completes every stale product, and every stale view of one, and builds the records of its company anew.
    Returns how many products."""
    with database.reading() as connection:
        companies = sorted(connection.scalars(_STALE))
    completed = 0
    introduced: set[str] = set()
    for some in batched(companies, COMPANIES_AT_ONCE):
        with database.writing() as connection:
            lock_imports(connection)
            completed += _complete_companies(connection, some, ids, introduced)
            refresh(connection, some, now)
    # Records show their competitors' dimensions, which a later turn may have changed.
    for some in batched(sorted(introduced), COMPANIES_AT_ONCE):
        with database.writing() as connection:
            lock_imports(connection)
            refresh(connection, some, now)
    return completed


_STALE = sa.union(
    sa.select(product.c.company_id).where(product.c.stale.is_(sa.true())),
    sa.select(product.c.company_id)
    .join(organisation_view, organisation_view.c.record_id == product.c.id)
    .where(organisation_view.c.stale.is_(sa.true())),
)
"""The companies of products that are not complete for everybody or for somebody."""


def _complete_companies(
    connection: Connection, companies: Sequence[str], ids: Callable[[], str], introduced: set[str]
) -> int:
    """Completes the stale products of some companies. Companies that got competitors are added to
    `introduced`."""
    stale = sa.select(product).where(product.c.company_id.in_(companies), product.c.stale.is_(sa.true()))
    of_owner: defaultdict[str | None, dict[str, Row]] = defaultdict(dict)
    for row in cast(Iterable[Row], connection.execute(stale).mappings()):
        of_owner[row["organisation_id"]][row["id"]] = row
    for owner, products in of_owner.items():
        for few, completed in _completed_rows(connection, products, owner, ids):
            places: dict[str, sa.BindParameter[Any]] = {name: sa.bindparam(name) for name in completed[0]}
            rows = [{"row_id": key, **values} for key, values in zip(few, completed, strict=True)]
            update = product.update().where(product.c.id == sa.bindparam("row_id")).values(places)
            connection.execute(update, rows)
            if owner is None:
                outdated = organisation_view.c.record_id.in_(few)
                connection.execute(organisation_view.update().where(outdated).values(stale=True))
        introduced |= introduce_rivals(connection, products, owner)
    _complete_views(connection, companies, ids)
    return sum(map(len, of_owner.values()))


def _complete_views(connection: Connection, companies: Sequence[str], ids: Callable[[], str]) -> None:
    """What organisations see of shared products that they, or all, bought more of."""
    view = organisation_view.c
    stale = (
        sa.select(view.organisation_id.label("viewer"), product)
        .join(product, product.c.id == view.record_id)
        .where(product.c.company_id.in_(companies), view.stale.is_(sa.true()))
    )
    of_viewer: defaultdict[str, dict[str, Row]] = defaultdict(dict)
    for row in cast(Iterable[Row], connection.execute(stale).mappings()):
        of_viewer[row["viewer"]][row["id"]] = row
    for viewer, products in of_viewer.items():
        seen = as_seen_by(product, viewer)
        rows: dict[str, Row] = {}
        for few in batched(products, PRODUCTS_AT_ONCE):
            found = connection.execute(sa.select(seen).where(seen.c.id.in_(few))).mappings()
            for row in cast(Iterable[Row], found):
                rows[row["id"]] = {**row, **with_new_dimensions(row, products[row["id"]])}
        for few, completed in _completed_rows(connection, rows, viewer, ids):
            views = [
                {"organisation_id": viewer, "record_id": key, **values}
                for key, values in zip(few, completed, strict=True)
            ]
            upsert(connection, organisation_view, views)


def _judgements(connection: Connection, owner: str | None) -> dict[str, Judgement]:
    """Those of the owner, where it has none of its own yet those of everybody."""
    found = connection.execute(
        sa.select(attribute_column)
        .where(judged_for(attribute_column.c, owner))
        .order_by(attribute_column.c.organisation_id)
    )
    return {row.name: Judgement(row.kind, row.reason) for row in found}


def _completed_rows(
    connection: Connection, products: Mapping[str, Row], viewer: str | None, ids: Callable[[], str]
) -> Iterator[tuple[list[str], list[Record]]]:
    """The ids of some of the products, and what their rows say for the viewer as everything is known."""
    kinds = _judgements(connection, viewer)
    for few in batched(products, PRODUCTS_AT_ONCE):
        bought = _bought(connection, few, viewer)
        yield few, [_completed(products[key], bought[key], kinds, ids) for key in few]


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
    """The purchases of one product that a viewer may know: what values they have, how many there are, and of
    those the latest, the oldest first."""

    values: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    number: int = 0
    latest: list[_Line] = field(default_factory=list[_Line])

    def units(self) -> set[str]:
        return {unit for _, unit in self.values if unit}


def _bought(connection: Connection, product_ids: list[str], viewer: str | None) -> defaultdict[str, _Bought]:
    """What was bought of each product."""
    found: defaultdict[str, _Bought] = defaultdict(_Bought)
    dialect = dialect_of(connection)
    articles = sa.select(article.c.id).where(
        article.c.product_id.in_(listed_values(dialect, list_parameter("products")))
    )
    attributes = sa.cast(purchase.c.attributes, sa.Text)
    counted = (
        sa.select(purchase.c.product_id, attributes, purchase.c.unit, sa.func.count())
        .where(purchase.c.article_id.in_(articles), visible_to(purchase.c, viewer))
        .group_by(purchase.c.product_id, attributes, purchase.c.unit)
        .order_by(purchase.c.product_id, sa.func.min(purchase.c.id))
    )
    for product_id, text, unit, number in connection.execute(counted, {"products": product_ids}):
        bought = found[product_id]
        bought.values.append((text, unit))
        bought.number += number
    source, columns = latest_of_each(
        dialect,
        purchase,
        "article_id",
        articles.subquery("wanted"),
        "purchase_date",
        lambda row: visible_to(row, viewer),
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
        "purchase_count": bought.number,
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


def _usual_price(lines: Sequence[_Line]) -> tuple[str | None, float | None]:
    """Currency and price of one unit and price period: of the kind that is most common, the median of the
    latest list prices, else of the prices paid where there are enough of them."""
    if not lines:
        return None, None
    kinds = Counter((line.currency, line.price_period) for line in lines)
    kind = max(sorted(kinds.items()), key=lambda item: item[1])[0]
    alike = [line for line in lines if (line.currency, line.price_period) == kind][-LATEST:]
    listed = [line.list_price for line in alike if line.list_price]
    if listed:
        return kind[0], median(listed)
    paid = [line.unit_price for line in alike]
    return kind[0], median(paid) if len(paid) >= MIN_PURCHASES else None


def _known_impact(
    quantity_id: str | None,
    dimensions: Sequence[Record],
    sources: Mapping[str, str],
    lines: Sequence[_Line],
) -> set[str]:
    """Ids of the dimensions whose effect on the price the purchases show. The total grows with the quantity,
    so that one is known wherever there is enough to go by."""
    if len(lines) < MIN_PURCHASES:
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
