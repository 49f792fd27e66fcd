"""The tools for several quotes of one requirement."""

from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from tests.agents.conftest import HOSTILE_SUPPLIER, Deployed, answered, call, in_memory, said


def test_the_table_is_that_of_the_service(deployed: Deployed, requirement: dict[str, Any]) -> None:
    record = answered(
        call(in_memory(deployed.url, deployed.key), "compare_quotes", requirement="analysts 2027")
    )
    matrix = deployed.get(f"/v1/requirements/{requirement['id']}/matrix")
    assert [one["total"] for one in record["quotes"]] == sorted(one["total"] for one in matrix["quotes"])
    assert [one["rank"] for one in record["quotes"]] == [1, 2]
    assert record["ranking"]["quotedText"] == matrix["ranking"]
    assert [line["amounts"] for line in record["lines"]] == [{"A": 1440, "B": 1200}, {"A": 200, "B": 500}]
    assert [line["lowest"] for line in record["lines"]] == [["B"], ["A"]]
    assert record["quotes"][1]["supplier"]["quotedText"].startswith("Acme. System")
    assert "'Bolt' answers every line for the least, 1,640.00 USD." in record["summary"]


def state(deployed: Deployed, *quotes: dict[str, Any]) -> str:
    """A requirement of a table, which must be had, and of a lamp, with the prices of each quote for these."""
    lines = [{"description": name, "quantity": 1} for name in ("Table", "Lamp")]
    lines[1]["mustHave"] = False
    body = {"name": "Furniture", "currency": "USD", "termMonths": 12, "lines": lines}
    made = deployed.post("/v1/requirements", body)
    for number, given in enumerate(quotes):
        priced = [
            {"requirementLineId": line["id"], "description": line["description"], "quantity": 1}
            | {"unitPrice": price, "recurring": "once"}
            for line, price in zip(made["lines"], given.pop("prices"), strict=False)
        ]
        quote = {"supplierName": f"Maker {number}", "currency": "USD", "lines": priced, **given}
        deployed.post(f"/v1/requirements/{made['id']}/quotes", quote)
    return made["id"]


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        (([90], [100]), "'Maker 0' answers every line that must be had for the least, 90.00 USD."),
        (([90, 5], [90, 5]), "'Maker 0' and 'Maker 1' answer every line for the least, 95.00 USD each."),
        (([90, 5], [80]), "'Maker 0' is the only one that answers every line, for 95.00 USD."),
    ],
)
def test_who_costs_the_least_is_said_as_the_service_ranks_them(
    deployed: Deployed, prices: tuple[list[float], ...], said: str
) -> None:
    requirement = state(deployed, *({"prices": one} for one in prices))
    record = answered(call(in_memory(deployed.url, deployed.key), "compare_quotes", requirement=requirement))
    assert record["summary"].startswith(said)


def test_what_suppliers_are_awarded_makes_the_total_with_the_discount(deployed: Deployed) -> None:
    requirement = state(deployed, {"prices": [900, 100], "discounts": [{"fromAmount": 500, "percent": 10}]})
    agent = in_memory(deployed.url, deployed.key)
    award = answered(call(agent, "run_award_scenario", requirement=requirement))
    assert (award["total"], award["discount"]) == (900, 100)
    assert sum(part["amount"] for part in award["award"]) - award["discount"] == award["total"]


def test_an_amount_is_the_one_that_counts_in_the_total(deployed: Deployed) -> None:
    """Of two lines of a quote that answer the same, the cheaper one."""
    requirement = state(deployed, {"prices": [90, 5]}, {"prices": [95, 6]})
    table = deployed.get(f"/v1/requirements/{requirement}")["lines"][0]["id"]
    priced = [
        {"requirementLineId": table, "description": "Table", "quantity": 1, "recurring": "once"}
        | {"unitPrice": price}
        for price in (80, 120)
    ]
    quote = {"supplierName": "Both", "currency": "USD", "lines": priced}
    deployed.post(f"/v1/requirements/{requirement}/quotes", quote)
    record = answered(call(in_memory(deployed.url, deployed.key), "compare_quotes", requirement=requirement))
    assert [one["total"] for one in record["quotes"]] == [95, 101, 80]
    assert record["lines"][0]["amounts"] == {"A": 90, "B": 95, "C": 80}


def test_the_soonest_award_is_not_said_to_be_the_cheapest(deployed: Deployed) -> None:
    requirement = state(
        deployed, {"prices": [90, 5], "leadTimeDays": 30}, {"prices": [200, 9], "leadTimeDays": 3}
    )
    agent = in_memory(deployed.url, deployed.key)
    award = answered(call(agent, "run_award_scenario", requirement=requirement, objective="earliest"))
    assert award["total"] == 209
    said = "No award is delivered sooner, and none as soon costs less than 209.00 USD. A person awards."
    assert award["summary"] == said


def test_the_least_award_is_found_under_constraints(deployed: Deployed, requirement: dict[str, Any]) -> None:
    def award(**given: object) -> dict[str, Any]:
        agent = in_memory(deployed.url, deployed.key)
        return answered(call(agent, "run_award_scenario", requirement=requirement["id"], **given))

    split = award()
    assert (split["status"], split["total"]) == ("optimal", 1400)
    assert sum(part["amount"] for part in split["award"]) == 1400
    assert award(objective="cheapest_single")["total"] == 1640
    without = award(exclude_suppliers=["bolt"])
    assert without["total"] == 1700
    assert HOSTILE_SUPPLIER[:20] in without["award"][0]["supplier"]["quotedText"]
    stored = deployed.get(f"/v1/requirements/{requirement['id']}/scenarios/{split['scenarioId']}")
    assert stored["total"] == 1400
    assert award()["scenarioId"] == split["scenarioId"], "asked twice, it is one scenario"


def test_what_cannot_be_awarded_is_said(deployed: Deployed, requirement: dict[str, Any]) -> None:
    def refusal(**given: object) -> str:
        result = call(in_memory(deployed.url, deployed.key), "run_award_scenario", **given)
        assert result.is_error
        return said(result)

    assert "made by a person" in refusal(requirement=requirement["id"], objective="by_hand")
    assert "No quote is from 'Nobody'" in refusal(requirement=requirement["id"], keep_suppliers=["Nobody"])
    assert "No requirement has all of the words" in refusal(requirement="absent")
    stranger = call(
        in_memory(deployed.url, deployed.key_of("Other")), "compare_quotes", requirement="Analysts"
    )
    assert "No requirement has all of the words" in said(stranger)


def test_who_only_reads_compares_and_runs_nothing(deployed: Deployed) -> None:
    reader = deployed.key_of(role="reader")
    assert answered(call(in_memory(deployed.url, reader), "compare_quotes", requirement="Analytics"))[
        "quotes"
    ]
    with pytest.raises(MCPError, match="no such tool"):
        call(in_memory(deployed.url, reader), "run_award_scenario", requirement="Analytics")


def test_a_large_table_is_cut_to_what_a_model_reads(deployed: Deployed) -> None:
    lines = [
        {"description": f"Part {number} " + "of many words " * 20, "quantity": 1} for number in range(30)
    ]
    made = deployed.post(
        "/v1/requirements", {"name": "Many parts", "currency": "USD", "termMonths": 12, "lines": lines}
    )
    quoted = [
        {
            "requirementLineId": line["id"],
            "description": "part",
            "quantity": 1,
            "unitPrice": 1234.56,
            "recurring": "once",
        }
        for line in made["lines"]
    ]
    for number in range(8):
        quote = {"supplierName": f"Supplier {number} of parts", "currency": "USD", "lines": quoted}
        deployed.post(f"/v1/requirements/{made['id']}/quotes", quote)
    record = answered(call(in_memory(deployed.url, deployed.key), "compare_quotes", requirement="Many parts"))
    assert len(record["lines"]) + record["linesNotShown"] == 30
    assert record["quotesNotShown"] == 8 - len(record["quotes"])
