"""A product that can be estimated, once the worker has found out which can."""

import time

from app.client import ScopedClient
from app.contract.catalog import ProductInList

CHECK_SECONDS = 90


def find_estimable_product(parley: ScopedClient) -> ProductInList:
    deadline = time.monotonic() + CHECK_SECONDS
    while time.monotonic() < deadline:
        for company in parley.catalog.iter_companies():
            for product in parley.catalog.iter_products(company.id):
                if product.is_custom_estimate_available:
                    return product
        time.sleep(0.5)
    raise AssertionError("no product of the catalog can be estimated")
