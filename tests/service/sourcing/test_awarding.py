"""Awarding a requirement: negotiations or agreements for all that get something, once, or nothing."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.scopes.jobs import extract_document
from tests.service.sourcing.test_document_quotes import FILE
from tests.service.sourcing.test_routes import quote, solve, state

DECIDED = {
    "reason": "The cheapest.",
    "decidedBy": "B. Uyer",
    "contactName": "B. Uyer",
    "contactEmail": "b@example.com",
}


def award(api: TestClient, requirement: dict[str, Any], status: int = 201, **body: Any) -> dict[str, Any]:
    answer = api.post(f"/v1/requirements/{requirement['id']}/award", json={**DECIDED, **body})
    assert answer.status_code == status, answer.text
    return answer.json()


def count(api: TestClient, path: str) -> int:
    return api.get(path).json()["pagination"]["total"]


def test_each_awarded_quote_gets_a_negotiation_once(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 0)
    scenario = solve(api, requirement, "cheapest_split")
    made = award(api, requirement, scenarioId=scenario["id"])
    assert made["total"] == scenario["total"] == sum(one["amount"] for one in made["quotes"])
    assert (made["decidedBy"], made["reason"], made["make"]) == ("B. Uyer", "The cheapest.", "negotiations")
    for one in made["quotes"]:
        summary = api.get(f"/v1/negotiation/{one['negotiationId']}/summary")
        assert summary.status_code == 200
        assert one["notes"][0].startswith(f"{one['supplierName']} is known by its name alone")
    assert award(api, requirement, 200, scenarioId=scenario["id"]) == made
    assert count(api, "/v1/negotiation") == 2
    read = api.get(f"/v1/requirements/{requirement['id']}").json()
    assert (read["status"], read["award"]) == ("awarded", made)
    other = solve(api, requirement, "cheapest_single")
    award(api, requirement, 409, scenarioId=other["id"])


def test_agreements_hold_what_was_awarded_to_the_cent(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100.01, 50, 20, discounts=[{"fromAmount": 1_000, "percent": 3}])
    scenario = solve(api, requirement, "cheapest_split")
    made = award(api, requirement, scenarioId=scenario["id"], make="agreements")
    [one] = made["quotes"]
    agreement = api.get(f"/v1/agreements/{one['agreementId']}").json()
    assert agreement["totalValue"] == one["amount"] == scenario["total"]
    assert api.delete(f"/v1/agreements/{agreement['id']}").status_code == 200
    kept = {name: value for name, value in one.items() if name != "agreementId"}
    assert api.get(f"/v1/requirements/{requirement['id']}").json()["award"] == {**made, "quotes": [kept]}
    listed = sum(round(line["amount"] * 100) for line in agreement["lines"])
    assert listed == round(scenario["total"] * 100) + round(scenario["discount"] * 100)
    assert (
        f"A volume discount of USD {scenario['discount']:,.2f} is in its total and not in its lines."
        in one["notes"]
    )


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("needed_by", "begins", "months", "term"),
    [
        ("2027-01-31", None, 24, ("2027-01-31", "2029-01-30")),
        ("2027-01-31", "2027-03-01", 12, ("2027-03-01", "2028-02-29")),
        (None, "2027-01-01", 1, ("2027-01-01", "2027-01-31")),
        (None, None, 36, (None, None)),
    ],
)
def test_an_agreement_runs_for_the_term_of_the_requirement(
    api: TestClient,
    needed_by: str | None,
    begins: str | None,
    months: int,
    term: tuple[str | None, str | None],
) -> None:
    requirement = state(api, termMonths=months, **({"neededBy": needed_by} if needed_by else {}))
    quote(api, requirement, "Alpha", 100, 50, 20)
    scenario = solve(api, requirement, "cheapest_split")
    first_day: dict[str, Any] = {"termStart": begins} if begins else {}
    [one] = award(api, requirement, scenarioId=scenario["id"], make="agreements", **first_day)["quotes"]
    agreement = api.get(f"/v1/agreements/{one['agreementId']}").json()
    assert (agreement.get("termStart"), agreement.get("termEnd")) == term
    assert ("termEnd" in agreement["missing"]) == (term[1] is None)
    assert any(f"{months} month" in note for note in one["notes"])


def test_a_quote_of_a_scope_is_negotiated_with_that_scope(api: TestClient, context: Context) -> None:
    scope_id = api.post("/v1/scope/from-document", files={"file": ("a.csv", FILE.encode())}).json()["scopeId"]
    extract_document(context, scope_id)
    requirement = api.post("/v1/requirements", json={"scopeId": scope_id}).json()
    [quoted] = api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"]
    made = award(api, requirement, award=[line["id"] for line in quoted["lines"]])
    assert [one["scopeId"] for one in made["quotes"]] == [scope_id]
    [listed] = api.get("/v1/negotiation").json()["data"]
    assert listed["scopeId"] == scope_id


@pytest.mark.parametrize(
    "change",
    [
        {"discounts": [{"fromAmount": 0, "percent": 10}]},
        {"currency": "EUR"},
        {"lines": [{"unitPrice": 80}]},
    ],
)
def test_a_quote_that_was_corrected_is_not_negotiated_with_what_its_scope_asks(
    api: TestClient, context: Context, change: dict[str, Any]
) -> None:
    content = FILE.replace(" USD", "") if "currency" in change else FILE
    files = {"file": ("a.csv", content.encode())}
    scope_id = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
    extract_document(context, scope_id)
    needed = {"currency": change.get("currency", "USD"), "scopeId": scope_id}
    requirement = api.post("/v1/requirements", json=needed).json()
    path = f"/v1/requirements/{requirement['id']}/quotes"
    [quoted] = api.get(path).json()["data"]
    changed = [{**one, "id": quoted["lines"][0]["id"]} for one in change.get("lines", ())]
    body = {**change, "lines": changed} if changed else change
    assert api.patch(f"{path}/{quoted['id']}", json=body).status_code == 200
    [one] = award(api, requirement, award=[line["id"] for line in quoted["lines"]])["quotes"]
    assert "Its lines are no scope, so the negotiation asks for one before it can be planned." in one["notes"]
    [listed] = api.get("/v1/negotiation").json()["data"]
    assert "scopeId" not in one
    assert "scopeId" not in listed


def test_what_is_awarded_is_the_product_that_its_own_quote_names(api: TestClient, context: Context) -> None:
    scopes, products = dict[str, str](), dict[str, str]()
    for seller, price in (("Alder", 95), ("Birch", 90)):
        name = f"{seller} Analytics"
        entry = {
            "supplier": {"name": f"{seller} Ltd"},
            "product": {"name": name, "unit": "seat"},
            "confirmNew": True,
        }
        products[seller] = api.post("/v1/catalog/entries", json=entry).json()["productId"]
        head = f"Supplier,{seller} Ltd\nCurrency,USD\n\nDescription,Quantity,Unit,Unit price,Amount\n"
        content = f"{head}{name},10,seat,{price}.00,{price}0.00\n"
        files = {"file": (f"{seller}.csv", content.encode())}
        scopes[seller] = api.post("/v1/scope/from-document", files=files).json()["scopeId"]
        extract_document(context, scopes[seller])
    requirement = api.post("/v1/requirements", json={"scopeId": scopes["Alder"]}).json()
    [needed] = requirement["lines"]
    assert needed["productId"] == products["Alder"]
    path = f"/v1/requirements/{requirement['id']}"
    other = api.post(f"{path}/quotes", json={"scopeId": scopes["Birch"]}).json()
    aligned = {"quoteLineId": other["lines"][0]["id"], "requirementLineId": needed["id"]}
    assert api.put(f"{path}/alignment", json={"lines": [aligned]}).status_code == 200
    [one] = award(api, requirement, award=[aligned["quoteLineId"]], make="agreements")["quotes"]
    agreement = api.get(f"/v1/agreements/{one['agreementId']}").json()
    assert [line["productId"] for line in agreement["lines"]] == [products["Birch"]]


def test_an_award_that_no_longer_stands_makes_nothing(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20)
    scenario = solve(api, requirement, "cheapest_split")
    path = f"/v1/requirements/{requirement['id']}/alignment"
    moved = {"quoteLineId": alpha["lines"][0]["id"], "requirementLineId": None}
    assert api.put(path, json={"lines": [moved]}).status_code == 200
    problem = award(api, requirement, 409, scenarioId=scenario["id"])
    assert "have changed since the scenario was solved" in problem["detail"]
    by_hand = award(api, requirement, 409, award=[alpha["lines"][1]["id"]])
    assert "“Analytics seats” must be had" in by_hand["detail"]
    assert count(api, "/v1/negotiation") == 0
    assert count(api, f"/v1/requirements/{requirement['id']}/scenarios") == 1


@pytest.mark.campaign
@pytest.mark.parametrize("change", ["another quote", "a removed quote", "an expired quote"])
def test_a_scenario_that_rests_on_other_quotes_is_not_awarded(api: TestClient, change: str) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    beta = quote(api, requirement, "Beta", 900, 700, 200)
    scenario = solve(api, requirement, "cheapest_split")
    path = f"/v1/requirements/{requirement['id']}/quotes"
    if change == "another quote":
        quote(api, requirement, "Gamma", 90, 40, 10)
    elif change == "a removed quote":
        assert api.delete(f"{path}/{beta['id']}").status_code == 200
    else:
        assert api.patch(f"{path}/{beta['id']}", json={"validUntil": "2020-01-31"}).status_code == 200
    award(api, requirement, 409, scenarioId=scenario["id"])
    assert count(api, "/v1/negotiation") == 0
    again = solve(api, requirement, "cheapest_split")
    assert award(api, requirement, scenarioId=again["id"])["total"] == again["total"]


@pytest.mark.campaign
def test_a_failure_half_way_leaves_nothing(api: TestClient, context: Context) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 0)
    quote(api, requirement, "Beta", 0, 0, 20)
    scenario = solve(api, requirement, "cheapest_split")
    context.settings.max_agreements = 1
    award(api, requirement, 409, scenarioId=scenario["id"], make="agreements")
    assert count(api, "/v1/agreements") == 0
    assert api.get(f"/v1/requirements/{requirement['id']}").json()["status"] == "open"


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({}, "/scenarioId"),
        ({"award": [], "make": "agreements"}, "/award"),
        ({"scenarioId": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "contactEmail": None}, "/contactEmail"),
        ({"scenarioId": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "reason": ""}, "/reason"),
    ],
)
def test_an_award_that_says_too_little_is_refused(
    api: TestClient, change: dict[str, Any], pointer: str
) -> None:
    requirement = state(api)
    body = {name: value for name, value in {**DECIDED, **change}.items() if value is not None}
    answer = api.post(f"/v1/requirements/{requirement['id']}/award", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


def test_another_organisation_awards_nothing(api: TestClient, stranger: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    scenario = solve(api, requirement, "cheapest_split")
    award(stranger, requirement, 404, scenarioId=scenario["id"])
    award(stranger, state(stranger), 404, scenarioId=scenario["id"])


def test_what_is_paid_once_is_not_paid_again_by_the_agreement(api: TestClient) -> None:
    requirement = state(api)
    made = quote(api, requirement, "Alpha", 100, 50, 50, discounts=[{"fromAmount": 1_000, "percent": 10}])
    once = [{"id": made["lines"][0]["id"], "unitPrice": 200, "recurring": "once"}]
    path = f"/v1/requirements/{requirement['id']}"
    assert api.patch(f"{path}/quotes/{made['id']}", json={"lines": once}).status_code == 200
    scenario = solve(api, requirement, "cheapest_split")
    made = award(api, requirement, scenarioId=scenario["id"], make="agreements", termStart="2027-01-01")
    [one] = made["quotes"]
    agreement = api.get(f"/v1/agreements/{one['agreementId']}").json()
    # 2,000 once and 2,000 in two years, less a tenth of each.
    assert (agreement["totalValue"], agreement["oneTimeValue"]) == (3_600, 1_800)
    assert agreement["annualizedValue"] == pytest.approx(900, abs=2)


def test_an_award_in_another_currency_is_negotiated_about_what_is_bought(api: TestClient) -> None:
    seller = {"supplier": {"name": "Works"}, "product": {"name": "Analytics seats", "unit": "seat"}}
    product_id = api.post("/v1/catalog/entries", json=seller).json()["productId"]
    line = {"description": "Seats", "quantity": 10, "unit": "seat", "productId": product_id, "mustHave": True}
    requirement = state(api, currency="EUR", lines=[line])
    made = quote(api, requirement, "Works", 90, currency="EUR")
    [one] = award(api, requirement, award=[made["lines"][0]["id"]])["quotes"]
    assert "Its scope was made of the products that are awarded." in one["notes"]
    scope_id = api.get(f"/v1/negotiation/{one['negotiationId']}/summary").json()["scope"]["id"]
    [scope] = api.get("/v1/scope").json()["data"]
    assert (scope["id"], scope["currency"], scope["scopeTerms"][0]["finalPrice"]) == (scope_id, "EUR", 1800)
