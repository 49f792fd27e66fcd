"""Lines that state the price of a unit, priced for the quantity that is bought."""

from decimal import Decimal
from typing import Any

import pytest

from app.service.scopes.jobs import extract_document
from app.service.scopes.stored_reading import StoredLine, price_quantity
from tests.service.scopes.conftest import Catalog, Quoter
from tests.service.scopes.test_confirming import analytics, confirm


def step(start: float, end: float | None, price: float, **more: Any) -> StoredLine:
    line: Any = {"description": "Seats", "from_quantity": start, "unit_price": price, **more}
    if end is not None:
        line["to_quantity"] = end
    return line


STEPS = [
    step(1, 99, 12, period_months=1),
    step(100, 499, 10, period_months=1),
    step(500, None, 8, period_months=1),
]
OTHER = step(1, None, 99, period_months=1) | {"description": "Another"}


@pytest.mark.parametrize(
    ("lines", "quantity", "recurring", "price"),
    [
        (STEPS, 1, True, 12 * 24),
        (STEPS, 99, True, 99 * 12 * 24),
        (STEPS, 100, True, 100 * 10 * 24),
        ([STEPS[2], OTHER, *STEPS[:2]], 750, True, 750 * 8 * 24),
        ([{"unit_price": 0.3}], 1000, False, 300),
        ([{"unit_price": 0.3}], 1000, None, 300),
        ([{"unit_price": 30, "price_basis_quantity": 1000}], 500, False, 15),
        ([{"unit_price": 60, "period_months": 12}], 10, True, 1200),
        ([{"unit_price": 5, "unit": "user / month"}], 10, None, 1200),
        ([{"unit_price": 12, "tax_included": True, "tax_percent": 20}], 10, False, 100),
        ([{"unit_price": 5}], 10, True, None),  # paid again, and nobody says how often
        ([{"unit_price": 12, "tax_included": True}], 10, False, None),
    ],
)
def test_the_price_follows_from_the_quantity(
    lines: list[StoredLine], quantity: int, recurring: bool | None, price: float | None
) -> None:
    found = price_quantity(lines, 0, Decimal(quantity), recurring=recurring, months=24)
    assert found == (None if price is None else pytest.approx(Decimal(str(price))))


@pytest.mark.parametrize(("quantity", "why"), [(9, "from 10 on"), (51, "up to 50")])
def test_a_quantity_without_a_price_is_refused(quantity: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        price_quantity([step(10, 50, 5)], 0, Decimal(quantity), recurring=False, months=12)


def read_file(quoter: Quoter, text: str) -> str:
    """The id of the scope of a file."""
    answer = quoter.api.post("/v1/scope/from-document", files={"file": ("prices.csv", text.encode())})
    scope_id: str = answer.json()["scopeId"]
    extract_document(quoter.context, scope_id)
    return scope_id


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_steps_of_a_price_are_one_line_to_be_counted(quoter: Quoter, catalog: Catalog) -> None:
    name = "Northgate Analytics Starter"
    steps = (f"{name};10;99;12", f"{name};100;499;10", f"{name};500;;8")
    table = "\n".join(["Product;From quantity;To quantity;Unit price per month", *steps])
    read = read_file(quoter, f"Quotation\nSupplier;Northgate Systems Ltd\nCurrency;USD\n\n{table}\n")
    assert [line["role"] for line in quoter.lines(read)] == ["product", "left_aside", "left_aside"]
    term = analytics(catalog)
    others = [{"index": at, "role": "left_aside"} for at in (1, 2)]

    def send(users: int, status: int) -> dict[str, Any]:
        term["pricingDimensions"][0]["value"] = users
        lines = [{"index": 0, "role": "product", "productTerm": term}, *others]
        scope_term = {"termLength": 24, "purchaseType": "new_purchase"}
        return confirm(quoter.api, read, {"scopeTerm": scope_term, "lines": lines}, status)

    assert [one["pointer"] for one in send(9, 400)["errors"]] == ["/lines/0/productTerm"]
    made = send(250, 201)
    assert made["productTerms"][0]["finalPrice"] == 250 * 10 * 24
    needed = quoter.api.post("/v1/requirements", json={"scopeId": made["id"]}).json()
    assert [line["quantity"] for line in needed["lines"]] == [250]


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_bought_of_a_price_list_is_chosen(quoter: Quoter, catalog: Catalog) -> None:
    prices = ("Northgate Analytics Starter,user,10.00", "Harbour Vault,seat,50.00", "Crate,piece,2.00")
    table = "\n".join(["Product,Unit,List price", *prices])
    read = read_file(quoter, f"Price list\nSupplier,Northgate Systems Ltd\nCurrency,USD\n\n{table}\n")
    assert [(one["role"], one.get("termAmount")) for one in quoter.lines(read)] == [("left_aside", None)] * 3
    assert quoter.scope(read)["productTerms"] == []
    lines = [{"index": 0, "role": "product", "productTerm": analytics(catalog)}]
    lines += [{"index": at, "role": "left_aside"} for at in (1, 2)]
    sent = {"scopeTerm": {"termLength": 24, "purchaseType": "new_purchase"}, "lines": lines}
    [term] = confirm(quoter.api, read, sent)["productTerms"]
    assert term["finalPrice"] == 100
