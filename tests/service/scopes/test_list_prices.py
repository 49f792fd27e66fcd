"""Price lists: their prices are list prices of the catalog once a person takes them,."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.scopes.jobs import extract_document
from tests.service.agreements.quoted_deals import QuotedDeals
from tests.service.agreements.test_routes import app as app
from tests.service.agreements.test_routes import get

HEAD = "Price list 2026 from Works\nDate,2026-07-02\nCurrency,USD\n\n"
PRICES = f"{HEAD}Description,Unit,Price per month\nBlue Analytics,user,120.00\nGreen Analytics,user,80.00\n"


@pytest.fixture
def deals(app: FastAPI, api: TestClient, context: Context, tmp_path: Path) -> QuotedDeals:
    return QuotedDeals(api, context, tmp_path)


def read(api: TestClient, context: Context, text: str) -> str:
    answer = api.post("/v1/scope/from-document", files={"file": ("prices.csv", text.encode())})
    scope_id: str = answer.json()["scopeId"]
    extract_document(context, scope_id)
    return scope_id


def take(api: TestClient, scope_id: str, *lines: Mapping[str, object]) -> int:
    path = f"/v1/scope/{scope_id}/document/list-prices"
    return api.post(path, json={"lines": list(lines)}).status_code


def test_prices_of_a_price_list_are_list_prices_until_they_are_taken_back(
    deals: QuotedDeals, context: Context, api: TestClient
) -> None:
    bought = api.post("/v1/scope", json=deals.scope(months=12)).json()["id"]

    def list_price() -> dict[str, Any] | None:
        [product] = get(api, f"/v1/pricing/explanation/{bought}")["products"]
        return product.get("listPrice")

    before = list_price()
    scope_id = read(api, context, PRICES)
    document = get(api, f"/v1/scope/{scope_id}/document")
    assert document["kind"] == "price_list"
    first = document["lines"][0]
    assert (first["role"], first["productId"]) == ("left_aside", deals.sold["id"])
    assert get(api, f"/v1/scope/{scope_id}")["productTerms"] == []
    assert list_price() == before, "nobody took it yet"

    assert take(api, scope_id, {"index": 0, "productId": deals.sold["id"]}) == 204
    found = list_price()
    assert found is not None
    assert (found["unitPrice"], found["source"], found["statedOn"]) == (120, "price_list", "2026-07-02")
    assert found["scopeId"] == scope_id
    assert get(api, f"/v1/scope/{scope_id}/document")["listPriceLines"] == [0]

    assert take(api, scope_id) == 204
    assert list_price() == before
    assert get(api, f"/v1/scope/{scope_id}/document")["listPriceLines"] == []


@pytest.mark.campaign
def test_prices_of_a_supplier_that_is_not_in_the_catalog_are_taken_once_its_lines_are_added(
    deals: QuotedDeals, context: Context, api: TestClient
) -> None:
    prices = "Description,Unit,Price per month\nQuay Ledger,user,9.00\nQuay Planner,user,12.50\n"
    scope_id = read(api, context, f"{HEAD.replace('Works', 'Quayside Software')}{prices}")
    document = get(api, f"/v1/scope/{scope_id}/document")
    assert [(one["role"], one["proposed"]["name"]) for one in document["lines"]] == [
        ("left_aside", "Quay Ledger"),
        ("left_aside", "Quay Planner"),
    ]
    supplier: dict[str, str] = {"name": document["supplier"]["name"]}
    added: list[str] = []
    for line in document["lines"]:
        body = {"supplier": supplier, "product": line["proposed"]}
        entry = api.post("/v1/catalog/entries", json=body).json()
        supplier = {"companyId": entry["companyId"]}
        added.append(entry["productId"])
    lines = [{"index": at, "productId": product_id} for at, product_id in enumerate(added)]
    assert take(api, scope_id, *lines) == 204
    assert get(api, f"/v1/scope/{scope_id}/document")["listPriceLines"] == [0, 1]


def test_what_cannot_be_a_list_price_is_refused_with_its_place(
    deals: QuotedDeals, context: Context, api: TestClient
) -> None:
    product_id = deals.sold["id"]
    unsaid = read(api, context, PRICES.replace("Price per month", "Price"))
    path = f"/v1/scope/{unsaid}/document/list-prices"

    def refuse(*lines: dict[str, object]) -> list[str]:
        answer = api.post(path, json={"lines": list(lines)})
        assert answer.status_code == 400, answer.text
        return [wrong["pointer"] for wrong in answer.json()["errors"]]

    line = {"index": 0, "productId": product_id}
    assert refuse(line) == ["/lines/0/per"]
    assert refuse({**line, "index": 7}) == ["/lines/0/index"]
    assert refuse({**line, "per": "year"}, {**line, "per": "year"}) == ["/lines/1/index"]
    assert refuse({**line, "per": "year", "productId": unsaid}) == ["/lines/0/productId"]
    assert take(api, unsaid, {**line, "per": "year"}) == 204
    unnamed = read(api, context, PRICES.replace("Currency,USD\n", ""))
    assert take(api, unnamed, line) == 422
    quote = deals.read("Blue Analytics,10,user,1200,12000", total=12_000)
    assert take(api, quote, line) == 422


@pytest.mark.campaign
def test_the_same_prices_taken_twice_at_once_are_there_once(
    deals: QuotedDeals, context: Context, api: TestClient
) -> None:
    scope_id = read(api, context, PRICES)
    line = {"index": 0, "productId": deals.sold["id"]}
    together = Barrier(4)

    def take_it(_: int) -> int:
        together.wait()
        return take(api, scope_id, line)

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(take_it, range(4))] == [204] * 4
    assert get(api, f"/v1/scope/{scope_id}/document")["listPriceLines"] == [0]
