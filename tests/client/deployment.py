"""The real service in a thread of this process, over a real socket, with a small catalog."""

import csv
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.clock import Clock
from app.service.http.dependencies import CONTEXT
from app.service.imports.operator_files import import_files
from app.service.main import create_service
from app.settings import Settings
from tests.dashboard.http_server import serve_in_thread
from tests.service.migrated_database import provide_schema

PRODUCTS = 12
SUPPLIERS = 3


@dataclass(frozen=True)
class Deployment:
    """Where the service listens, and what it stands on."""

    address: str
    context: Context

    def key(self, organisation: str = "Acme", *, read_only: bool = False) -> str:
        """A new API key of that organisation."""
        with self.context.database.writing() as connection:
            return create_key(
                connection,
                name="test",
                organisation_name=organisation,
                role="reader" if read_only else "owner",
                now=self.context.clock(),
            )[1]


@contextmanager
def deployed(
    folder: Path, *, bought: Path | None = None, clock: Clock | None = None, **settings: Any
) -> Generator[Deployment]:
    """The service with the purchases of that file; without one, with `SUPPLIERS` suppliers of `PRODUCTS`
    products, each bought a few times."""
    unlimited = Settings(data_dir=folder / "data", rate_limit=0)
    app = create_service(unlimited.model_copy(update=settings), clock)
    context = CONTEXT.get(app)
    provide_schema(context.database)
    import_files(context, "purchases", [bought or purchases(folder / "purchases.csv")])
    with serve_in_thread(app) as address:
        yield Deployment(address, context)
    context.database.close()


def purchases(path: Path) -> Path:
    """A file of purchases as an order system would export it."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["date", "supplier", "product", "quantity", "unit_price", "currency", "term_months"])
        for supplier in range(SUPPLIERS):
            for product in range(PRODUCTS):
                for bought in range(8):
                    rows.writerow(
                        [
                            f"2026-{bought + 1:02}-15",
                            f"Supplier {supplier}",
                            f"Product {supplier}-{product:02}",
                            10 * (bought + 1),
                            100 + product + 3 * bought,
                            "USD",
                            12,
                        ]
                    )
    return path
