"""A generated market: many suppliers, each with products that were bought again and again."""

import csv
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import sqlalchemy as sa

from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.database.tables import product, task
from app.service.imports.operator_files import import_files
from app.settings import Settings

PRODUCTS_OF_A_SUPPLIER = 25
PURCHASES_OF_A_PRODUCT = 200
EDITIONS = ("basic", "plus", "full")
HEADER = (
    *("date", "supplier", "product", "category", "quantity", "unit_price"),
    *("currency", "price_period", "term_months", "purchase_type", "list_price", "edition"),
)


@contextmanager
def generated_deployment(folder: Path, database_url: str | None, purchases: int) -> Iterator[Context]:
    """A migrated database with so many purchases, imported from a file."""
    settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": database_url})
    context = open_context(settings)
    try:
        migrate(context.database)
        path = folder / "purchases.csv"
        write_purchases(path, purchases)
        import_files(context, "purchases", [path])
        path.unlink()
        with context.database.writing() as connection:
            # What a worker learns from an import takes a processor for a while: that is not measured here.
            connection.execute(task.delete())
        yield context
    finally:
        context.database.close()


def write_purchases(path: Path, purchases: int) -> None:
    """A file of so many purchases."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(HEADER)
        rows.writerows(_rows(purchases))


def products(context: Context, count: int) -> list[tuple[str, str]]:
    """So many products of one supplier, each with the id of its quantity."""
    with context.database.reading() as connection:
        company_id = connection.scalar(sa.select(product.c.company_id).order_by(product.c.id).limit(1))
        rows = connection.execute(
            sa.select(product.c.id, product.c.quantity_dimension_id)
            .where(product.c.company_id == company_id)
            .order_by(product.c.id)
            .limit(count)
        )
        return [(row[0], row[1]) for row in rows]


def _rows(purchases: int) -> Iterable[tuple[object, ...]]:
    """The same rows at each run: a price falls with the quantity and grows with the edition."""
    chance = random.Random(1)
    first = date(2024, 1, 1)
    for number in range(purchases):
        item = number // PURCHASES_OF_A_PRODUCT
        supplier = item // PRODUCTS_OF_A_SUPPLIER
        edition = chance.randrange(len(EDITIONS))
        quantity = int(chance.lognormvariate(3, 1)) + 1
        listed = (20 + item % 80) * (1 + edition / 2)
        price = round(listed * (1 - min(0.4, quantity / 500)) * chance.lognormvariate(0, 0.15), 2)
        yield (
            first + timedelta(days=chance.randrange(1000)),
            f"Generated Supplier {supplier:04}",
            f"Suite {item:05}",
            f"Category {supplier % 12}",
            quantity,
            price,
            "USD",
            "month",
            chance.choice((12, 24, 36)),
            chance.choice(("new_purchase", "renewal")),
            listed,
            EDITIONS[edition],
        )
