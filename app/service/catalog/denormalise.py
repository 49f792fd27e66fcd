"""Rebuild the stored wire records from the rows: after an import, and daily as purchases grow older.

The shared records come first, then those that differ for an organisation: its own rows hold their records,
its view of a shared row is stored in `organisation_view`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.service.catalog import wire
from app.service.catalog.learning_sample import SampledPurchase, build_learning_sample
from app.service.catalog.purchase_counts import in_past_two_years, select_newest_purchases
from app.service.catalog.rows import (
    CategoryRow,
    CompanyRow,
    FamilyRow,
    ProductRow,
    SoldProductRow,
    select_rows,
)
from app.service.catalog.wire import Record
from app.service.database.dialect import dialect_of, upsert
from app.service.database.rows import batched
from app.service.database.tables import (
    category,
    company,
    organisation_view,
    product,
    product_family,
    purchase,
    purchase_with_product,
)
from app.service.database.visibility import as_seen_by, shared, visible_to

MAX_SAMPLES = 10
"""The newest anonymised purchases, which are shown with a company."""
COMPANY_BATCH = 100
COUNT_COLUMN = "real_purchase_count"

Values = dict[str, object]
"""Columns to write, by their names."""
Row = TypeVar("Row", CategoryRow, CompanyRow, FamilyRow, ProductRow)
CompanyPart = TypeVar("CompanyPart", FamilyRow, ProductRow)
Competitor = TypeVar("Competitor", CompanyRow, SoldProductRow)


def rebuild_records(
    connection: Connection, company_ids: Collection[str], now: datetime, viewer: str | None = None
) -> None:
    """Rebuild the records of these companies, their families and products, as one organisation sees them, or
    for all. Only records that differ are written, with a new `lastUpdatedAt`."""
    for batch in batched(sorted(set(company_ids)), COMPANY_BATCH):
        _RecordBuilder(connection, batch, now, viewer).run()
        if viewer is None:
            for other, companies in _find_viewers(connection, batch).items():
                _RecordBuilder(connection, companies, now, other).run()


def rebuild_categories(connection: Connection, now: datetime) -> None:
    """Rebuild every category's record."""
    owners = sa.select(category.c.organisation_id).where(~shared(category.c)).distinct()
    for viewer in (None, *connection.scalars(owners)):
        _rebuild_categories(connection, now, viewer)


def _rebuild_categories(connection: Connection, now: datetime, viewer: str | None) -> None:
    seen = as_seen_by(category, viewer)
    rows = select_rows(connection, CategoryRow, sa.select(seen).order_by(seen.c.sort_name, seen.c.id))
    children: defaultdict[str, list[CategoryRow]] = defaultdict(list)
    for row in rows:
        children[row["parent_id"] or ""].append(row)
    changes = _RecordChanges[CategoryRow](category, now, viewer)
    for row in rows:
        changes.compare(row, lambda shown: {"wire_list": wire.category_record(shown, children[shown["id"]])})
    changes.write(connection)


def count_recent_purchases(
    connection: Connection, company_ids: Collection[str], now: datetime, viewer: str | None
) -> Mapping[str, int]:
    """Count the purchases of the past two years by company, as the viewer sees them; 0 is left out."""
    counted = (
        sa.select(product.c.company_id, sa.func.count())
        .select_from(purchase_with_product)
        .where(
            product.c.company_id.in_(company_ids),
            visible_to(purchase.c, viewer),
            in_past_two_years(purchase.c, now.date()),
        )
        .group_by(product.c.company_id)
    )
    return {row[0]: row[1] for row in connection.execute(counted)}


def _find_viewers(connection: Connection, company_ids: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the organisations for which these companies differ from the shared view, each with the
    companies."""
    view = organisation_view.c
    company_viewers = sa.union(
        *(
            sa.select(table.c.organisation_id, key).where(key.in_(company_ids), ~shared(table.c))
            for table, key in ((company, company.c.id), (product, product.c.company_id))
        ),
        sa.select(view.organisation_id, view.record_id).where(view.record_id.in_(company_ids)),
        sa.select(view.organisation_id, product.c.company_id)
        .join(product, product.c.id == view.record_id)
        .where(product.c.company_id.in_(company_ids)),
    )
    viewers: defaultdict[str, list[str]] = defaultdict(list)
    for viewer, company_id in connection.execute(company_viewers):
        viewers[viewer].append(company_id)
    return viewers


@dataclass
class _RecordChanges(Generic[Row]):
    """Rows of one table whose wire records differ from those stored for a viewer, or for everybody."""

    table: Table
    now: datetime
    viewer: str | None = None
    rows: list[Values] = field(default_factory=list[Values])
    views: list[Values] = field(default_factory=list[Values])

    def compare(self, row: Row, build: Callable[[Row], Mapping[str, Record]], **also: int) -> Row:
        """Return the row as it is after the change: with a new time where one of its records differs. `build`
        makes the record of each wire column; `also` are further columns to write."""
        records = build(row)
        built = {column: wire.encode_record(record) for column, record in records.items()}
        differs = not built.items() <= row.items()
        if not differs and also.items() <= row.items():
            return row
        shown = cast(Row, {**row, **also})
        if differs:
            shown["last_updated_at"] = self.now
            built = {
                column: wire.encode_record(wire.with_update_time(record, self.now))
                for column, record in records.items()
            }
        changed: Values = {"last_updated_at": shown["last_updated_at"], **built}
        if self.viewer is None or row["organisation_id"] is not None:
            self.rows.append({"row_id": row["id"], **changed, **also})
        else:
            self.views.append(changed | {"organisation_id": self.viewer, "record_id": row["id"]})
            if COUNT_COLUMN in also:
                self.views[-1]["purchase_count"] = also[COUNT_COLUMN]
        return shown

    def write(self, connection: Connection) -> None:
        if self.views:
            upsert(connection, organisation_view, self.views)
        if not self.rows:
            return
        columns: dict[str, sa.BindParameter[Any]] = {
            name: sa.bindparam(name) for name in self.rows[0] if name != "row_id"
        }
        update = self.table.update().where(self.table.c.id == sa.bindparam("row_id")).values(columns)
        connection.execute(update, self.rows)


class _RecordBuilder:
    """Some companies with their families and products, loaded as everybody or one organisation sees them."""

    def __init__(
        self, connection: Connection, company_ids: Sequence[str], now: datetime, viewer: str | None = None
    ) -> None:
        self._connection = connection
        self._ids = company_ids
        self._now = now
        self._viewer = viewer
        self._seen_companies = as_seen_by(company, viewer)
        self._seen_products = as_seen_by(product, viewer)
        self._companies = {
            row["id"]: row
            for row in select_rows(connection, CompanyRow, _select_by_ids(self._seen_companies, company_ids))
        }
        self._families = self._of_company(FamilyRow, as_seen_by(product_family, viewer))
        self._products = self._of_company(ProductRow, self._seen_products)
        self._members: defaultdict[str, list[ProductRow]] = defaultdict(list)
        self._counts = count_recent_purchases(connection, company_ids, now, viewer)
        kinds = {row["category_id"] for row in self._companies.values() if row["category_id"]}
        self._categories = {
            row["id"]: row for row in select_rows(connection, CategoryRow, _select_by_ids(category, kinds))
        }
        self._competitor_companies = self._load_competitor_companies()
        self._competitor_products = self._load_competitor_products()

    def run(self) -> None:
        """Rebuild products first: families and companies show their times."""
        self._products = self._compare_rows(product, self._products, self._product_records)
        for owned in self._products.values():
            for row in owned:
                self._members[row["family_id"] or ""].append(row)
        self._families = self._compare_rows(product_family, self._families, self._family_records)
        changes = _RecordChanges[CompanyRow](company, self._now, self._viewer)
        for company_id, row in self._companies.items():
            count = self._counts.get(company_id, 0)
            changes.compare(row, self._company_records, **{COUNT_COLUMN: count})
        changes.write(self._connection)

    def _compare_rows(
        self,
        table: Table,
        rows: Mapping[str, list[Row]],
        build: Callable[[Row], Mapping[str, Record]],
    ) -> dict[str, list[Row]]:
        changes = _RecordChanges[Row](table, self._now, self._viewer)
        compared = {key: [changes.compare(row, build) for row in owned] for key, owned in rows.items()}
        changes.write(self._connection)
        return compared

    def _product_records(self, row: ProductRow) -> Mapping[str, Record]:
        competitors = _competitors_of(self._competitor_products, row)
        return {
            "wire_read": wire.product_record(row, self._companies[row["company_id"]], competitors),
            "wire_list": wire.product_in_list(row, competitors),
        }

    def _family_records(self, row: FamilyRow) -> Mapping[str, Record]:
        return {"wire_list": wire.family_record(row, self._members.get(row["id"], []))}

    def _company_records(self, row: CompanyRow) -> Mapping[str, Record]:
        kind = self._categories.get(row["category_id"] or "")
        competitors = _competitors_of(self._competitor_companies, row)
        count = self._counts.get(row["id"], 0)
        families = [(family, self._members[family["id"]]) for family in self._families.get(row["id"], [])]
        products = self._products.get(row["id"], [])
        return {
            "wire_read": wire.company_record(
                row, kind, competitors, count, families, products, self._samples(row["id"], products)
            ),
            "wire_list": wire.company_in_list(row, kind, competitors, count),
        }

    def _samples(self, company_id: str, products: Sequence[ProductRow]) -> list[Record]:
        """The newest purchases in the currency of the company's prices: a sample names none of its own."""
        by_id = {row["id"]: row for row in products}
        if not any(row["purchase_count"] for row in products):
            return []
        prices = wire.price_range(products)
        newest = select_newest_purchases(
            dialect_of(self._connection),
            company_id,
            [field.name for field in fields(SampledPurchase)],
            lambda row: sa.and_(
                visible_to(row, self._viewer), row.currency == prices["currency"] if prices else sa.true()
            ),
            MAX_SAMPLES,
        )
        return [
            _sample(SampledPurchase(*sampled), by_id[product_id])
            for product_id, *sampled in self._connection.execute(newest)
        ]

    def _load_competitor_products(self) -> Mapping[str, SoldProductRow]:
        beside = (
            company.c.name.label("company_name"),
            company.c.domain.label("company_domain"),
            company.c.details.label("company_details"),
        )
        products = self._seen_products
        sold = sa.select(products, *beside).join(company, company.c.id == products.c.company_id)
        ids = _competitor_ids(row for owned in self._products.values() for row in owned)
        return {
            row["id"]: row
            for some in batched(ids, 1000)
            for row in select_rows(self._connection, SoldProductRow, sold.where(products.c.id.in_(some)))
        }

    def _load_competitor_companies(self) -> Mapping[str, CompanyRow]:
        return {
            row["id"]: row
            for some in batched(_competitor_ids(self._companies.values()), 1000)
            for row in select_rows(self._connection, CompanyRow, _select_by_ids(self._seen_companies, some))
        }

    def _of_company(self, row_type: type[CompanyPart], table: sa.Subquery) -> dict[str, list[CompanyPart]]:
        owned = (
            sa.select(table)
            .where(table.c.company_id.in_(self._ids))
            .order_by(table.c.company_id, table.c.sort_order, table.c.id)
        )
        grouped: dict[str, list[CompanyPart]] = {}
        for row in select_rows(self._connection, row_type, owned):
            grouped.setdefault(row["company_id"], []).append(row)
        return grouped


def _select_by_ids(table: sa.FromClause, ids: Collection[str]) -> sa.Select[*tuple[Any, ...]]:
    return sa.select(table).where(table.c.id.in_(ids))


def _competitor_ids(rows: Iterable[CompanyRow | ProductRow]) -> list[str]:
    return sorted(
        {competitor_id for row in rows for competitor_id in row["details"].get("competitorIds", ())}
    )


def _competitors_of(competitors: Mapping[str, Competitor], row: CompanyRow | ProductRow) -> list[Competitor]:
    return [
        competitors[competitor_id]
        for competitor_id in row["details"].get("competitorIds", ())
        if competitor_id in competitors
    ]


def _sample(purchase: SampledPurchase, product: ProductRow) -> Record:
    quantity = (one["name"] for one in product["dimensions"] if one["id"] == product["quantity_dimension_id"])
    return build_learning_sample(
        purchase,
        product_name=product["name"],
        quantity_name=next(quantity, None),
        dimension_columns=product["dimension_source"].values(),
    )
