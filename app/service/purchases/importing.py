"""Import purchase files: read the rows, find or create their catalog entries, and store each row once.

Rows are written in batches, each in a transaction of its own; the products are refreshed at the end
(`product_refresh`). After a crash the database is valid, and importing the file again completes the import.
"""

import csv
import gc
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.keys import find_organisation
from app.service.background.tasks import enqueue_task
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.dialect import (
    bulk_insert,
    existing_values,
    lock_imports,
    refresh_statistics,
)
from app.service.database.engine import Database
from app.service.database.imported_rows import ImportedRows, find_last_removal
from app.service.database.paging import sum_up_counts
from app.service.database.tables import purchase as purchase_table
from app.service.database.word_search import count_common_words
from app.service.ids import build_purchase_key, new_id
from app.service.purchase_records.packing import pack
from app.service.purchase_records.records import Purchase, digest_purchase, format_iso_day
from app.service.purchases.agreement_lines import recheck_agreements
from app.service.purchases.attributes import ImportedColumns, save_column_decisions
from app.service.purchases.catalog_resolver import CatalogResolver, ResolvedPurchase
from app.service.purchases.product_refresh import mark_stale, refresh_stale_products
from app.service.purchases.reading import read_purchases
from app.service.purchases.rows import PurchaseOptions
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import check_gzip, name_file_in_errors
from app.service.tables.table import RejectedRow, UnreadableTable

BATCH_ROWS = 50_000
"""Rows of one transaction: the more rows, the fewer times a page of an index is written."""
MAX_LISTED_REJECTIONS = 20
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

Progress = Callable[[int], None]
"""Called with the rows read so far."""


@dataclass(frozen=True)
class ImportReport:
    """What an import did. `companies` and `products` count new catalog entries; `repeated` counts rows that
    were there already; `ignored_columns` are stored with the purchases but became no pricing dimension, each
    with the reason; `rejections` are the first rejected rows (file, line, reason); `assumptions` say
    what was taken where nothing says it."""

    imported: int = 0
    repeated: int = 0
    rejected: int = 0
    companies: int = 0
    products: int = 0
    ignored_columns: Mapping[str, str] = field(default_factory=dict[str, str])
    rejections: Sequence[tuple[str, int, str]] = ()
    assumptions: Sequence[str] = ()


def import_purchases(
    context: Context,
    paths: Sequence[Path],
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Import purchase files (`reading`). With `organisation`, a name, the purchases are for it alone.
    `rejects` receives a CSV of the rejected rows. What neither a file nor a parameter says is taken as the
    deployment has it, and the report says so.

    Raises UnreadableTable, naming the file, before anything of any file is written, and UnknownOrganisation.
    """
    now = context.clock()
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    questions = Questions(wait=False)
    how = PurchaseOptions(said, context.settings.currency, questions=questions)
    for path in paths:
        with name_file_in_errors(path):
            check_gzip(path)
            next(iter(read_purchases(path, how)), None)
    writer = PurchaseWriter(context.database, owner, now)
    refused = _RejectsFile(rejects)
    read = 0
    with _pause_garbage_collector():
        try:
            for path in paths:
                with name_file_in_errors(path):
                    for some in batched(read_purchases(path, how), BATCH_ROWS):
                        for row in some:
                            if isinstance(row, RejectedRow):
                                refused.add(path.name, row)
                        writer.write([row for row in some if isinstance(row, Purchase)])
                        read += len(some)
                        if progress:
                            progress(read)
        finally:
            refused.close()
            report = writer.finish()
    return replace(
        report,
        rejected=refused.count,
        rejections=tuple(refused.first),
        assumptions=tuple(_describe_assumptions(questions, context.settings.currency)),
    )


def _describe_assumptions(questions: Questions, currency: str) -> Iterator[str]:
    """Say what was taken where the files say nothing."""
    for asked in questions.asked:
        match asked.name:
            case "currency":
                yield f"Prices without a currency were taken for {currency}; --currency says another."
            case "price_per":
                yield "Prices with a term were taken for the whole term; --price-per says another."
            case "blank_cells":
                yield f"{asked.question} Such rows were refused; --blank-cells above takes them so."
            case "states":
                states = ", ".join(option.value for option in asked.options)
                yield f"Orders in a state that is not known were taken for purchases: {states}."
            case _:
                pass  # such rows are refused, and each says so


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
        """`import_id` is that of an import that can be undone."""
        self._database = database
        self._owner = owner
        self._now = now
        self._ids = ids
        self._sample = sample
        self._imported_rows = ImportedRows(import_id)
        self._resolver = CatalogResolver(ids, now, owner, sample=sample, imported_rows=self._imported_rows)
        self._last_removal: datetime | None = None
        self._columns = ImportedColumns()
        self._imported = 0
        self._repeated = 0

    def write(self, purchases: Sequence[Purchase]) -> None:
        """Store those that are not there yet, in one transaction."""
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

    def finish(self) -> ImportReport:
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
        return ImportReport(
            imported=self._imported,
            repeated=self._repeated,
            companies=self._resolver.new_companies,
            products=self._resolver.new_products,
            ignored_columns={name: one.reason for name, one in decisions.items() if one.reason},
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


class _RejectsFile:
    """Counts rejected rows, keeps the first, and writes all to a file where one is named."""

    def __init__(self, path: Path | None) -> None:
        self.count = 0
        self.first: list[tuple[str, int, str]] = []
        try:
            self._file = path.open("w", newline="", encoding="utf-8") if path else None
        except OSError as error:
            raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None
        self._writer = csv.writer(self._file) if self._file else None
        if self._writer:
            self._writer.writerow(("file", "line", "row_id", "reason"))

    def add(self, file: str, rejected: RejectedRow) -> None:
        self.count += 1
        if len(self.first) < MAX_LISTED_REJECTIONS:
            self.first.append((file, rejected.line, rejected.reason))
        if self._writer:
            self._writer.writerow((file, rejected.line, rejected.row_id, rejected.reason))

    def close(self) -> None:
        if self._file:
            self._file.close()


def find_purchases(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Return the keys of the purchases that are there."""
    key = sa.type_coerce(purchase_table.c.id, sa.String())
    return set(existing_values(connection, key, list(keys)))


def build_key(purchase: Purchase, owner: str | None) -> str:
    """Build the key of a purchase of a file. A file's own row ids are not unique between files, so the digest
    of the purchase is part of it."""
    return build_purchase_key(owner or "", purchase.id, digest_purchase(purchase))


@contextmanager
def _pause_garbage_collector() -> Generator[None]:
    """Rows are in no reference cycles; searching growing batches of them for cycles took an eighth of an
    import."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()
