"""A confirmed document becomes an agreement in one call, once."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.jobs import extract_document
from tests.service.documents import pdf_builder

TERMS = (
    "Start date: 1 January 2026. End date: 31 December 2026.",
    "This order renews automatically for further terms of 12 months unless either party gives notice"
    " three months before the end of the term.",
    "Invoices are payable within 30 days.",
)


def read_order(api: TestClient, context: Context, *below: str) -> dict[str, Any]:
    """An order of Northgate that was read: the id of its scope, and the body that confirms it."""
    made = api.post(
        "/v1/catalog/entries",
        json={
            "supplier": {"name": "Northgate Ltd"},
            "product": {"name": "Northgate Analytics", "unit": "user"},
            "confirmNew": True,
        },
    ).json()
    content = pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [["Northgate Analytics", "10", "120.00", "1,200.00"]],
        [("Net total", "1,200.00")],
        below=below,
    )
    files = {"file": ("order.pdf", content)}
    scope_id = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
    extract_document(context, scope_id)
    product = api.get(f"/v1/catalog/products/{made['productId']}").json()
    [users] = product["pricingDimensions"]
    term = {"productId": product["id"], "pricingDimensions": [{"id": users["id"], "value": 10}]}
    lines = api.get(f"/v1/scope/{scope_id}/document").json()["lines"]
    body = {
        "scopeTerm": {"termLength": 12, "purchaseType": "new_purchase"},
        "lines": [
            {"index": line["index"], "role": "product", "productTerm": {**term, "finalPrice": 1200}}
            for line in lines
        ],
    }
    return {"scopeId": scope_id, "confirm": body}


def record(api: TestClient, context: Context, *below: str, months: int = 12) -> Any:
    read = read_order(api, context, *below)
    read["confirm"]["scopeTerm"]["termLength"] = months
    confirmed = api.post(f"/v1/scope/{read['scopeId']}/document/confirm", json=read["confirm"])
    assert confirmed.status_code == 201, confirmed.text
    answer = api.post("/v1/agreements/from-document", json={"scopeId": confirmed.json()["id"]})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_confirmed_document_becomes_an_agreement_with_the_place_of_each_value(
    api: TestClient, context: Context
) -> None:
    made = record(api, context, *TERMS)
    assert (made["termStart"], made["termEnd"]) == ("2026-01-01", "2026-12-31")
    assert made["renewalType"] == "auto_renew"
    assert made["noticePeriod"] == {"value": 3, "unit": "month"}, "three months are not 90 days"
    assert made["paymentTermsDays"] == 30
    assert made["totalValue"] == 1200
    [line] = made["lines"]
    assert (line["description"], line["quantity"], line["amount"]) == ("Northgate Analytics", 10, 1200)
    for name in ("termStart", "termEnd", "noticePeriod", "autoRenewalTermMonths", "totalValue"):
        place = made["evidence"][name]
        assert place["page"] == 1
        assert len(place["box"]) == 4
    assert made["evidence"]["noticePeriod"]["text"] == "3 months"
    assert made["autoRenewalTermMonths"] == 12
    assert made["evidence"]["autoRenewalTermMonths"]["text"] == "12 months"
    assert made["missing"] == ["owners"], "what the document does not say"
    assert made["currency"] == "USD", "it names none, and whoever confirmed it let the usual one stand"
    assert "currency" not in made["evidence"]
    changed = api.patch(f"/v1/agreements/{made['id']}", json={"totalValue": 1100}).json()
    assert "totalValue" not in changed["evidence"], "the value is no longer that of the document"
    again = api.post("/v1/agreements/from-document", json={"scopeId": made["scopeId"]})
    assert again.status_code == 409
    assert made["id"] in again.json()["detail"]


@pytest.mark.parametrize(
    ("below", "confirmed", "end"),
    [
        ("Start date: 1 January 2026.", {"termLength": 12}, "2026-12-31"),
        ("Start date: 1 January 2026.", {"termLength": 12, "termAssumed": True}, None),
        ("Start date: 1 January 2026. Term: 24 months.", {"termLength": 12}, "2026-12-31"),
        ("Start date: 1 January 2026. Term: 24 months.", {"termLength": 24, "termAssumed": True}, None),
    ],
)
def test_a_term_ends_as_whoever_confirms_it_says(
    api: TestClient, context: Context, below: str, confirmed: dict[str, Any], end: str | None
) -> None:
    read = read_order(api, context, below)
    read["confirm"]["scopeTerm"] |= confirmed
    scope_id = api.post(f"/v1/scope/{read['scopeId']}/document/confirm", json=read["confirm"]).json()["id"]
    made = api.post("/v1/agreements/from-document", json={"scopeId": scope_id}).json()
    assert (made["termStart"], made.get("termEnd")) == ("2026-01-01", end)


def test_dates_that_contradict_each_other_are_left_out_and_listed(api: TestClient, context: Context) -> None:
    made = record(
        api,
        context,
        "Start date: 1 January 2026. End date: 31 December 2026.",
        "This order runs for 24 months.",
        "Either party may give notice 60 days before the end of the term.",
        months=24,
    )
    assert "termEnd" not in made
    assert "termEnd" in made["missing"]
    assert made["noticePeriod"] == {"value": 60, "unit": "day"}
    assert "noticeDeadline" not in made
    assert made["evidence"]["termEnd"]["text"] == (
        "31 December 2026 is stated, but 24 months from 1 January 2026 end on 31 December 2027"
    )


def test_only_a_confirmed_document_of_the_caller_becomes_an_agreement(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    read = read_order(api, context, *TERMS)
    refused = api.post("/v1/agreements/from-document", json={"scopeId": read["scopeId"]})
    assert refused.status_code == 409
    assert "confirm" in refused.json()["detail"]
    confirmed = api.post(f"/v1/scope/{read['scopeId']}/document/confirm", json=read["confirm"]).json()["id"]
    assert stranger.post("/v1/agreements/from-document", json={"scopeId": confirmed}).status_code == 400
    assert api.get("/v1/agreements").json()["data"] == []


def test_what_was_corrected_in_the_review_is_what_was_agreed(api: TestClient, context: Context) -> None:
    read = read_order(api, context, *TERMS)
    body = read["confirm"]
    [line] = body["lines"]
    line["productTerm"]["pricingDimensions"][0]["value"] = 12
    line["productTerm"]["finalPrice"] = 3000
    term = body["scopeTerm"] | {"termLength": 24, "endDate": "2027-12-31", "autoRenew": False}
    confirmed = api.post(
        f"/v1/scope/{read['scopeId']}/document/confirm", json={**body, "scopeTerm": term, "currency": "CAD"}
    ).json()
    made = api.post("/v1/agreements/from-document", json={"scopeId": confirmed["id"]}).json()
    assert (made["currency"], made["totalValue"], made["renewalType"]) == ("CAD", 3000, "none")
    assert (made["termStart"], made["termEnd"]) == ("2026-01-01", "2027-12-31")
    [agreed] = made["lines"]
    assert (agreed["quantity"], agreed["amount"], agreed.get("unitPrice")) == (12, 3000, None)
    assert not {"totalValue", "termEnd", "renewalType", "currency"} & made["evidence"].keys()
    assert made["evidence"]["termStart"]["page"] == 1
    start = {
        "supplier": {"name": "Northgate"},
        "contactName": "Bea",
        "contactEmail": "bea@acme.example",
        "engagementType": "strategy_only",
        "scope": {"scopeId": confirmed["id"]},
    }
    negotiation_id = api.post("/v1/negotiation/start", json=start).json()["negotiationId"]
    plan_negotiation(context, negotiation_id)
    timeline = api.get(f"/v1/negotiation/{negotiation_id}/timeline").json()
    assert "auto_renewal" not in {lever["kind"] for lever in timeline["strategy"]["levers"]}

    needed = api.post("/v1/requirements", json={"scopeId": confirmed["id"], "name": "Seats"}).json()
    assert [one["quantity"] for one in needed["lines"]] == [12]
    longer = {"name": "Seats", "currency": "CAD", "termMonths": 12, "lines": needed["lines"]}
    for one in longer["lines"]:
        one.pop("id")
    other = api.post("/v1/requirements", json=longer).json()
    api.post(f"/v1/requirements/{other['id']}/quotes", json={"scopeId": confirmed["id"]})
    [cell] = api.get(f"/v1/requirements/{other['id']}/matrix").json()["lines"][0]["cells"]
    assert (cell["comparable"], cell["reason"][:21]) == (False, "Quoted for 24 months,")


def test_what_is_paid_once_has_its_share_of_a_corrected_total(api: TestClient, context: Context) -> None:
    made = api.post(
        "/v1/catalog/entries",
        json={"supplier": {"name": "Works"}, "product": {"name": "Analytics", "unit": "user"}},
    ).json()
    [users] = api.get(f"/v1/catalog/products/{made['productId']}").json()["pricingDimensions"]
    content = (
        "Supplier,Works\nQuote number,Q-7\nDate,2026-06-02\nCurrency,USD\n\n"
        "Description,Quantity,Unit,Unit price,Amount\n"
        "Analytics subscription per year,10,user,900,9000\nSetup fee one-time,1,,1000,1000\nTotal,,,,10000\n"
    )
    files = {"file": ("quote.csv", content.encode())}
    scope_id = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
    extract_document(context, scope_id)
    term = {"productId": made["productId"], "pricingDimensions": [{"id": users["id"], "value": 10}]}
    body = {
        "scopeTerm": {"termLength": 12, "purchaseType": "new_purchase", "finalPrice": 8000},
        "lines": [
            {"index": 0, "role": "product", "productTerm": {**term, "finalPrice": 9000}},
            {"index": 1, "role": "not_product"},
        ],
    }
    confirmed = api.post(f"/v1/scope/{scope_id}/document/confirm", json=body)
    assert confirmed.status_code == 201, confirmed.text
    one = api.post("/v1/agreements/from-document", json={"scopeId": confirmed.json()["id"]}).json()
    assert (one["totalValue"], one["oneTimeValue"]) == (8000, 800)
