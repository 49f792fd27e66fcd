"""Purchases imported and scopes asked about, as a caller would."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from app.service.context import Context
from app.service.imports.operator_files import import_files

HEADER = (
    "purchase_date,supplier,product,quantity,unit,unit_price,currency,term_months,price_period,edition,"
    "list_price,buyer,order_id\n"
)


def row(
    number: int,
    *,
    day: str | None = None,
    supplier: str = "Works",
    product: str = "Blue Analytics",
    quantity: float = 10,
    unit: str = "user",
    price: float = 100.0,
    currency: str = "USD",
    term: str = "12",
    period: str = "month",
    edition: str = "",
    listed: str = "",
    buyer: str = "",
) -> str:
    """A line of a purchase file; by default a purchase of 2026 at 100 a user and month."""
    bought = day or f"2026-{1 + number % 9:02}-{1 + number % 27:02}"
    cells = (bought, supplier, product, quantity, unit, price, currency, term, period, edition, listed, buyer)
    return ",".join(map(str, (*cells, f"o-{supplier}-{product}-{number}")))


def imported(
    context: Context, folder: Path, lines: Sequence[str], *, organisation: str | None = None
) -> None:
    """Imports these lines."""
    path = folder / f"purchases-{len(list(folder.iterdir()))}.csv"
    path.write_text(HEADER + "\n".join(lines))
    import_files(context, "purchases", [path], organisation=organisation)


def product(api: httpx.Client, name: str = "Blue Analytics", supplier: str = "Works") -> dict[str, Any]:
    """The product of that name, as its supplier's list has it."""
    companies = api.get("/v1/catalog/companies", params={"name": supplier}).json()["data"]
    for company in companies:
        for one in api.get(f"/v1/catalog/companies/{company['id']}/products").json()["data"]:
            if one["name"] == name:
                found: dict[str, Any] = one
                return found
    raise AssertionError(f"no product {name}")


def term(sold: Mapping[str, Any], final_price: float | None = None, **values: object) -> dict[str, Any]:
    """A product term with these values by the dimension's name in lower case; a choice by its label."""
    dimensions: list[dict[str, Any]] = []
    for dimension in sold["pricingDimensions"]:
        value = values.get(dimension["name"].lower())
        if value is None:
            continue
        options = dimension["formField"].get("options", ())
        value = next((option["value"] for option in options if option["label"] == value), value)
        dimensions.append({"id": dimension["id"], "value": value})
    found: dict[str, Any] = {"productId": sold["id"], "pricingDimensions": dimensions}
    return found if final_price is None else found | {"finalPrice": final_price}


def scope_body(*terms: dict[str, Any], months: int = 12, final_price: float | None = None) -> dict[str, Any]:
    """A new purchase of these products."""
    whole: dict[str, Any] = {"termLength": months, "purchaseType": "new_purchase"}
    if final_price is not None:
        whole["finalPrice"] = final_price
    return {"scopeTerms": [whole], "productTerms": list(terms)}


def explained(api: httpx.Client, body: dict[str, Any], quoted: float | None = None) -> dict[str, Any]:
    """The explanation of a new scope of this body."""
    scope = api.post("/v1/scope", json=body)
    assert scope.status_code == 201, scope.text
    params = {} if quoted is None else {"quoted": quoted}
    answer = api.get(f"/v1/pricing/explanation/{scope.json()['id']}", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def numbered(
    number: int, supplier: str, product: str, key: str, price: float, *, currency: str = "USD"
) -> str:
    """A line of `NUMBERED`: a one-time purchase of a product with an item number."""
    return (
        f"2026-02-{1 + number:02},{supplier},{product},{key},10,each,{price},{currency},n-{supplier}-{number}"
    )


NUMBERED = "purchase_date,supplier,product,product_key,quantity,unit,unit_price,currency,order_id\n"
