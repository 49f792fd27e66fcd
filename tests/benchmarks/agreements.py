"""Lists, prices and spend of 20,000 agreements, against the read of one product by the same server.

The agreements begin on random days of three years and buy one to three products of a generated supplier.
Each request and the product read take turns; a ratio is the median request over the median read. Prices are
computed in the background: here of all agreements (without --full, of some), and of a few that an import has
touched.
"""

import http.client
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.contract.agreements import AgreementLine, AgreementOwner, NewAgreement, NoticePeriod
from app.service.agreements.market.jobs import price_some
from app.service.agreements.stored_agreement import build_columns
from app.service.agreements.stored_positions import store_positions
from app.service.charges.months import add_months
from app.service.context import Context, open_context
from app.service.database.dialect import refresh_statistics
from app.service.database.rows import batched
from app.service.database.tables import agreement, agreement_market, api_key, company, product
from app.service.ids import new_id
from app.service.pricing.relearning import learn_from_purchases
from app.service.process import freeze_startup_objects
from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_supplier import GeneratedSupplier, generate_supplier
from tests.benchmarks.server import running
from tests.benchmarks.stores import on_each_store

AGREEMENTS, PRODUCTS = 20_000, 1_000
REQUESTS = {
    "renewals of 90 days": ("/v1/renewals?within=90&limit=100", 50.0),
    "list page of 100": ("/v1/agreements?limit=100", 100.0),
    "list page of those active": ("/v1/agreements?limit=100&status=active", 100.0),
    "last list page": ("/v1/agreements?limit=100&offset=19900", None),
}
SHOWN = {
    "market page of 100": ("/v1/market?limit=100", 100.0),
    **{
        f"spend by {by}": (f"/v1/spend?by={by}&first=2026-01&last=2026-12", 100.0)
        for by in ("supplier", "category", "owner", "costCenter", "month")
    },
}
PRICED_WITHOUT_FULL, CHANGED = 2_000, 40


def run(full: bool) -> list[Figure]:
    """Each kind of list, on SQLite and, where there is one, PostgreSQL."""
    rounds, priced = (100, AGREEMENTS) if full else (20, PRICED_WITHOUT_FULL)
    return on_each_store(lambda store, url: _on_store(store, url, rounds, priced))


def _on_store(store: str, database_url: str | None, rounds: int, priced: int) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-agreements-")))
        settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": database_url})
        supplier = generate_supplier(settings, PRODUCTS)
        context = open_context(settings)
        try:
            organisation_id = generate_agreements(context, AGREEMENTS)
            learn_from_purchases(context, "")
            prices = _measure_prices(store, context, organisation_id, priced)
        finally:
            context.close()
        host, port = stack.enter_context(running(folder, database_url))
        shown = [
            figure
            for name, (path, goal) in (REQUESTS | SHOWN).items()
            for figure in _measure(store, name, path, goal, supplier, host, port, rounds)
        ]
        return [*shown, *prices]


def _measure_prices(store: str, context: Context, organisation_id: str, count: int) -> list[Figure]:
    """The prices of so many agreements from nothing, and after purchases of one product have changed."""
    freeze_startup_objects()
    begin = time.process_time()
    priced = price_some(context, organisation_id, count)
    from_nothing = time.process_time() - begin
    with context.database.writing() as connection:
        agreement_ids = list(connection.scalars(sa.select(agreement_market.c.agreement_id).limit(CHANGED)))
        connection.execute(
            agreement.update()
            .where(agreement.c.id.in_(agreement_ids))
            .values(price_changes=agreement.c.price_changes + 1)
        )
        # Those that were never priced would come first.
        unpriced = agreement.c.id.not_in(sa.select(agreement_market.c.agreement_id))
        connection.execute(agreement.update().where(unpriced).values(past=True))
    begin = time.process_time()
    changed = price_some(context, organisation_id, count)
    after_change = time.process_time() - begin
    with context.database.writing() as connection:
        connection.execute(agreement.update().values(past=False))
    note = "processor time"
    return [
        Figure(f"agreements, {store}", f"prices of {priced:,} from nothing", from_nothing, "s", note=note),
        Figure(
            f"agreements, {store}",
            f"prices of {AGREEMENTS:,} at that rate",
            from_nothing * AGREEMENTS / priced,
            "s",
            at_most=20.0,
            note=note,
        ),
        Figure(f"agreements, {store}", f"prices of {changed} after a change", after_change, "s", note=note),
        Figure(
            f"agreements, {store}", "after a change, of from nothing", after_change / from_nothing, "ratio"
        ),
    ]


def generate_agreements(context: Context, count: int) -> str:
    """Write agreements of the only organisation on the products of the only supplier, and return its id."""
    dice, now = random.Random(5), context.clock()
    with context.database.writing() as connection:
        organisation_id: str = connection.scalars(sa.select(api_key.c.organisation_id)).one()
        company_id: str = connection.scalars(sa.select(company.c.id)).one()
        sold = connection.execute(sa.select(product.c.id, product.c.name)).all()
        rows = [
            {
                "id": new_id(),
                "organisation_id": organisation_id,
                **build_columns(_invent(dice, number, company_id, dice.choices(sold, k=dice.randint(1, 3)))),
                "search_text": f"agreement {number} generated software",
                "evidence": {},
                "created_at": now,
                "updated_at": now,
            }
            for number in range(count)
        ]
        for some in batched(rows, 2_000):
            connection.execute(agreement.insert(), some)
        store_positions(connection, organisation_id, now.date())
    refresh_statistics(context.database)
    return organisation_id


def _invent(dice: random.Random, number: int, company_id: str, sold: Sequence[Any]) -> NewAgreement:
    start = date(2024, 6, 1) + timedelta(days=dice.randrange(1_000))
    lines = [
        AgreementLine(
            product_id=one.id,
            description=one.name,
            quantity=Decimal(quantity),
            unit_price=Decimal(price),
            amount=Decimal(quantity * price),
            recurring=True,
        )
        for one in sold
        for quantity, price in [(dice.randint(1, 400), dice.randint(480, 1_900))]
    ]
    return NewAgreement(
        name=f"Agreement {number}",
        company_id=company_id,
        supplier_name="Generated Software",
        owners=[AgreementOwner(name=f"Owner {number % 40}")],
        cost_center=f"CC-{number % 25}",
        currency="USD",
        total_value=sum((line.amount or Decimal(0) for line in lines), Decimal(0)),
        one_time_value=Decimal(0),
        term_start=start,
        term_end=add_months(start, 12) - timedelta(days=1),
        renewal_type="auto_renew",
        auto_renewal_term_months=12,
        notice_period=NoticePeriod(value=dice.choice((1, 2, 3)), unit="month"),
        lines=lines,
    )


def _measure(
    store: str,
    name: str,
    path: str,
    goal: float | None,
    supplier: GeneratedSupplier,
    host: str,
    port: int,
    rounds: int,
) -> list[Figure]:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    headers = {"Authorization": f"Bearer {supplier.key}"}

    def milliseconds(target: str) -> float:
        start = time.perf_counter()
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{target}: {response.status} {body[:200]!r}")
        return (time.perf_counter() - start) * 1000

    took: list[float] = []
    reads: list[float] = []
    for number in range(rounds):
        took.append(milliseconds(path))
        reads.append(milliseconds(f"/v1/catalog/products/{supplier.product_id}?n={number}"))
    median, read = statistics.median(took), statistics.median(reads)
    note = f"{AGREEMENTS:,} agreements; a product read {read:.1f} ms"
    return [
        Figure(f"agreements, {store}", name, median, "ms", at_most=goal, note=note),
        Figure(f"agreements, {store}", f"{name}, of a product read", median / read, "ratio"),
    ]
