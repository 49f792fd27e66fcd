"""The numbers are for what the estimate covers; what a document says comes with the scope, however one
starts."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_attachments import attach, offers, quote_document
from tests.service.negotiation.test_offer_assessment import NAMES, numbers, waiting

pytestmark = pytest.mark.campaign

SETUP = ("Onboarding workshop on site", 1, 100.0)
OTHER = ("Zyxwv Hyperledger Appliance", 1, 9000.0)
CAP = "Any increase of the fees at renewal is limited to a maximum of 6 %."


def from_scope(driver: NegotiationDriver, quote: bytes) -> str:
    """From the scope that the document is read into."""
    answer = driver.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)})
    driver.run_tasks()
    return driver.start_planned(scope={"scopeId": answer.json()["scopeId"]})


def from_file(driver: NegotiationDriver, quote: bytes) -> str:
    """From the file alone."""
    file_id = driver.api.post("/v1/files/upload", files={"file": ("q.docx", quote)}).json()["id"]
    negotiation_id = driver.start(scope=None, file={"fileId": file_id})
    driver.run_tasks()
    driver.clock.advance(seconds=1)
    driver.fire_timers()
    driver.run_tasks()
    return negotiation_id


def from_follow_up(driver: NegotiationDriver, quote: bytes) -> str:
    """From a scope that follows the one that was read."""
    answer = driver.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)})
    driver.run_tasks()
    read = driver.get(f"/v1/scope/{answer.json()['scopeId']}")
    body = {
        "previousScopeId": read["id"],
        "scopeTerms": read["scopeTerms"],
        "productTerms": [
            {
                "productId": term["productId"],
                "finalPrice": term["finalPrice"],
                "pricingDimensions": [
                    {"id": one["id"], "value": one["value"]} for one in term["pricingDimensions"]
                ],
            }
            for term in read["productTerms"]
        ],
    }
    made = driver.api.post("/v1/scope", json=body)
    assert made.status_code == 201, made.text
    return driver.start_planned(scope={"scopeId": made.json()["id"]})


WAYS: list[Callable[[NegotiationDriver, bytes], str]] = [from_scope, from_file, from_follow_up]


@pytest.mark.parametrize("start", WAYS)
def test_a_small_part_without_estimate_counts_as_quoted(
    driver: NegotiationDriver, start: Callable[[NegotiationDriver, bytes], str]
) -> None:
    plain = numbers(driver, driver.start_planned())
    negotiation_id = start(driver, quote_document(users=10, unit_price=140, more=[SETUP]))
    with_setup = numbers(driver, negotiation_id)
    assert with_setup == {name: pytest.approx(plain[name] + 100) for name in NAMES}
    strategy = driver.timeline(negotiation_id)["strategy"]
    assert "covers 93 % of this quote (1 of 2 lines)" in strategy["coverage"]
    assert "USD 100 of it is taken unchanged from the quote" in strategy["target"]["reason"]
    assert offers(driver, negotiation_id) == [1500]


@pytest.mark.parametrize("start", WAYS)
def test_with_little_coverage_there_are_no_numbers_but_typed_ones_work(
    driver: NegotiationDriver, start: Callable[[NegotiationDriver, bytes], str]
) -> None:
    negotiation_id = start(driver, quote_document(users=10, unit_price=90, more=[OTHER]))
    assert numbers(driver, negotiation_id) == {}
    asked = waiting(driver, negotiation_id)["no_estimate"]
    assert "The estimate covers 9 % of this quote (1 of 2 lines)." in asked["description"]
    assert "Enter a target" in asked["description"]
    driver.update(negotiation_id, "strategy", target=9000, walkAway=9500, note="The budget")
    assert set(waiting(driver, negotiation_id)) >= {"quote_above_walk_away"}
    assert "no_estimate" not in waiting(driver, negotiation_id)


def test_an_attached_offer_mostly_outside_the_scope_is_not_compared_with_the_numbers(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    attach(driver, negotiation_id, quote_document(users=10, unit_price=90, more=[OTHER]))
    driver.run_tasks()
    asked = waiting(driver, negotiation_id)
    assert not {"quote_above_walk_away", "quote_above_target", "quote_within_target"} & set(asked)
    assert "9 % (1 of 2 lines)" in asked["evidence_thin"]["description"]


@pytest.mark.parametrize("start", WAYS)
def test_the_clauses_of_the_document_are_used_however_the_negotiation_starts(
    driver: NegotiationDriver, start: Callable[[NegotiationDriver, bytes], str]
) -> None:
    negotiation_id = start(driver, quote_document())
    levers = {one["kind"]: one for one in driver.timeline(negotiation_id)["strategy"]["levers"]}
    assert "raises the price by 7 %" in levers["uplift"]["statement"]
    median = driver.timeline(negotiation_id)["strategy"]["median"]
    assert levers["uplift"]["worth"] == pytest.approx(0.07 * median, abs=1)
    assert "7 % of" in levers["uplift"]["basis"]
    assert "90 days" in levers["auto_renewal"]["statement"]
    assert "7 %" in waiting(driver, negotiation_id)["contract_clause"]["description"]


def test_a_cap_is_a_lever_and_not_a_costly_clause(driver: NegotiationDriver) -> None:
    negotiation_id = from_scope(driver, quote_document(clause=CAP))
    levers: dict[str, Any] = {
        one["kind"]: one for one in driver.timeline(negotiation_id)["strategy"]["levers"]
    }
    assert "uplift" not in levers
    assert "caps the increase at renewal at 6 %" in levers["uplift_cap"]["statement"]
    clause = waiting(driver, negotiation_id).get("contract_clause", {"description": ""})
    assert "6 %" not in clause["description"]
