"""What comparable purchases say of the lines of a requirement, in its table."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.contract.sourcing import Requirement
from app.service.access.keys import find_organisation
from app.service.context import Context
from app.service.database.tables import article, company
from app.service.sourcing.market import estimate_market
from tests.service.pricing.scope_requests import imported, product, row
from tests.service.sourcing.test_routes import quote, state


def needs(sold: str | None, description: str = "Blue Analytics", quantity: int = 10) -> dict[str, Any]:
    line = {"description": description, "quantity": quantity, "unit": "user", "mustHave": True}
    return line if sold is None else {**line, "productId": sold}


def read_market(api: TestClient, requirement: dict[str, Any]) -> list[dict[str, Any]]:
    matrix = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    return [line["market"] for line in matrix["lines"]]


def test_a_line_with_a_product_has_the_estimate_of_its_purchases(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(n, buyer=f"buyer {n % 4}") for n in range(12)])
    requirement = state(api, lines=[needs(product(api)["id"]), needs(None)])
    high = quote(api, requirement, "Alpha", 2_400, 700)
    quote(api, requirement, "Beta", 1_200, 0)
    known, unknown = read_market(api, requirement)
    # 100 a user and month, for 10 users and 24 months.
    assert known["recurring"] == "month"
    assert 95 < known["unitPrice"] < 105
    assert known["percentile25"] <= known["median"] <= known["percentile75"]
    assert known["median"] == 24_000
    assert known["purchases"] == 12
    assert known["converted"] == 0
    assert "It rests on 12 purchases" in known["statement"]
    assert "sample data" not in known["statement"]
    positions = {one["quoteLineId"]: one["position"] for one in known["verdicts"]}
    assert len(positions) == 2
    assert positions[high["lines"][0]["id"]] == "negotiate"
    steps = {one["quoteLineId"]: one["nextStep"] for one in known["verdicts"]}
    asked = steps[high["lines"][0]["id"]]
    assert asked["action"] == "ask"
    assert asked["amount"] <= known["percentile25"]
    assert unknown == {
        "verdicts": [],
        "statement": "Not known which product: the line names none of the catalog.",
    }
    aligned = [{"quoteLineId": high["lines"][1]["id"], "requirementLineId": None}]
    answer = api.put(f"/v1/requirements/{requirement['id']}/alignment", json={"lines": aligned})
    assert [line["market"] for line in answer.json()["lines"]] == [known, unknown]
    with context.database.writing() as connection:
        for table in (company, article):
            connection.execute(table.update().values(sample=True))
    assert "sample data" in read_market(api, requirement)[0]["statement"]


@pytest.mark.campaign
def test_too_few_purchases_of_others_are_not_shown_and_own_ones_to_nobody_else(
    api: TestClient, stranger: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(n, buyer="City") for n in range(3)])
    sold = product(api)["id"]
    [refused] = read_market(api, state(api, lines=[needs(sold)]))
    assert refused["statement"] == "Fewer than 5 comparable purchases."
    assert "median" not in refused
    assert "unitPrice" not in refused
    imported(context, tmp_path, [row(n + 50, price=70) for n in range(3)], organisation="Acme")
    [own] = read_market(api, state(api, lines=[needs(sold)]))
    [foreign] = read_market(stranger, state(stranger, lines=[needs(sold)]))
    assert own["median"] == 70 * 240
    assert own["purchases"] == 3
    assert foreign == refused


def test_there_is_no_verdict_where_the_rule_withholds_it(
    api: TestClient, context: Context, tmp_path: Path
) -> None:
    imported(context, tmp_path, [row(n, buyer=f"buyer {n % 4}") for n in range(12)])
    requirement = state(api, lines=[needs(product(api)["id"])])
    quote(api, requirement, "Alpha", 90)
    [market] = read_market(api, requirement)
    [verdict] = market["verdicts"]
    assert verdict["position"] == "withheld"
    assert "of the median" in verdict["statement"]


def test_lines_beyond_the_time_of_the_processor_say_so(
    api: TestClient, context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(context, tmp_path, [row(n, buyer=f"buyer {n % 4}") for n in range(12)])
    made = Requirement.model_validate(state(api, lines=[needs(product(api)["id"])]))
    monkeypatch.setattr("app.service.sourcing.market.PROCESSOR_SECONDS", -1)
    with context.database.reading() as connection:
        owner = find_organisation(connection, "Acme")
        found = estimate_market(connection, owner, made, [], date(2026, 11, 1))
    assert found[made.lines[0].id].median is None
    assert found[made.lines[0].id].statement.startswith("Not estimated: ")
