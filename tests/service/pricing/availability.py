"""What a caller reads of products: which can be estimated as their records say, and which are."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from app.service.catalog.estimate_check import CHECK_TASK
from app.service.context import Context
from app.service.database.rows import batched
from app.service.database.tables import task
from app.service.pricing.estimate_availability import check_estimates

Products = dict[str, Any]
"""Records of products by id."""


def run_requested_checks(context: Context) -> None:
    """Do what was requested, as a worker does."""
    with context.database.writing() as connection:
        subjects = connection.scalars(sa.select(task.c.subject_id).where(task.c.kind == CHECK_TASK)).all()
        connection.execute(sa.delete(task).where(task.c.kind == CHECK_TASK))
    assert subjects
    for subject in subjects:
        check_estimates(context, subject)


def check_promises(api: Any, *, every: bool | None = None) -> set[str]:
    """Check that records and estimates agree and, with `every`, that they do so about every product. Returns
    the products that can be estimated."""
    products = read_products(api)
    assert products
    available = read_available(products)
    assert available == read_estimable(api, products)
    if every is not None:
        assert available == (set(products) if every else set())
    return available


def read_products(api: Any) -> Products:
    """The caller's products, as its lists show them. Every other record of a product says the same of it."""
    products: Products = {}
    for company in _read_list(api, "/v1/catalog/companies"):
        listed = list(_read_list(api, f"/v1/catalog/companies/{company['id']}/products"))
        whole = api.get(f"/v1/catalog/companies/{company['id']}").json()
        assert _availability(whole["products"]) == _availability(listed)
        products |= {one["id"]: one for one in listed}
    return products


def read_available(products: Products) -> set[str]:
    """The products whose records promise an estimate."""
    return {key for key, one in products.items() if one["isCustomEstimateAvailable"]}


def read_estimable(api: Any, products: Products) -> set[str]:
    """The products of which an estimate succeeds, with their default dimensions."""
    estimable: set[str] = set()
    for few in batched(products.values(), 200):
        body = {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [_default_term(one) for one in few],
        }
        answer = api.post("/v1/pricing/preview", json=body)
        if answer.status_code == 422:
            continue
        assert answer.status_code == 200, answer.text
        parts = answer.json()["productEstimates"]
        assert len(parts) == len(few)
        estimable |= {part["productId"] for part in parts if part["status"] == "success"}
    return estimable


def _read_list(api: Any, path: str) -> Iterable[Any]:
    offset, total = 0, 1
    while offset < total:
        page = api.get(path, params={"limit": 100, "offset": offset}).json()
        yield from page["data"]
        offset, total = offset + 100, page["pagination"]["total"]


def _availability(products: Iterable[Any]) -> dict[str, bool]:
    return {one["id"]: one["isCustomEstimateAvailable"] for one in products}


def _default_term(product: Any) -> Any:
    required = [one for one in product["pricingDimensions"] if one["formField"]["required"]]
    values = [{"id": one["id"], "value": one["formField"].get("defaultValue", 1)} for one in required]
    return {"productId": product["id"], "pricingDimensions": values}
