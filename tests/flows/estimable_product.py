"""A product that can be estimated, once the worker has found out which can."""

import time

from app.client import ScopedClient
from app.contract.catalog import ProductInList

CHECK_SECONDS = 90


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
