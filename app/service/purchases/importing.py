"""Import purchase files: read the rows, find or create their catalog entries, and store each row once.

Rows are written in batches, each in a transaction of its own; the products are refreshed at the end
(`product_refresh`). After a crash the database is valid, and importing the file again completes the import.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.imports import ImportResult
from app.service.background.tasks import enqueue_task
from app.service.catalog.estimate_check import request_estimate_check
from app.service.database.dialect import bulk_insert, existing_values, lock_imports, refresh_statistics
from app.service.database.engine import Database
from app.service.database.imported_rows import ImportedRows, find_last_removal
from app.service.database.rows import sum_up_counts
from app.service.database.tables import purchase as purchase_table
from app.service.database.word_search import count_common_words
from app.service.ids import build_purchase_key, new_id
from app.service.purchase_records import Purchase, digest_purchase, format_iso_day, pack
from app.service.purchases.agreement_lines import recheck_agreements
from app.service.purchases.attributes import ImportedColumns, save_column_decisions
from app.service.purchases.catalog_resolver import CatalogResolver, ResolvedPurchase
from app.service.purchases.product_refresh import mark_stale, refresh_stale_products
from app.service.tables.table import RejectedRow

STATISTICS_THRESHOLD = 1_000
"""New rows after which the database's planner statistics are refreshed."""

LEARN_TASK, ALL_PURCHASES = "learn", "purchases"
"""The task that follows an import: the estimator learns from all purchases that every caller may see."""
LEARN_DELAY = timedelta(minutes=1)
"""Files are often imported one after another; the estimator learns once, after the last."""

PURCHASE_COLUMNS = (
    *("id", "organisation_id", "article_id"),
    *("purchase_date", "currency", "quantity", "unit", "unit_price", "price_period", "term_months"),
    *("purchase_type", "list_price", "order_id", "buyer", "attributes", "packed"),
)


class PurchaseWriter:
    """Writes purchases batch by batch; `finish` then brings the catalog up to date."""

    def __init__(
        self,
        database: Database,
        owner: str | None,
        now: datetime,
        ids: Callable[[], str] = new_id,
        *,
        sample: bool = False,
        import_id: str | None = None,
    ) -> None:
        """`import_id` is that of an import that can be undone. In the end, `ignored_columns` are those that
        became no pricing dimension, each with the reason."""
        self.ignored_columns: Mapping[str, str] = {}
        self._database = database
        self._sample = sample
        self._owner = owner
        self._now = now
        self._ids = ids
        self._imported_rows = ImportedRows(import_id)
        self._resolver = CatalogResolver(ids, now, owner, sample=sample, imported_rows=self._imported_rows)
        self._last_removal: datetime | None = None
        self._columns = ImportedColumns()
        self._imported = 0
        self._repeated = 0

    def write(self, purchases: Sequence[Purchase]) -> Sequence[RejectedRow]:
        """Store those that are not there yet, in one transaction. None is refused."""
        keyed: dict[str, Purchase] = {}
        for purchase in purchases:
            self._columns.add(purchase.attributes)
            keyed.setdefault(build_key(purchase, self._owner), purchase)
        with self._database.writing() as connection:
            lock_imports(connection)
            last_removal = find_last_removal(connection)
            if last_removal != self._last_removal:
                self._last_removal = last_removal
                self._resolver.clear()
            known = find_purchases(connection, keyed)
            self._imported_rows.name_again(connection, purchase_table, known)
            for key in known:
                del keyed[key]
            new = list(keyed.values())
            if new:
                resolved = self._resolver.resolve(connection, new)
                # Sorted like the indexes, so that each page of one is visited once.
                placed = sorted(zip(resolved, keyed.items(), strict=True), key=_index_order)
                rows = [self._build_row(key, purchase, place) for place, (key, purchase) in placed]
                bulk_insert(connection, purchase_table, PURCHASE_COLUMNS, rows)
                self._imported_rows.add(connection, purchase_table, [row[0] for row in rows])
                products = {place.product_id for place in resolved}
                mark_stale(connection, products, self._owner)
                recheck_agreements(connection, self._owner, products, self._now)
        self._imported += len(new)
        self._repeated += len(purchases) - len(new)
        return ()

    def finish(self) -> ImportResult:
        """Refresh the products that have new purchases, including those of an interrupted import."""
        decisions = save_column_decisions(self._database, self._columns, self._owner, self._imported_rows)
        refresh_stale_products(self._database, self._now, self._ids)
        sum_up_counts(self._database)
        if self._imported >= STATISTICS_THRESHOLD:
            refresh_statistics(self._database)
            with self._database.writing() as connection:
                count_common_words(connection)
        if self._imported:
            with self._database.writing() as connection:
                self._request_tasks(connection)
        self.ignored_columns = {name: one.reason for name, one in decisions.items() if one.reason}
        return ImportResult(
            imported=self._imported,
            repeated=self._repeated,
            refused=0,
            companies=self._resolver.new_companies,
            products=self._resolver.new_products,
        )

    def _request_tasks(self, connection: Connection) -> None:
        """Request what follows an import. Sample products can be estimated from the start."""
        if not self._sample:
            request_estimate_check(connection, self._owner, self._now)
        if self._owner is None:
            enqueue_task(
                connection,
                kind=LEARN_TASK,
                subject_id=ALL_PURCHASES,
                organisation_id=None,
                now=self._now,
                after=LEARN_DELAY,
            )

    def _build_row(self, key: str, purchase: Purchase, place: ResolvedPurchase) -> tuple[object, ...]:
        """Return the values of `PURCHASE_COLUMNS`."""
        return (
            key,
            self._owner,
            place.article_id,
            format_iso_day(purchase.purchase_date),
            purchase.currency,
            float(purchase.quantity),
            purchase.unit,
            float(purchase.unit_price),
            purchase.price_period,
            purchase.term_months,
            purchase.purchase_type,
            None if purchase.list_price is None else float(purchase.list_price),
            purchase.order_id,
            purchase.buyer,
            _encode_attributes(tuple(purchase.attributes.items())),
            pack(purchase, place.places),
        )


def _index_order(placed: tuple[ResolvedPurchase, tuple[str, Purchase]]) -> tuple[int, date]:
    place, (_, purchase) = placed
    return place.article_id, purchase.purchase_date


@lru_cache(maxsize=65_536)
def _encode_attributes(attributes: tuple[tuple[str, str | float], ...]) -> str:
    return json.dumps(dict(attributes))


def find_purchases(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Return the keys of the purchases that are there."""
    key = sa.type_coerce(purchase_table.c.id, sa.String())
    return set(existing_values(connection, key, list(keys)))


def build_key(purchase: Purchase, owner: str | None) -> str:
    """Build the key of a purchase of a file. A file's own row ids are not unique between files, so the digest
    of the purchase is part of it."""
    return build_purchase_key(owner or "", purchase.id, digest_purchase(purchase))
