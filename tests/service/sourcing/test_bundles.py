"""What comes with a bundle is paid before tax; one of which something cannot be compared is not awarded."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.service.sourcing.test_routes import LINES, quote, solve, state

EXTRA = {
    "description": "Onboarding",
    "quantity": 1,
    "unitPrice": 120,
    "recurring": "once",
    "bundleId": "start",
}
WHOLE = {"wholeBundles": True}


def offer(api: TestClient, requirement: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """A quote whose first line is USD 2,000 in a bundle with others; that of another supplier costs 3,000."""
    quote(api, requirement, "Beta", 150, 50, 50)
    first, *others = requirement["lines"]
    lines: list[dict[str, Any]] = [
        {"requirementLineId": line["id"], "description": line["description"], "quantity": 10}
        | {"unitPrice": 100, "recurring": "year"}
        for line in (first, *others)
    ]
    lines[0]["bundleId"] = "start"
    body = {"supplierName": "Alpha", "currency": "USD", "lines": [*lines, extra | {"bundleId": "start"}]}
    answer = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("extra", "total"),
    [
        ({}, 4_120),
        ({"taxIncluded": True, "taxPercent": 20}, 4_100),
        ({"recurring": "term", "termMonths": 24}, 4_120),
        ({"recurring": "month", "unitPrice": 10}, 4_240),
    ],
)
def test_what_comes_with_a_bundle_is_paid_before_tax_and_for_the_term(
    api: TestClient, extra: dict[str, Any], total: float
) -> None:
    requirement = state(api)
    offer(api, requirement, EXTRA | extra)
    solved = solve(api, requirement, "cheapest_split", constraints=WHOLE)
    assert (solved["status"], solved["total"]) == ("optimal", total)
    assert len(solved["award"]) == 4


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        (
            {"taxIncluded": True},
            "Its price includes a tax whose rate is not known",
        ),
        ({"recurring": "term", "termMonths": 12}, "Quoted for 12 months, and 24"),
        ({"answers": 1}, "Quoted for 1, and 10 are needed"),
    ],
)
def test_a_bundle_of_which_something_cannot_be_compared_is_not_awarded_whole(
    api: TestClient, extra: dict[str, Any], why: str
) -> None:
    requirement = state(api)
    line = EXTRA | extra
    if (place := line.pop("answers", None)) is not None:
        line["requirementLineId"] = requirement["lines"][place]["id"]
    offer(api, requirement, line)
    solved = solve(api, requirement, "cheapest_split", constraints=WHOLE)
    assert (solved["status"], solved["total"]) == ("optimal", 5_000)
    [said] = [one["why"] for one in solved["excluded"] if one["what"] == f"Alpha: {LINES[0]}"]
    assert said.startswith(f"“Onboarding” comes with it. {why}")
    assert solve(api, requirement, "cheapest_split")["total"] == 4_000
