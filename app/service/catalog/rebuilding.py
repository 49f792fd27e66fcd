"""Wire records made anew from the rows: after an import, and each day as purchases leave the past years."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.service.catalog import wire
from app.service.catalog.wire import Record, Row
from app.service.context import Context
from app.service.database.tables.catalog import category, company, product, product_family
from app.service.database.tables.purchases import purchase
from app.service.purchases.samples import learning_sample

Item = TypeVar("Item")

RECENT = timedelta(days=730)
"""The past two years of `realPurchaseCount`."""
SAMPLES = 10
"""Anonymised purchases shown with a company, the newest ones."""
COMPANIES_AT_ONCE = 100


def refresh(connection: Connection, company_ids: Collection[str] | None, now: datetime) -> int:
    """Builds the records of these companies, their families and products anew, or, with None, of the
    companies whose purchase count has changed since it was last counted. Returns how many companies were
    looked at. Only what differs is written, with a new `lastUpdatedAt`."""
    asked = _recounted(connection, now) if company_ids is None else sorted(set(company_ids))
    for some in chunks(asked, COMPANIES_AT_ONCE):
        _Rebuilding(connection, some, now).run()
    return len(asked)


def keep_counts(context: Context) -> int:
    """Brings up to date what moves with time alone, a few companies in each transaction. Run now and then."""
    now = context.clock()
    with context.database.reading() as connection:
        asked = _recounted(connection, now)
    for some in chunks(asked, COMPANIES_AT_ONCE):
        with context.database.writing() as connection:
            refresh(connection, some, now)
    return len(asked)


def rebuild_categories(connection: Connection, now: datetime) -> None:
    """Builds every category's record anew."""
    rows = _rows(connection, sa.select(category).order_by(category.c.sort_name, category.c.id))
    children: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        children[row["parent_id"] or ""].append(row)
    changes = _Changes(category, now)
    for row in rows:
        changes.compare(row, lambda shown: {"wire_list": wire.category_record(shown, children[shown["id"]])})
    changes.write(connection)


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """`items` in lists of at most `size`."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _recounted(connection: Connection, now: datetime) -> list[str]:
    counts = _recent_counts(connection, None, now)
    known = connection.execute(sa.select(company.c.id, company.c.real_purchase_count)).all()
    return [company_id for company_id, counted in known if counts.get(company_id, 0) != counted]


def _recent_counts(connection: Connection, ids: Sequence[str] | None, now: datetime) -> Mapping[str, int]:
    counted = (
        sa.select(purchase.c.company_id, sa.func.count())
        .where(
            purchase.c.organisation_id.is_(None),
            purchase.c.purchase_date > (now - RECENT).date(),
            purchase.c.purchase_date <= now.date(),
        )
        .group_by(purchase.c.company_id)
    )
    if ids is not None:
        counted = counted.where(purchase.c.company_id.in_(ids))
    return {row[0]: row[1] for row in connection.execute(counted)}


def _rows(connection: Connection, query: sa.Select[*tuple[Any, ...]]) -> list[Row]:
    return cast(list[Row], connection.execute(query).mappings().all())


@dataclass
class _Changes:
    """Rows of one table whose wire records differ from what is stored."""

    table: Table
    now: datetime
    rows: list[Record] = field(default_factory=list[Record])

    def compare(self, row: Row, build: Callable[[Row], Mapping[str, Record]], **also: Any) -> Row:
        """The row as it stands after this: with a new time where one of its records differs. `build` makes
        the record of each wire column; `also` are further columns to write."""
        built = {column: wire.as_text(record) for column, record in build(row).items()}
        differs = any(text != row[column] for column, text in built.items())
        if not differs and all(row[column] == value for column, value in also.items()):
            return row
        shown = {**row, **also}
        if differs:
            shown["last_updated_at"] = self.now
            built = {column: wire.as_text(record) for column, record in build(shown).items()}
        self.rows.append({"row_id": row["id"], "last_updated_at": shown["last_updated_at"], **built, **also})
        return shown

    def write(self, connection: Connection) -> None:
        if not self.rows:
            return
        columns: dict[str, sa.BindParameter[Any]] = {
            name: sa.bindparam(name) for name in self.rows[0] if name != "row_id"
        }
        update = self.table.update().where(self.table.c.id == sa.bindparam("row_id")).values(columns)
        connection.execute(update, self.rows)


class _Rebuilding:
    """Some companies with all that belongs to them, loaded together."""

    def __init__(self, connection: Connection, company_ids: Sequence[str], now: datetime) -> None:
        self._connection = connection
        self._ids = company_ids
        self._now = now
        self._companies = {row["id"]: row for row in _rows(connection, _among(company, company_ids))}
        self._families = self._of_company(product_family)
        self._products = self._of_company(product)
        self._members: defaultdict[str, list[Row]] = defaultdict(list)
        self._counts = _recent_counts(connection, company_ids, now)
        kinds = {row["category_id"] for row in self._companies.values() if row["category_id"]}
        self._categories = {row["id"]: row for row in _rows(connection, _among(category, kinds))}
        self._rival_companies = self._load_rival_companies()
        self._rival_products = self._load_rival_products()

    def run(self) -> None:
        """Products first: families and companies show their times."""
        self._products = self._compared(product, self._products, self._product_records)
        for owned in self._products.values():
            for row in owned:
                self._members[row["family_id"] or ""].append(row)
        self._families = self._compared(product_family, self._families, self._family_records)
        changes = _Changes(company, self._now)
        for company_id, row in self._companies.items():
            count = self._counts.get(company_id, 0)
            changes.compare(row, self._company_records, real_purchase_count=count)
        changes.write(self._connection)

    def _compared(
        self,
        table: Table,
        rows: Mapping[str, list[Row]],
        build: Callable[[Row], Mapping[str, Record]],
    ) -> dict[str, list[Row]]:
        changes = _Changes(table, self._now)
        compared = {key: [changes.compare(row, build) for row in owned] for key, owned in rows.items()}
        changes.write(self._connection)
        return compared

    def _product_records(self, row: Row) -> Mapping[str, Record]:
        rivals = _named(self._rival_products, row)
        return {
            "wire_read": wire.product_record(row, self._companies[row["company_id"]], rivals),
            "wire_list": wire.product_in_list(row, rivals),
        }

    def _family_records(self, row: Row) -> Mapping[str, Record]:
        return {"wire_list": wire.family_record(row, self._members.get(row["id"], []))}

    def _company_records(self, row: Row) -> Mapping[str, Record]:
        kind = self._categories.get(row["category_id"] or "")
        rivals = _named(self._rival_companies, row)
        count = self._counts.get(row["id"], 0)
        families = [(family, self._members[family["id"]]) for family in self._families.get(row["id"], [])]
        products = self._products.get(row["id"], [])
        return {
            "wire_read": wire.company_record(
                row, kind, rivals, count, families, products, self._samples(row["id"], products)
            ),
            "wire_list": wire.company_in_list(row, kind, rivals, count),
        }

    def _samples(self, company_id: str, products: Sequence[Row]) -> list[Record]:
        by_id = {row["id"]: row for row in products}
        if not any(row["purchase_count"] for row in products):
            return []
        newest = (
            sa.select(purchase)
            .where(purchase.c.company_id == company_id, purchase.c.organisation_id.is_(None))
            .order_by(purchase.c.purchase_date.desc(), purchase.c.id.desc())
            .limit(SAMPLES)
        )
        return [learning_sample(row, by_id[row["product_id"]]) for row in _rows(self._connection, newest)]

    def _load_rival_products(self) -> Mapping[str, Row]:
        beside = (
            company.c.name.label("company_name"),
            company.c.domain.label("company_domain"),
            company.c.details.label("company_details"),
        )
        sold = sa.select(product, *beside).join(company, company.c.id == product.c.company_id)
        ids = _rival_ids(row for owned in self._products.values() for row in owned)
        return {
            row["id"]: row
            for some in chunks(ids, 1000)
            for row in _rows(self._connection, sold.where(product.c.id.in_(some)))
        }

    def _load_rival_companies(self) -> Mapping[str, Row]:
        return {
            row["id"]: row
            for some in chunks(_rival_ids(self._companies.values()), 1000)
            for row in _rows(self._connection, _among(company, some))
        }

    def _of_company(self, table: Table) -> dict[str, list[Row]]:
        owned = (
            sa.select(table)
            .where(table.c.company_id.in_(self._ids))
            .order_by(table.c.company_id, table.c.sort_order, table.c.id)
        )
        grouped: dict[str, list[Row]] = {}
        for row in _rows(self._connection, owned):
            grouped.setdefault(row["company_id"], []).append(row)
        return grouped


def _among(table: Table, ids: Collection[str]) -> sa.Select[*tuple[Any, ...]]:
    return sa.select(table).where(table.c.id.in_(ids))


def _rival_ids(rows: Iterable[Row]) -> list[str]:
    return sorted({rival for row in rows for rival in row["details"].get("competitorIds", ())})


def _named(rivals: Mapping[str, Row], row: Row) -> list[Row]:
    return [rivals[rival] for rival in row["details"].get("competitorIds", ()) if rival in rivals]
