"""Purchase files into tables: read, placed in the catalog (what is new there is made), each row kept once.

Rows are written in batches, each a transaction of its own; dimensions and figures of the products follow at
the end (`completing`). What a crash leaves is valid, and importing the file again completes it.
"""

import csv
import gc
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from operator import itemgetter
from pathlib import Path

from app.service.access.keys import find_organisation
from app.service.background.tasks import enqueue_task
from app.service.context import Context
from app.service.database.dialect import bulk_insert, existing_values, lock_imports, refresh_statistics
from app.service.database.engine import Database
from app.service.database.tables.purchases import purchase as purchase_table
from app.service.ids import new_id
from app.service.purchase_records.packing import pack
from app.service.purchase_records.records import Purchase, identifying_digest
from app.service.purchases.attributes import ColumnsSeen
from app.service.purchases.catalog_resolver import CatalogResolver, Resolved
from app.service.purchases.product_refresh import complete, keep_judgements, mark_stale
from app.service.purchases.reading import read_purchases
from app.service.table_files.reading import check_gzip, file_named
from app.service.table_files.table import RejectedRow, UnreadableTable

BATCH = 50_000
"""Rows of one transaction: the more there are, the fewer times a page of an index is written."""
SHOWN_REFUSALS = 20
MANY = 1_000
"""New rows after which the database's planner is told."""

LEARN, EVERYTHING = "learn", "purchases"
"""The task that follows an import: the estimator learns from all purchases that every caller may know."""
LEARNT_AFTER = timedelta(minutes=1)
"""Files are often brought in one after another; what they teach is learnt once, after the last."""

COLUMNS = (
    *("id", "row_key", "organisation_id", "company_id", "product_id", "family_id", "article_id"),
    *("purchase_date", "currency", "quantity", "unit", "unit_price", "price_period", "term_months"),
    *("purchase_type", "list_price", "order_id", "buyer", "attributes", "packed"),
)

_PLACE_IN_INDEXES = itemgetter(*map(COLUMNS.index, ("company_id", "article_id", "purchase_date")))

Progress = Callable[[int], None]
"""Called with the rows read so far."""


@dataclass(frozen=True)
class Refusal:
    """A row that was not taken."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class ImportReport:
    """What an import did. `companies` and `products` are new catalog entries; `left_out` are columns that
    are kept with the purchases but became no pricing dimension, with the reason; `refusals` the first rows
    that were refused."""

    imported: int = 0
    repeated: int = 0
    refused: int = 0
    companies: int = 0
    products: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    refusals: Sequence[Refusal] = ()


def import_purchases(
    context: Context,
    paths: Sequence[Path],
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    organisation: str | None = None,
    rejects: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Imports purchase files (`reading`). With `organisation`, its name, the purchases are for it alone.
    `rejects` receives a CSV of the rows refused.

    Raises UnreadableTable for a file that cannot be read, with its name, before anything of any file is
    written, and UnknownOrganisation.
    """
    now = context.clock()
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    for path in paths:
        with file_named(path):
            check_gzip(path)
            next(iter(read_purchases(path, mapping=mapping, ignore=ignore)), None)
    writer = PurchaseWriter(context.database, owner, now)
    refused = _Refusals(rejects)
    read = 0
    with _no_search_for_cycles():
        try:
            for path in paths:
                with file_named(path):
                    rows = read_purchases(
                        path, mapping=mapping, ignore=ignore, currency=context.settings.currency
                    )
                    for taken, seen in _batches(rows, path.name, refused):
                        writer.write(taken)
                        read += seen
                        if progress:
                            progress(read)
        finally:
            refused.close()
            report = writer.finish()
    return replace(report, refused=refused.count, refusals=tuple(refused.first))


class PurchaseWriter:
    """Writes purchases batch by batch; `finish` brings the catalog up to date with them."""

    def __init__(
        self,
        database: Database,
        owner: str | None,
        now: datetime,
        ids: Callable[[], str] = new_id,
        *,
        sample: bool = False,
    ) -> None:
        self._database = database
        self._owner = owner
        self._now = now
        self._ids = ids
        self._resolver = CatalogResolver(ids, now, owner, sample=sample)
        self._seen = ColumnsSeen()
        self._imported = 0
        self._repeated = 0

    def write(self, purchases: Sequence[Purchase]) -> None:
        """Keeps those that are not there yet, in one transaction."""
        keyed: dict[str, Purchase] = {}
        for purchase in purchases:
            self._seen.add(purchase.attributes)
            keyed.setdefault(_row_key(purchase, self._owner), purchase)
        with self._database.writing() as connection:
            lock_imports(connection)
            for key in existing_values(connection, purchase_table.c.row_key, list(keyed)):
                del keyed[key]
            new = list(keyed.values())
            if new:
                resolved = self._resolver.resolve(connection, new)
                rows = [
                    self._row(key, purchase, place)
                    for (key, purchase), place in zip(keyed.items(), resolved, strict=True)
                ]
                # In the order of the indexes, so that each of their pages is met once.
                rows.sort(key=_PLACE_IN_INDEXES)
                bulk_insert(connection, purchase_table, COLUMNS, rows)
                mark_stale(connection, {place.product_id for place in resolved}, self._owner)
        self._imported += len(new)
        self._repeated += len(purchases) - len(new)

    def finish(self) -> ImportReport:
        """Completes the products that have new purchases, those of an import that was cut off included."""
        judged = keep_judgements(self._database, self._seen, self._owner)
        complete(self._database, self._now, self._ids)
        if self._imported >= MANY:
            refresh_statistics(self._database)
        if self._imported and self._owner is None:
            with self._database.writing() as connection:
                enqueue_task(connection, kind=LEARN, subject_id=EVERYTHING, now=self._now, after=LEARNT_AFTER)
        return ImportReport(
            imported=self._imported,
            repeated=self._repeated,
            companies=self._resolver.new_companies,
            products=self._resolver.new_products,
            left_out={name: one.reason for name, one in judged.items() if one.reason},
        )

    def _row(self, key: str, purchase: Purchase, place: Resolved) -> tuple[object, ...]:
        """The values of `COLUMNS`."""
        return (
            self._ids(),
            key,
            self._owner,
            place.company_id,
            place.product_id,
            place.family_id,
            place.article_id,
            purchase.purchase_date.isoformat(),
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
            _written(tuple(purchase.attributes.items())),
            pack(purchase, place.places),
        )


@lru_cache(maxsize=65_536)
def _written(attributes: tuple[tuple[str, str | float], ...]) -> str:
    return json.dumps(dict(attributes))


class _Refusals:
    """Counts the rows refused, keeps the first and writes all to a file where one is named."""

    def __init__(self, path: Path | None) -> None:
        self.count = 0
        self.first: list[Refusal] = []
        try:
            self._file = path.open("w", newline="", encoding="utf-8") if path else None
        except OSError as error:
            raise UnreadableTable(f"{path} cannot be written: {error.strerror}") from None
        self._writer = csv.writer(self._file) if self._file else None
        if self._writer:
            self._writer.writerow(("file", "line", "row_id", "reason"))

    def add(self, file: str, rejected: RejectedRow) -> None:
        self.count += 1
        if len(self.first) < SHOWN_REFUSALS:
            self.first.append(Refusal(file, rejected.line, rejected.reason))
        if self._writer:
            self._writer.writerow((file, rejected.line, rejected.row_id, rejected.reason))

    def close(self) -> None:
        if self._file:
            self._file.close()


def _batches(
    rows: Iterable[Purchase | RejectedRow], file: str, refused: _Refusals
) -> Iterator[tuple[list[Purchase], int]]:
    """Purchases in batches, each with the number of rows read for it."""
    rest = iter(rows)
    while some := list(islice(rest, BATCH)):
        taken: list[Purchase] = []
        for row in some:
            if isinstance(row, Purchase):
                taken.append(row)
            else:
                refused.add(file, row)
        yield taken, len(some)


def _row_key(purchase: Purchase, owner: str | None) -> str:
    """A file's own row ids start anew in the next file, so what identifies the purchase is in the key too."""
    parts = f"{owner or ''}\x1f{purchase.id}\x1f{identifying_digest(purchase)}"
    return urlsafe_b64encode(blake2b(parts.encode("utf-8", "replace"), digest_size=12).digest()).decode()


@contextmanager
def _no_search_for_cycles() -> Generator[None]:
    """Rows refer to nothing that refers to them; looking through a batch of them for cycles, again and again
    while it grows, took an eighth of an import."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()
