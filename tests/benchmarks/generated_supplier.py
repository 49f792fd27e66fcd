"""A generated supplier with many products, as purchases of it make it."""

import csv
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.database.tables import company, product
from app.service.imports.operator_files import import_files
from app.service.main import open_context
from app.settings import Settings

SIZES = ("S", "M", "L")


@dataclass(frozen=True)
class GeneratedSupplier:
    """What a caller needs to read it."""

    key: str
    company_id: str
    product_id: str


def generate_supplier(settings: Settings, products: int) -> GeneratedSupplier:
    """A migrated database with one supplier of so many products, each bought six times."""
    context = open_context(settings)
    try:
        migrate(context.database)
        import_files(context, "purchases", [_purchases(settings.data_dir / "purchases.csv", products)])
        return _supplier(context)
    finally:
        context.database.close()


def _supplier(context: Context) -> GeneratedSupplier:
    with context.database.writing() as connection:
        key = create_key(
            connection,
            name="benchmark",
            organisation_name="Benchmark",
            role="reader",
            now=context.clock(),
        )[1]
        company_id = connection.execute(sa.select(company.c.id)).scalar_one()
        product_id = connection.execute(
            sa.select(product.c.id).order_by(product.c.sort_name).limit(1)
        ).scalar_one()
    return GeneratedSupplier(key, company_id, product_id)


def _purchases(path: Path, products: int) -> Path:
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(
            [
                "date",
                "supplier",
                "product",
                "quantity",
                "unit_price",
                "currency",
                "term_months",
                "tier",
                "region",
            ]
        )
        for number in range(products):
            for bought in range(6):
                price = 40 + number % 97 + 5 * (bought % 3)
                rows.writerow(
                    [
                        f"2026-{bought + 1:02}-{number % 28 + 1:02}",
                        "Generated Software",
                        f"Product {number:04}",
                        5 * (bought + 1) + number % 7,
                        price,
                        "USD",
                        12,
                        SIZES[bought % 3],
                        ("EU", "US")[bought % 2],
                    ]
                )
    return path
