"""Sourcing over HTTP: a requirement, three quotes, their table, and whom to award what."""

from typing import Any

import pytest
from starlette.testclient import TestClient

LINE = {"description": "x", "quantity": 1, "unitPrice": 1, "recurring": "once"}
LINES = ("Analytics seats", "Support desk seats", "Data storage")


def state(api: TestClient, **others: Any) -> dict[str, Any]:
    """A requirement of three lines of 10 each, for two years, in US dollars."""
    lines = [{"description": name, "quantity": 10, "unit": "seat", "mustHave": True} for name in LINES]
    body = {"name": "Tools", "currency": "USD", "termMonths": 24, "lines": lines, **others}
    answer = api.post("/v1/requirements", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def quote(
    api: TestClient, requirement: dict[str, Any], name: str, *prices: float, **others: Any
) -> dict[str, Any]:
    """A quote with yearly prices for the lines of the requirement, none for a price of 0."""
    lines = [
        {
            "requirementLineId": line["id"],
            "description": line["description"],
            "quantity": line["quantity"],
            "unitPrice": price,
            "recurring": "year",
        }
        for line, price in zip(requirement["lines"], prices, strict=True)
        if price
    ]
    body = {"supplierName": name, "currency": "USD", "lines": lines, **others}
    answer = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def solve(api: TestClient, requirement: dict[str, Any], objective: str, **others: Any) -> dict[str, Any]:
    path = f"/v1/requirements/{requirement['id']}/scenarios"
    answer = api.post(path, json={"objective": objective, **others})
    assert answer.status_code == 201, answer.text
    assert api.get(answer.headers["Location"]).json() == answer.json()
    return answer.json()


def test_a_split_is_found_and_compared_with_the_best_supplier(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    quote(api, requirement, "Beta", 90, 70, 20)
    quote(api, requirement, "Gamma", 0, 40, 30)
    split = solve(api, requirement, "cheapest_split")
    assert (split["status"], split["total"], split["bound"], split["gap"]) == ("optimal", 3000, 3000, 0)
    assert [one["supplierName"] for one in split["award"]] == ["Beta", "Gamma", "Alpha"]
    assert sum(one["amount"] for one in split["award"]) == split["total"]
    single = solve(api, requirement, "cheapest_single")
    assert (single["total"], {one["supplierName"] for one in single["award"]}) == (3400, {"Alpha"})
    assert single["costs"] == [{"constraint": "One supplier", "amount": 400, "proven": True}]
    assert "singleSupplier" not in single
    beside = {"supplierName": "Alpha", "total": 3400, "saving": 400, "proven": True}
    assert split["singleSupplier"] == beside
    quote(api, requirement, "Delta", 80, 39, 15)
    assert "singleSupplier" not in solve(api, requirement, "cheapest_split")


def test_a_split_that_no_supplier_could_have_alone_says_so(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 0, 20)
    quote(api, requirement, "Beta", 0, 70, 0)
    assert solve(api, requirement, "cheapest_split")["singleSupplier"] == {"proven": True}


def test_the_table_adds_up_and_says_why_a_cell_does_not_count(api: TestClient) -> None:
    requirement = state(api, discountRate=10)
    alpha = quote(api, requirement, "Alpha", 100.01, 50, 20)
    beta = quote(api, requirement, "Beta", 90, 0, 20, validUntil="2020-01-31", currency="EUR")
    gamma = quote(api, requirement, "Gamma", 99, 40, 0, discounts=[{"fromAmount": 2_000, "percent": 10}])
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    columns = {one["supplierName"]: one for one in table["quotes"]}
    cells = {(line["line"]["id"], cell["quoteId"]): cell for line in table["lines"] for cell in line["cells"]}
    for made in (alpha, beta, gamma):
        column = columns[made["supplierName"]]
        counted = [cell for (_, one), cell in cells.items() if one == made["id"] and cell["comparable"]]
        assert column["total"] == pytest.approx(sum(cell["amount"] for cell in counted), abs=1e-9)
        assert column["total"] == pytest.approx(sum(column["years"]), abs=1e-9)
    assert (columns["Alpha"]["total"], columns["Alpha"]["linesAnswered"]) == (3400.2, 3)
    assert columns["Alpha"]["presentValue"] == pytest.approx(1700.1 * (1 + 1 / 1.1), abs=0.02)
    assert (columns["Beta"]["total"], columns["Beta"]["expired"], columns["Beta"].get("rate")) == (
        0,
        True,
        None,
    )
    assert columns["Gamma"]["discount"] == 278
    first = [cell for cell in table["lines"][0]["cells"] if cell["quoteId"] == beta["id"]]
    assert first[0]["reason"] == "Quoted in EUR; there is no exchange rate to USD."
    lowest = [one["quoteId"] for line in table["lines"] for one in line["cells"] if one["lowest"]]
    assert lowest == [gamma["id"], gamma["id"]]  # of the third line only one quote can be compared
    assert table["lines"][1]["gaps"] == [beta["id"]]
    excluded = solve(api, requirement, "cheapest_split")["excluded"]
    assert excluded == [{"what": "Beta", "why": "The quote expired on 31 January 2020."}]


def test_lines_are_aligned_by_what_they_say_and_doubts_wait_for_a_person(api: TestClient) -> None:
    requirement = state(api)
    lines = [
        {"description": text, "quantity": 10, "unitPrice": 5, "recurring": "once"}
        for text in ("Storage of data", "Seats for analytics", "Onboarding workshop")
    ]
    made = quote(api, requirement, "Delta", 0, 0, 1, lines=lines)
    ids = {line["id"]: line["description"] for line in requirement["lines"]}
    aligned = {line["description"]: ids.get(line.get("requirementLineId", "")) for line in made["lines"]}
    assert aligned == {
        "Storage of data": "Data storage",
        "Seats for analytics": "Analytics seats",
        "Onboarding workshop": None,
    }
    workshop = next(line for line in made["lines"] if line["description"] == "Onboarding workshop")
    decided = [
        {"quoteLineId": line["id"], "requirementLineId": line["requirementLineId"]}
        for line in made["lines"]
        if "requirementLineId" in line
    ] + [{"quoteLineId": workshop["id"], "requirementLineId": requirement["lines"][1]["id"]}]
    path = f"/v1/requirements/{requirement['id']}/alignment"
    table = api.put(path, json={"lines": decided}).json()
    assert {cell["alignment"] for line in table["lines"] for cell in line["cells"]} == {"confirmed"}
    assert table["quotes"][0]["linesAnswered"] == 3
    wrong = api.put(path, json={"lines": [{"quoteLineId": requirement["id"]}]})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/lines/0/quoteLineId")


def test_constraints_that_contradict_are_named(api: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 0, 20)
    beta = quote(api, requirement, "Beta", 0, 70, 20, minimumOrder=5_000)
    found = solve(api, requirement, "cheapest_split")
    assert found["status"] == "infeasible"
    assert "total" not in found
    assert found["contradiction"] == [
        "“Support desk seats” must be had",
        "Beta takes orders from USD 5,000.00 on",
    ]
    by_hand = solve(api, requirement, "by_hand", award=[beta["lines"][0]["id"]])
    assert by_hand["status"] == "infeasible"
    assert "“Analytics seats” must be had" in by_hand["contradiction"]


def test_an_award_by_hand_is_measured_against_the_best(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20, leadTimeDays=30)
    quote(api, requirement, "Beta", 90, 70, 20, leadTimeDays=5)
    award = [line["id"] for line in alpha["lines"]]
    by_hand = solve(api, requirement, "by_hand", award=award)
    assert (by_hand["status"], by_hand["total"], by_hand["bound"], by_hand["gap"]) == (
        "gap",
        3400,
        3200,
        5.88,
    )
    earliest = solve(api, requirement, "earliest")
    assert (earliest["total"], {one["supplierName"] for one in earliest["award"]}) == (3600, {"Beta"})
    twice = {"objective": "by_hand", "award": [award[0], award[0]]}
    path = f"/v1/requirements/{requirement['id']}/scenarios"
    assert api.post(path, json=twice).status_code in {201, 400}
    missing = api.post(path, json={"objective": "cheapest_split", "award": award})
    assert (missing.status_code, missing.json()["errors"][0]["pointer"]) == (400, "/award")


@pytest.mark.campaign
def test_asked_again_while_no_quote_has_changed_the_listed_scenario_is_the_answer(api: TestClient) -> None:
    requirement = state(api)
    alpha = quote(api, requirement, "Alpha", 100, 50, 20)
    beta = quote(api, requirement, "Beta", 90, 70, 20)
    path = f"/v1/requirements/{requirement['id']}/scenarios"
    limits = {"keepQuotes": [alpha["id"], beta["id"]], "maxShare": 80, "excludedQuotes": []}
    asked = {"objective": "cheapest_split", "constraints": limits}
    by_hand = {"objective": "by_hand", "award": [line["id"] for line in alpha["lines"]]}
    first, typed = api.post(path, json=asked), api.post(path, json=by_hand)
    reordered = {"keepQuotes": [beta["id"], alpha["id"]], "maxShare": 80.0}
    again = api.post(path, json={"objective": "cheapest_split", "constraints": reordered})
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() == api.get(again.headers["Location"]).json()
    assert api.post(path, json=by_hand | {"award": by_hand["award"][::-1]}).json() == typed.json()
    others = [
        {"objective": "cheapest_single"},
        {"objective": "cheapest_split"},
        asked | {"constraints": {"maxShare": 81}},
        {"objective": "by_hand", "award": [line["id"] for line in beta["lines"]]},
    ]
    assert [api.post(path, json=other).status_code for other in others] == [201] * 4
    quote(api, requirement, "Gamma", 80, 80, 80)
    after = api.post(path, json=asked)
    assert after.status_code == 201
    assert api.post(path, json=asked).json()["id"] == after.json()["id"] != first.json()["id"]
    assert api.get(path).json()["pagination"]["total"] == 7


def test_another_organisation_sees_nothing_of_it(api: TestClient, stranger: TestClient) -> None:
    requirement = state(api)
    quote(api, requirement, "Alpha", 100, 50, 20)
    scenario = solve(api, requirement, "cheapest_split")
    path = f"/v1/requirements/{requirement['id']}"
    assert stranger.get("/v1/requirements").json()["pagination"]["total"] == 0
    for one in ("", "/quotes", "/matrix", "/scenarios", f"/scenarios/{scenario['id']}"):
        assert stranger.get(path + one).status_code == 404
    assert stranger.post(f"{path}/scenarios", json={"objective": "cheapest_split"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"currency": None}, "/currency"),
        ({"supplierName": None}, "/supplierName"),
        ({"lines": None}, "/lines"),
        ({"lines": [{**LINE, "quantity": 0}]}, "/lines/0/quantity"),
        ({"lines": [{**LINE, "unitPrice": -1}]}, "/lines/0/unitPrice"),
    ],
)
def test_a_quote_that_says_too_little_or_what_cannot_be_is_refused(
    api: TestClient, change: dict[str, Any], pointer: str
) -> None:
    requirement = state(api)
    body = {"supplierName": "A", "currency": "USD", "lines": [LINE], **change}
    body = {name: value for name, value in body.items() if value is not None}
    answer = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert answer.status_code == 400
    assert pointer in [one["pointer"] for one in answer.json()["errors"]]
    assert api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"] == []
