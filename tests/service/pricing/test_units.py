"""Prices are compared for the same unit: that of a box is not that of a piece."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from app.service.context import Context
from app.service.imports.operator_files import import_files
from tests.service.pricing.scope_requests import explained

HEADER = "purchase_date,supplier,product,quantity,unit,unit_price,currency\n"


def imported(context: Context, folder: Path, lines: list[str]) -> None:
    path = folder / "purchases.csv"
    path.write_text(HEADER + "\n".join(lines))
    import_files(context, "purchases", [path])


def product(api: httpx.Client) -> dict[str, Any]:
    """The only one there is."""
    company = api.get("/v1/catalog/companies").json()["data"][0]["id"]
    found: dict[str, Any] = api.get(f"/v1/catalog/companies/{company}/products").json()["data"][0]
    return found


def median(api: httpx.Client, of: dict[str, Any], values: dict[str, object]) -> float:
    """The estimate of a scope with these values, by the dimension's name."""
    dimensions = [
        {"id": dimension["id"], "value": values[dimension["name"]]}
        for dimension in of["pricingDimensions"]
        if dimension["name"] in values
    ]
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": of["id"], "pricingDimensions": dimensions}],
    }
    answered = api.post("/v1/pricing/preview", json=body)
    assert answered.status_code == 200, answered.text
    middle: float = answered.json()["estimate"]["percentile50"]
    return middle


def test_the_chosen_unit_decides_the_price(context: Context, api: httpx.Client, tmp_path: Path) -> None:
    days = range(1, 13)
    pieces = [f"2026-02-{day:02},Works,Blue pen,10,piece,{1 + day / 1000},USD" for day in days]
    boxes = [f"2026-03-{day:02},Works,Blue pen,10,box,{12 + day / 100},USD" for day in days]
    imported(context, tmp_path, [*pieces, *boxes])
    pen = product(api)
    unit = next(one for one in pen["pricingDimensions"] if one["name"] not in {"Quantity"})
    options = {one["label"]: one["value"] for one in unit["formField"]["options"]}
    asked = {label: {"Quantity": 10, unit["name"]: value} for label, value in options.items()}
    assert median(api, pen, asked["piece"]) == pytest.approx(10, rel=0.2)
    assert median(api, pen, asked["box"]) == pytest.approx(120, rel=0.2)


def test_a_quantity_is_counted_in_the_unit_of_its_label(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    lines = [f"2026-02-{day:02},Works,Blue pen,10,piece,{1 + day / 1000},USD" for day in range(1, 13)]
    imported(context, tmp_path, lines)
    pen = product(api)
    assert pen["pricingDimensions"][0]["formField"]["label"] == "piece"
    assert median(api, pen, {"Quantity": 10}) == pytest.approx(10, rel=0.05)


def test_a_purchase_in_another_pack_is_named_as_such_and_counted_by_the_piece(
    context: Context, api: httpx.Client, tmp_path: Path
) -> None:
    hundred = [
        f"2026-02-{day:02},Works,Blue gloves 100/box,10,box,{8 + day / 100},USD" for day in range(1, 13)
    ]
    larger = [
        f"2026-03-{day:02},Works,Blue gloves 200/box,10,box,{16 + day / 100},USD" for day in range(1, 3)
    ]
    imported(context, tmp_path, [*hundred, *larger])
    company = api.get("/v1/catalog/companies").json()["data"][0]["id"]
    products = api.get(f"/v1/catalog/companies/{company}/products").json()["data"]
    asked = next(one for one in products if one["name"] == "Blue gloves 200/box")
    quantity = asked["pricingDimensions"][0]["id"]
    body = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [{"productId": asked["id"], "pricingDimensions": [{"id": quantity, "value": 10}]}],
    }
    comparables = explained(api, body)["products"][0]["comparables"]
    others = [one for one in comparables if one["productName"] == "Blue gloves 100/box"]
    own = [one for one in comparables if one["productName"] == "Blue gloves 200/box"]
    assert others
    assert all(one["otherPack"] for one in others)
    assert others[0]["unitPrice"] == pytest.approx(2 * others[0]["paid"], rel=0.1)
    assert own
    assert not any(one.get("otherPack") for one in own)
