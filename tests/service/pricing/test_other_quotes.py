"""What other quotes asked for a unit: a month's price only of what is paid by the month."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.pricing.scope_requests import explained, imported, product, row, scope_body, term
from tests.service.scopes.conftest import Quoter


def confirm(quotes: Quoter, line: str, sold: dict[str, Any]) -> None:
    """Confirm a quote with one line as ten of a product for a year."""
    scope_id = quotes.read(line, supplier="Works", below="\nTerm: 12 months\n")
    sent = {
        "scopeTerm": scope_body()["scopeTerms"][0],
        "lines": [{"index": 0, "role": "product", "productTerm": term(sold, quantity=10)}],
    }
    answer = quotes.api.post(f"/v1/scope/{scope_id}/document/confirm", json=sent)
    assert answer.status_code == 201, answer.text


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("period", "unit", "price", "asked", "months"),
    [
        ("once", "each", 1500, 1500, None),
        ("once", "each / month", 100, 100, 12),
        ("month", "user", 1500, 125, 12),
        ("month", "user / month", 125, 125, 12),
    ],
)
def test_a_price_is_of_a_month_where_the_quote_or_else_the_estimate_is(
    context: Context,
    api: TestClient,
    tmp_path: Path,
    period: str,
    unit: str,
    price: float,
    asked: float,
    months: int | None,
) -> None:
    counted = unit.split(" /")[0]
    bought = [
        row(at, price=100 + at % 3, product="Steel Laptop", unit=counted, period=period) for at in range(10)
    ]
    imported(context, tmp_path, bought)
    sold = product(api, "Steel Laptop")
    confirm(Quoter(api, context), f"Steel Laptop,10,{unit},{price},{10 * price}", sold)
    found = explained(api, scope_body(term(sold, quantity=10)))["products"][0]
    assert found["recurring"] is (period == "month")
    [quoted] = found["quoted"]
    assert (quoted["unitPrice"], quoted.get("termMonths")) == (asked, months)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("unit", "asked"),
    [
        ("each", "USD 1,500 per unit (for the whole term or once: not stated) on 2 Nov"),
        ("each / month", "USD 1,500 per unit and month on 2 Nov"),
    ],
)
def test_without_an_estimate_a_price_is_of_a_month_only_where_the_quote_says_so(
    context: Context, api: TestClient, tmp_path: Path, unit: str, asked: str
) -> None:
    imported(context, tmp_path, [row(0, product="Steel Laptop", unit="each", period="once")])
    sold = product(api, "Steel Laptop")
    confirm(Quoter(api, context), f"Steel Laptop,10,{unit},1500,15000", sold)
    made = api.post("/v1/scope", json=scope_body(term(sold, quantity=10))).json()["id"]
    answer = api.get(f"/v1/pricing/basic/{made}")
    assert answer.status_code == 422, answer.text
    assert f"Quoted to you elsewhere, not paid: Steel Laptop at {asked}" in answer.json()["detail"]
