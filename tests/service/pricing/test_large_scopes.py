"""Estimates that take long: what one may cost, and that those of one key leave room for others."""

import socket
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.imports.operator_files import import_files
from app.service.pricing import routes
from tests.http_server.test_protocol import dial
from tests.service.conftest import key_for
from tests.service.running_service import purchase_rows, serving

PRODUCTS = 200
ESTIMATES = 60


def make_scope(api: httpx.Client, count: int) -> str:
    """A scope in which one product stands so many times."""
    company = api.get("/v1/catalog/companies").json()["data"][0]
    products = api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"]
    product = next(one for one in products if one["name"] == "Analytics Suite")
    quantity = next(one for one in product["pricingDimensions"] if one["formField"]["required"])
    term: dict[str, Any] = {
        "productId": product["id"],
        "pricingDimensions": [{"id": quantity["id"], "value": 10}],
    }
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [term] * count,
    }
    return api.post("/v1/scope", json=body).raise_for_status().json()["id"]


def import_some(context: Context, folder: Path) -> None:
    path = folder / "purchases.csv"
    path.write_text(purchase_rows())
    import_files(context, "purchases", [path])


def test_an_estimate_that_costs_too_much_says_what_may_be_done(
    api: TestClient, context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_some(context, tmp_path)
    monkeypatch.setattr(routes, "MAX_PROCESSOR_SECONDS", 0.0)
    answer = api.get(f"/v1/pricing/basic/{make_scope(api, 3)}")
    assert answer.status_code == 422
    assert answer.json()["title"] == "Pricing failed"
    assert answer.json()["detail"].startswith("The scope is too large to estimate at once: ")
    assert "Split it into smaller scopes" in answer.json()["detail"]


@pytest.mark.campaign
def test_the_estimates_of_one_key_leave_room_for_others(
    app: FastAPI, context: Context, tmp_path: Path
) -> None:
    import_some(context, tmp_path)
    hostile, other = key_for(context, "Hostile"), key_for(context, "Other")
    with serving(app) as address:
        with httpx.Client(base_url=address, headers={"X-API-Key": hostile}, timeout=60) as api:
            large = make_scope(api, PRODUCTS)
            api.get(f"/v1/pricing/advanced/{large}").raise_for_status()  # the first loads what all need
            began = time.monotonic()
            api.get(f"/v1/pricing/advanced/{large}").raise_for_status()
            one_estimate = time.monotonic() - began
        callers: list[socket.socket] = []
        with httpx.Client(base_url=address, headers={"X-API-Key": other}, timeout=60) as api:
            small = make_scope(api, 1)
            head = f"GET /v1/pricing/advanced/{large} HTTP/1.1\r\nhost: x\r\nx-api-key: {hostile}\r\n\r\n"
            for _ in range(ESTIMATES):
                callers.append(dial(address))
                callers[-1].sendall(head.encode())
            time.sleep(one_estimate)
            began = time.monotonic()
            for path in ("/v1/scope", "/v1/webhooks", f"/v1/pricing/basic/{small}"):
                assert api.get(path).status_code == 200
            took = time.monotonic() - began
        for caller in callers:
            caller.close()
    # Where all share the threads, these come after the sixty.
    assert took < 5 * one_estimate
