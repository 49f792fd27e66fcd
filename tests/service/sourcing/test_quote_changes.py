"""Correcting and removing quotes of a requirement, and scenarios that rest on what they said before."""

from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.contract.sourcing import Scenario
from app.service.context import Context
from app.service.database.tables import scenario
from app.service.scopes.jobs import extract_document
from app.service.sourcing.document_quotes import read_quote
from app.service.sourcing.jobs import give_up_solving
from app.service.sourcing.store import update_scenario
from tests.service.sourcing.test_awarding import award
from tests.service.sourcing.test_document_quotes import FILE
from tests.service.sourcing.test_routes import quote, solve, state


def path_of(made: dict[str, Any]) -> str:
    return f"/v1/requirements/{made['requirementId']}/quotes/{made['id']}"


def change(api: TestClient, made: dict[str, Any], status: int = 200, **body: Any) -> dict[str, Any]:
    answer = api.patch(path_of(made), json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def outdated(api: TestClient, one: dict[str, Any]) -> list[str] | None:
    path = f"/v1/requirements/{one['requirementId']}/scenarios"
    read = api.get(f"{path}/{one['id']}").json()
    [listed] = (each for each in api.get(path).json()["data"] if each["id"] == one["id"])
    assert listed == read
    return read.get("outdated")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"fromQuantity": 20, "kind": "incremental"}, "for all units or incremental, not both"),
        ({"fromQuantity": 10}, "begin at different quantities"),
    ],
)
def test_price_breaks_that_contradict_each_other_are_refused(
    api: TestClient, other: dict[str, Any], reason: str
) -> None:
    requirement = state(api)
    steps = [{"fromQuantity": 10, "unitPrice": 80}, {"unitPrice": 70, **other}]
    line = {"description": "x", "quantity": 1, "unitPrice": 90, "recurring": "once", "breaks": steps}
    body = {"supplierName": "Alpha", "currency": "USD", "lines": [line]}
    answer = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert answer.status_code == 400
    [wrong] = answer.json()["errors"]
    assert (wrong["pointer"], reason in wrong["detail"]) == ("/lines/0/breaks", True)


@pytest.mark.campaign
def test_a_corrected_price_counts_and_earlier_scenarios_say_so(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20, validUntil="2030-01-31", minimumOrder=500)
    quote(api, requirement, "Beta", 90, 70, 20)
    before = solve(api, requirement, "cheapest_single")
    assert (before["total"], before["outdated"]) == (3400, [])
    first = alpha["lines"][0]["id"]
    breaks = [{"fromQuantity": 10, "unitPrice": 80}]
    changed = change(
        api,
        alpha,
        validUntil=None,
        paymentTermsDays=30,
        lines=[{"id": first, "unitPrice": 85, "breaks": breaks}],
    )
    assert "validUntil" not in changed
    assert (changed["paymentTermsDays"], changed["minimumOrder"]) == (30, 500)
    assert changed["lines"][0] == alpha["lines"][0] | {
        "unitPrice": 85,
        "breaks": [breaks[0] | {"kind": "all_units"}],
    }
    assert changed["lines"][1:] == alpha["lines"][1:]
    [listed, _] = api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"]
    assert listed == changed
    assert outdated(api, before) == ["The quote of Alpha was changed."]
    after = solve(api, requirement, "cheapest_single")
    assert (after["total"], outdated(api, after)) == (3000, [])
    award(api, requirement, 409, scenarioId=before["id"])
    change(
        api,
        alpha,
        **{
            "validUntil": "2030-01-31",
            "paymentTermsDays": None,
            "lines": [{"id": first, "unitPrice": 100, "breaks": None}],
        },
    )
    assert outdated(api, before) == [], "it is as it was"


def test_a_scenario_that_is_being_solved_is_the_answer_and_one_that_was_given_up_is_not(
    api: TestClient, context: Context
) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    made = solve(api, requirement, "cheapest_split")
    with context.database.writing() as connection:
        update_scenario(connection, Scenario.model_validate(made | {"status": "solving"}))
    path = f"/v1/requirements/{requirement['id']}/scenarios"
    again = api.post(path, json={"objective": "cheapest_split"})
    assert (again.status_code, again.json()["id"], "outdated" in again.json()) == (202, made["id"], False)
    give_up_solving(context, made["id"], "the worker ended")
    assert solve(api, requirement, "cheapest_split")["id"] != made["id"]


def test_a_removed_quote_is_gone_and_scenarios_name_it(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 20)
    before = solve(api, requirement, "cheapest_split")
    answer = api.delete(path_of(alpha))
    assert (answer.status_code, answer.json()) == (200, {"id": alpha["id"]})
    assert api.delete(path_of(alpha)).status_code == 404
    quote(api, requirement, "Gamma", 1, 1, 1)
    assert outdated(api, before) == ["The quote of Alpha was removed.", "A quote of Gamma was added."]
    assert api.get(f"/v1/requirements/{requirement['id']}").json()["quoteCount"] == 2
    award(api, requirement, 409, scenarioId=before["id"])


@pytest.mark.campaign
def test_a_doubt_that_is_confirmed_makes_a_scenario_one_of_before(api: TestClient) -> None:
    requirement = state(api)
    lines = [{"description": "Analytics and seats", "quantity": 10, "unitPrice": 5, "recurring": "once"}]
    [doubtful] = quote(api, requirement, "Delta", 0, 0, 1, lines=lines)["lines"]
    assert doubtful["alignment"] == "doubtful"
    before = solve(api, requirement, "cheapest_split")
    path = f"/v1/requirements/{requirement['id']}/alignment"
    decided = {"quoteLineId": doubtful["id"], "requirementLineId": doubtful["requirementLineId"]}
    assert api.put(path, json={"lines": [decided]}).status_code == 200
    assert outdated(api, before) == ["The quote of Delta was changed."]


def test_of_a_scenario_from_before_nothing_is_said(api: TestClient, context: Context) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    before = solve(api, requirement, "cheapest_split")
    with context.database.writing() as connection:
        connection.execute(scenario.update().values(basis=sa.null()))
    assert outdated(api, before) is None


def test_what_was_awarded_stays_as_it_was_decided_on(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20)
    beta = quote(api, requirement, "Beta", 190, 170, 120)
    award(api, requirement, scenarioId=solve(api, requirement, "cheapest_split")["id"], make="agreements")
    said = "Alpha was awarded lines of this quote, so it stays as it was decided on."
    assert change(api, alpha, 409, minimumOrder=1)["detail"] == said
    moved = {"quoteLineId": alpha["lines"][0]["id"], "requirementLineId": None}
    path = f"/v1/requirements/{requirement['id']}/alignment"
    for answer in (api.delete(path_of(alpha)), api.put(path, json={"lines": [moved]})):
        assert (answer.status_code, answer.json()["detail"]) == (409, said)
    assert api.delete(path_of(beta)).status_code == 200, "it got nothing"


@pytest.mark.campaign
def test_a_quote_of_a_document_says_what_was_changed_by_hand(api: TestClient, context: Context) -> None:
    scope_id = api.post("/v1/scope/from-document", files={"file": ("a.csv", FILE.encode())}).json()["scopeId"]
    extract_document(context, scope_id)
    requirement = api.post("/v1/requirements", json={"scopeId": scope_id}).json()
    [read] = api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"]
    line = {"id": read["lines"][0]["id"], "quantity": 7}
    changed = change(api, read, supplierName="Another", lines=[line])
    assert changed["supplierName"] == "Another"
    [said] = set(changed["warnings"]) - set(read["warnings"])
    assert said.endswith("was changed by hand: its document says otherwise.")
    assert change(api, read, lines=[line])["warnings"] == changed["warnings"]
    for currency in ("EUR", "CHF"):
        said = change(api, read, currency=currency)["warnings"]
        assert [one for one in said if "currency" in one] == [
            "It was in USD; the currency was changed by hand."
        ]
    back = [{"id": line["id"], "quantity": read["lines"][0]["quantity"]}]
    assert change(api, read, currency="USD", lines=back)["warnings"] == read["warnings"]
    assert api.delete(path_of(read)).status_code == 200
    assert api.get(f"/v1/scope/{scope_id}").status_code == 200


def test_what_a_person_has_said_of_a_quote_is_asked_no_more(api: TestClient, context: Context) -> None:
    """Whether its lines are paid again, which its document does not say."""
    scope_id = api.post("/v1/scope/from-document", files={"file": ("a.csv", FILE.encode())}).json()["scopeId"]
    extract_document(context, scope_id)
    requirement = api.post("/v1/requirements", json={"scopeId": scope_id, "termMonths": 36}).json()
    [read] = api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"]
    assert any("of 2 of its lines nobody knows" in one for one in read["warnings"])
    lines = [{"id": line["id"], "recurring": "year"} for line in read["lines"]]
    warnings = change(api, read, lines=lines[:1])["warnings"]
    assert any("of 1 of its lines nobody knows" in one for one in warnings)
    assert not any("nobody knows" in one for one in change(api, read, lines=lines[1:])["warnings"])


@pytest.mark.campaign
def test_a_quote_that_is_being_read_is_not_changed_and_may_be_removed(
    api: TestClient, context: Context
) -> None:
    requirement = state(api)
    stored = api.post("/v1/files/upload", files={"file": ("a.csv", FILE.encode())}).json()["id"]
    begun = api.post(f"/v1/requirements/{requirement['id']}/quotes", json={"fileId": stored}).json()
    assert "is still being read" in change(api, begun, 409, minimumOrder=1)["detail"]
    assert api.delete(path_of(begun)).status_code == 200
    read_quote(context, begun["scopeId"])
    assert api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"] == []


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"supplierName": None}, "/supplierName"),
        ({"lines": [{"id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "quantity": 1}]}, "/lines/0/id"),
        ({"lines": [{"id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "quantity": 0}]}, "/lines/0/quantity"),
        ({"lines": [{"id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "unitPrice": -1}]}, "/lines/0/unitPrice"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_names_its_place(
    api: TestClient, body: dict[str, Any], pointer: str
) -> None:
    made = quote(api, state(api), "Alpha", 100, 50, 20)
    problem = change(api, made, 400, **body)
    assert problem["errors"][0]["pointer"] == pointer
    twice = {"lines": [{"id": made["lines"][0]["id"], "quantity": 1}] * 2}
    assert change(api, made, 400, **twice)["errors"][0]["pointer"] == "/lines/0/id"


@pytest.mark.campaign
def test_another_organisation_changes_nothing(api: TestClient, stranger: TestClient) -> None:
    made = quote(api, state(api), "Alpha", 100, 50, 20)
    change(stranger, made, 404, minimumOrder=1)
    assert stranger.delete(path_of(made)).status_code == 404
    own = quote(stranger, state(stranger), "Own", 1, 1, 1)
    other = {**made, "requirementId": own["requirementId"]}
    change(stranger, other, 404, minimumOrder=1)
    assert stranger.delete(path_of(other)).status_code == 404
