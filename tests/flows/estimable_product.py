"""A product that can be estimated, once the worker has found out which can, and the purchases for it."""

import gzip
import time
from itertools import islice
from pathlib import Path

from app.client import ScopedClient
from app.contract.catalog import ProductInList
from tests.shared_material import shared

CHECK_SECONDS = 90
PURCHASES = 900
"""Enough for estimates; to learn from the whole file takes the processor many times as long."""


def take_real_purchases(folder: Path) -> Path:
    """A file of the first of the real purchases."""
    path = folder / "purchases.csv"
    with gzip.open(shared("data/usaid-scms/purchases.csv.gz"), "rt") as lines, path.open("w") as taken:
        taken.writelines(islice(lines, PURCHASES + 1))
    return path


def find_estimable_product(parley: ScopedClient) -> ProductInList:
    """One of the catalog's first supplier, which much was bought from."""
    company = next(iter(parley.catalog.iter_companies()))
    deadline = time.monotonic() + CHECK_SECONDS
    while time.monotonic() < deadline:
        for product in parley.catalog.iter_products(company.id):
            if product.is_custom_estimate_available:
                return product
        time.sleep(0.5)
    raise AssertionError(f"no product of {company.name} can be estimated")
