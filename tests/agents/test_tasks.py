"""Twenty tasks of buyers, each done by a script in at most three calls: the tools fit the tasks."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client

from app.agents.tool import MAX_TOKENS, count_result_tokens
from tests.agents.conftest import Deployed, answered, in_memory, run

MAX_CALLS = 3


@dataclass
class Script:
    """An agent that does one task, and counts what it calls."""

    agent: Client
    things: Any
    calls: int = 0

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        result = await self.agent.call_tool(tool, arguments)
        assert count_result_tokens(result) <= MAX_TOKENS
        return answered(result)

    async def read(self, uri: str) -> str:
        self.calls += 1
        return str((await self.agent.read_resource(uri)).contents[0])


async def which_products(script: Script) -> bool:
    """Which products of Works are on record?"""
    found = await script.call("find_products", words="works")
    return {one["name"] for one in found["products"]} >= {"Analytics Suite", "Report Pack"}


async def price_of_twenty(script: Script) -> bool:
    """What should 20 users of Analytics Suite cost for a year?"""
    return (
        1000
        < (await script.call("estimate_price", product="Analytics Suite", quantity=20))["total"]["p50"]
        < 3000
    )


async def price_for_two_years(script: Script) -> bool:
    """And for two years?"""
    one = await script.call("estimate_price", product="Analytics Suite", quantity=20)
    two = await script.call("estimate_price", product="Analytics Suite", quantity=20, term_months=24)
    return one["total"]["p50"] < two["total"]["p50"]


async def is_2500_too_much(script: Script) -> bool:
    """Is 2,500 for that too much?"""
    asked = {
        "product": "Analytics Suite",
        "quantity": 20,
        "options": {"Edition": "gold"},
        "asked_total": 2500,
    }
    return (await script.call("estimate_price", **asked))["verdict"]["word"] == "negotiate"


async def what_does_it_rest_on(script: Script) -> bool:
    """How many purchases does that rest on?"""
    return (await script.call("estimate_price", product="Analytics Suite", quantity=5))["evidence"][0][
        "purchases"
    ] == 12


async def found_then_priced(script: Script) -> bool:
    """What does the analytics thing of Works cost?"""
    (found,) = (await script.call("find_products", words="works analytics"))["products"]
    return bool((await script.call("estimate_price", product=found["productId"], quantity=5))["total"])


async def which_options(script: Script) -> bool:
    """Which editions of Analytics Suite are there?"""
    (found,) = (await script.call("find_products", words="analytics suite"))["products"]
    return "gold" in await script.read(f"parley://product/{found['productId']}")


async def is_the_quote_read(script: Script) -> bool:
    """What became of the quote that was handed in?"""
    return (await script.call("check_quote", scope=script.things["documentScopeId"]))["state"] == "not_priced"


async def what_is_unclear(script: Script) -> bool:
    """What must be answered before that quote can be judged?"""
    checked = await script.call("check_quote", scope=script.things["documentScopeId"])
    return "Is this Analytics Suite?" in checked["lines"][0]["question"]


async def where_it_stands(script: Script) -> bool:
    """What was read from it, and where does it stand?"""
    return "Analytics Suite" in await script.read(f"parley://scope/{script.things['documentScopeId']}")


async def purchases_behind_a_scope(script: Script) -> bool:
    """Which purchases are behind the estimate of our scope?"""
    await script.call("check_quote", scope=script.things["scopeId"])
    return "comparables" in await script.read(f"parley://estimate/{script.things['scopeId']}")


async def what_is_due(script: Script) -> bool:
    """What must be decided in the next quarter?"""
    due = await script.call("list_renewals", within_days=90)
    return "Seats of Zenith" in {one["name"] for one in due["agreements"]}


async def what_is_most_urgent(script: Script) -> bool:
    """What is most urgent, and why then?"""
    first = (await script.call("list_renewals", within_days=400))["agreements"][0]
    return bool((await script.call("get_agreement", agreement=first["agreementId"]))["summary"])


async def by_when(script: Script) -> bool:
    """By when must notice on Zenith's seats be given?"""
    return bool((await script.call("get_agreement", agreement="Seats of Zenith"))["noticeDeadline"])


async def what_is_not_known(script: Script) -> bool:
    """What do we not know of that agreement?"""
    return bool((await script.call("get_agreement", agreement="Seats of Zenith"))["missing"])


async def who_is_cheapest(script: Script) -> bool:
    """Whose quote for the analysts is the lowest as a whole?"""
    return "'Bolt'" in (await script.call("compare_quotes", requirement="Analysts 2027"))["summary"]


async def where_each_is_lowest(script: Script) -> bool:
    """In which lines is who lowest?"""
    return len((await script.call("compare_quotes", requirement="Analysts 2027"))["lines"][0]["lowest"]) == 1


async def what_a_split_saves(script: Script) -> bool:
    """What do we save by two suppliers instead of one?"""
    split = await script.call("run_award_scenario", requirement="Analysts 2027")
    single = await script.call("run_award_scenario", requirement="Analysts 2027", objective="cheapest_single")
    return float(single["total"]) - float(split["total"]) == 240


async def without_one(script: Script) -> bool:
    """And if Bolt drops out?"""
    award = await script.call("run_award_scenario", requirement="Analysts 2027", exclude_suppliers=["Bolt"])
    return bool(award["total"] == 1700)


async def suggest_a_counter(script: Script) -> bool:
    """Suggest a counter-offer, with the reason, to the person who negotiates."""
    price = await script.call("estimate_price", product="Analytics Suite", quantity=20)
    made = await script.call(
        "propose_decision",
        negotiation=script.things["negotiationId"],
        decision="counter",
        amount=price["total"]["p25"],
        reason=price["summary"],
    )
    return "people do that" in made["summary"]


TASKS: tuple[Callable[[Script], Awaitable[bool]], ...] = (
    which_products,
    price_of_twenty,
    price_for_two_years,
    is_2500_too_much,
    what_does_it_rest_on,
    found_then_priced,
    which_options,
    is_the_quote_read,
    what_is_unclear,
    where_it_stands,
    purchases_behind_a_scope,
    what_is_due,
    what_is_most_urgent,
    by_when,
    what_is_not_known,
    who_is_cheapest,
    where_each_is_lowest,
    what_a_split_saves,
    without_one,
    suggest_a_counter,
)


@pytest.mark.campaign
@pytest.mark.usefixtures("agreement", "requirement")
def test_each_task_is_done_in_at_most_three_calls(deployed: Deployed) -> None:
    async def do_all(agent: Client) -> list[str]:
        failed: list[str] = []
        for task in TASKS:
            script = Script(agent, deployed.things)
            if not await task(script) or script.calls > MAX_CALLS:
                failed.append(f"{task.__doc__} ({script.calls} calls)")
        return failed

    assert len(TASKS) == 20
    assert run(in_memory(deployed.url, deployed.key), do_all) == []
