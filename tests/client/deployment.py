"""The real service in a thread of this process, over a real socket, with a small catalog."""

import csv
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.purchases.importing import import_purchases
from app.settings import Settings

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
def deployed(folder: Path, **settings: Any) -> Generator[Deployment]:
    """The service with `SUPPLIERS` suppliers of `PRODUCTS` products, each bought a few times."""
    unlimited = Settings(data_dir=folder / "data", rate_limit=0)
    app = create_service(unlimited.model_copy(update=settings))
    context = CONTEXT.get(app)
    migrate(context.database)
    import_purchases(context, [purchases(folder / "purchases.csv")])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="on", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the service did not start")
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Deployment(f"http://127.0.0.1:{port}", context)
    finally:
        server.should_exit = True
        thread.join()
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
