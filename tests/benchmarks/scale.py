"""A million products of 100,000 suppliers and ten million purchases: how long the work takes that grows with
them, with nothing kept in the process.

    python -m tests.benchmarks.scale --products 100000 --suppliers 10000 --purchases 1000000

`--folder` keeps the generated SQLite database, and measures it again where it is there; `--database-url` does
so with a PostgreSQL database.
"""

import argparse
import csv
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import numpy as np
import sqlalchemy as sa

from app.contract.page import PageRequest
from app.service.catalog import store
from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.catalog.supplier_match import find_company
from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.database.tables import company, product, purchase, purchase_recount
from app.service.imports.operator_files import import_files
from app.service.pricing.catalog_product import load_products
from app.service.pricing.comparable_finder import ComparableFinder
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.pricing.relearning import learn_from_purchases
from app.service.pricing.scope_estimate import estimate_scope
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, TermDimension
from app.settings import Settings
from tests.benchmarks.figures import Figure, show
from tests.benchmarks.generated_market import LARGE, MarketSize, fill_market
from tests.benchmarks.stores import on_each_store

SMALL = MarketSize(products=20_000, suppliers=2_000, purchases=100_000)
WHOLE = MarketSize(products=1_000_000, suppliers=100_000, purchases=10_000_000)
FEW = 1_000
NOBODY = ""
"""An organisation without entries of its own."""
PAGE_MS, PAGE_SLOW_MS, NAME_MS, ESTIMATE_MS, ESTIMATE_SLOW_MS, SUPPLIER_MS = (
    10.0,
    30.0,
    20.0,
    15.0,
    60.0,
    15.0,
)


def run(full: bool) -> list[Figure]:
    """For `python -m tests.benchmarks`."""
    size = WHOLE if full else SMALL

    def on_store(name: str, url: str | None) -> list[Figure]:
        with tempfile.TemporaryDirectory(prefix="parley-scale-") as folder:
            return measure_store(name, Path(folder), url, size, rounds=100 if full else 20)

    return on_each_store(on_store)


def measure_store(name: str, folder: Path, url: str | None, size: MarketSize, *, rounds: int) -> list[Figure]:
    """Generate the market where there is none yet, and measure it."""
    settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": url})
    with ExitStack() as stack:
        context = open_context(settings)
        stack.callback(context.close)
        migrate(context.database)
        with context.database.reading() as connection:
            is_filled = connection.scalar(sa.select(company.c.id).limit(1)) is not None
        if not is_filled:
            fill_market(context, size)
            learn_from_purchases(context, "")
        return _Measurement(context, f"scale, {name}", f"{size.purchases:,} purchases", rounds).run()


class _Measurement:
    def __init__(self, context: Context, subject: str, note: str, rounds: int) -> None:
        self._context, self._subject, self._note, self._rounds = context, subject, note, rounds
        self._worked = 0.0
        with context.database.reading() as connection:
            self._large = connection.scalar(sa.select(company.c.id).where(company.c.domain == LARGE))
            self._suppliers = connection.scalar(sa.select(sa.func.count(company.c.id))) or 0
            self._products = (
                connection.scalar(
                    sa.select(sa.func.count(product.c.id)).where(product.c.company_id == self._large)
                )
                or 0
            )
            self._sold = connection.execute(
                sa.select(product.c.id, product.c.name, product.c.quantity_dimension_id)
                .where(product.c.company_id == self._large)
                .order_by(product.c.id)
                .limit(50)
            ).all()
            self._names = connection.scalars(sa.select(company.c.name).order_by(company.c.id).limit(50)).all()

    def run(self) -> list[Figure]:
        assert self._large is not None
        large = self._large
        figures: list[Figure] = []
        for place, offset in (("first", 0), ("middle", self._products // 2), ("last", self._products - 100)):
            figures += self._pages(
                f"{place} page of {self._products:,} products",
                lambda c, at, offset=offset: store.list_products(c, None, large, {}, _page(offset + at % 2)),
            )
        for place, offset in (
            ("first", 0),
            ("middle", self._suppliers // 2),
            ("last", self._suppliers - 100),
        ):
            figures += self._pages(
                f"{place} page of {self._suppliers:,} suppliers",
                lambda c, at, offset=offset: store.list_companies(c, None, {}, _page(offset + at % 2)),
            )
        for kind, part in (("rare", "bacadafa"), ("common", "clo"), ("three letters", "wor")):
            figures.append(
                self._time(
                    f"suppliers by part of a name, {kind}",
                    lambda c, _, part=part: store.list_companies(c, None, {"name": part}, _page(0)),
                    NAME_MS,
                )
            )
            figures.append(
                self._time(
                    f"products by part of a name, {kind}",
                    lambda c, _, part=part: store.list_products(c, None, large, {"name": part}, _page(0)),
                    NAME_MS,
                )
            )
        figures.append(
            self._time(
                "supplier by an unknown name",
                lambda c, at: find_company(c, NOBODY, name=_misspell(self._names[at % 50])),
                NAME_MS,
            )
        )
        figures += self._estimates()
        figures.append(
            self._time(
                "the latest purchases", lambda c, _: load_latest_purchases(c, 5_000, sample=False), None, 3
            )
        )
        figures.append(self._time("recount of a new day", lambda c, _: self._count_as_yesterday(), None, 2))
        figures.append(self._bytes_a_purchase())
        return [*figures, *self._import_few()]

    def _pages(self, name: str, work: Callable[[sa.Connection, int], object]) -> list[Figure]:
        took = self._took(work, self._rounds)
        return [
            self._figure(f"{name}, p50", float(np.percentile(took, 50)), PAGE_MS),
            self._figure(f"{name}, p99", float(np.percentile(took, 99)), PAGE_SLOW_MS),
        ]

    def _estimates(self) -> list[Figure]:
        products = [(row.id, TermDimension(row.quantity_dimension_id, Decimal(10))) for row in self._sold]
        today = self._context.clock().date()

        def estimate(connection: sa.Connection, at: int) -> object:
            chosen = [products[(at * 7 + step * 3) % len(products)] for step in range(3)]
            return estimate_scope(
                connection,
                organisation_id=NOBODY,
                scope_terms=[StoredScopeTerm(months=12, purchase_type="renewal")],
                product_terms=[StoredProductTerm(product_id=key, dimensions=[ten]) for key, ten in chosen],
                currency="USD",
                today=today,
            )

        took = self._took(estimate, self._rounds)

        def by_supplier(connection: sa.Connection, at: int) -> object:
            key, _ = products[at % len(products)]
            finder = ComparableFinder(connection, NOBODY, "USD", before=today + timedelta(days=1))
            return finder.find(load_products(connection, [key], NOBODY)[key], "")

        return [
            self._figure("estimate of three products, p50", float(np.percentile(took, 50)), ESTIMATE_MS),
            self._figure("estimate of three products, p99", float(np.percentile(took, 99)), ESTIMATE_SLOW_MS),
            self._time("comparables by supplier and family only", by_supplier, SUPPLIER_MS),
        ]

    def _count_as_yesterday(self) -> None:
        """Count what a day changes: the first round finds what the generated rows lack."""
        yesterday = self._context.clock().date() - timedelta(days=1)
        with self._context.database.writing() as connection:
            connection.execute(purchase_recount.update().values(counted_on=yesterday))
        update_purchase_counts(self._context)

    def _bytes_a_purchase(self) -> Figure:
        with self._context.database.reading() as connection:
            if self._context.database.is_sqlite:
                # Pages of table and indexes, whose bytes the virtual table counts in 32 bits.
                held = connection.scalar(
                    sa.text(
                        "SELECT sum(pageno) * (SELECT page_size FROM pragma_page_size) FROM dbstat"
                        " WHERE aggregate = TRUE"
                        " AND name IN (SELECT name FROM sqlite_master WHERE tbl_name = 'purchase')"
                    )
                )
            else:
                held = connection.scalar(sa.text("SELECT pg_total_relation_size('purchase')"))
            number = connection.scalar(sa.select(sa.func.count(purchase.c.id))) or 1
        return Figure(self._subject, "size of a purchase", float(held or 0) / number, "bytes", at_most=300)

    def _import_few(self) -> list[Figure]:
        """Import a thousand more purchases of the largest supplier: estimates know them once they are
        written, and its records count them at the end."""
        sold = [row for row in self._sold for _ in range(FEW // len(self._sold))]
        before = self._count_of(sold[0].id)
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(("date", "supplier", "product", "quantity", "unit_price", "currency"))
            today = self._context.clock().date()
            with self._context.database.reading() as connection:
                supplier = connection.scalar(sa.select(company.c.name).where(company.c.id == self._large))
            # Each time other rows: a repeated one is not stored again.
            rows.writerows(
                (today, supplier, row.name, at + 1, f"{20 + at % 50}.{uuid4().int % 100:02}", "USD")
                for at, row in enumerate(sold)
            )
            file.flush()
            written: list[float] = []
            began, worked = time.perf_counter(), time.process_time()
            report = import_files(
                self._context,
                "purchases",
                [Path(file.name)],
                progress=lambda _: written.append(time.perf_counter()),
            )
            ended, worked = time.perf_counter(), time.process_time() - worked
        imported = report.result.imported
        assert imported
        assert self._count_of(sold[0].id) > before
        name, note = (
            f"{imported:,} more purchases",
            f"{self._note}; {worked:.1f} s of this processor",
        )
        return [
            Figure(
                self._subject, f"{name}, known to estimates", written[0] - began, "s", at_most=5, note=note
            ),
            Figure(self._subject, f"{name}, counted", ended - began, "s", at_most=60, note=note),
        ]

    def _count_of(self, product_id: str) -> int:
        with self._context.database.reading() as connection:
            counted = sa.select(product.c.purchase_count).where(product.c.id == product_id)
            return connection.scalar(counted) or 0

    def _time(
        self,
        name: str,
        work: Callable[[sa.Connection, int], object],
        goal: float | None,
        rounds: int | None = None,
    ) -> Figure:
        return self._figure(name, float(np.median(self._took(work, rounds or self._rounds))), goal)

    def _took(self, work: Callable[[sa.Connection, int], object], rounds: int) -> list[float]:
        """Milliseconds of each round, after one that is not counted."""
        took: list[float] = []
        worked: list[float] = []
        for at in range(rounds + 1):
            with self._context.database.reading() as connection:
                began, spent = time.perf_counter(), time.thread_time()
                work(connection, at)
                took.append(1000 * (time.perf_counter() - began))
                worked.append(1000 * (time.thread_time() - spent))
        self._worked = float(np.median(worked[1:]))
        return took[1:]

    def _figure(self, name: str, value: float, goal: float | None) -> Figure:
        # What a busy machine changes little; a server's own part is not in it.
        note = f"{self._note}; {self._worked:.1f} ms of this processor"
        return Figure(self._subject, name, value, "ms", at_most=goal, note=note)


def _page(offset: int) -> PageRequest:
    return PageRequest(limit=100, offset=max(0, offset))


def _misspell(name: str) -> str:
    """The name with two letters exchanged, as a document may have it."""
    return name[0] + name[2] + name[1] + name[3:]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale")
    parser.add_argument("--products", type=int, default=SMALL.products)
    parser.add_argument("--suppliers", type=int, default=SMALL.suppliers)
    parser.add_argument("--purchases", type=int, default=SMALL.purchases)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--database-url")
    chosen = parser.parse_args()
    size = MarketSize(chosen.products, chosen.suppliers, chosen.purchases)
    with ExitStack() as stack:
        folder = chosen.folder or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-scale-"))
        )
        store_name = "PostgreSQL" if chosen.database_url else "SQLite"
        show(measure_store(store_name, folder, chosen.database_url, size, rounds=chosen.rounds))


if __name__ == "__main__":
    main()
