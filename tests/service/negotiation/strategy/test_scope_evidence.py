"""The numbers are for what the estimate covers; what a document says comes with the scope, however one
starts."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.negotiation.assessment.test_offer_assessment import NAMES, numbers, waiting
from tests.service.negotiation.negotiation_driver import Desk
from tests.service.negotiation.test_attachments import attach, offers, quote_document

SETUP = ("Onboarding workshop on site", 1, 100.0)
OTHER = ("Zyxwv Hyperledger Appliance", 1, 9000.0)
CAP = "Any increase of the fees at renewal is limited to a maximum of 6 %."


def from_scope(desk: Desk, quote: bytes) -> str:
    """From the scope that the document is read into."""
    answer = desk.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)})
    desk.work()
    return desk.planned(scope={"scopeId": answer.json()["scopeId"]})


def from_file(desk: Desk, quote: bytes) -> str:
    """From the file alone."""
    file_id = desk.api.post("/v1/files/upload", files={"file": ("q.docx", quote)}).json()["id"]
    negotiation_id = desk.start(scope=None, file={"fileId": file_id})
    desk.work()
    desk.clock.step(seconds=1)
    desk.fire()
    desk.work()
    return negotiation_id


def from_follow_up(desk: Desk, quote: bytes) -> str:
    """From a scope that follows the one that was read."""
    answer = desk.api.post("/v1/scope/from-document", files={"file": ("q.docx", quote)})
    desk.work()
    read = desk.get(f"/v1/scope/{answer.json()['scopeId']}")
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
    made = desk.api.post("/v1/scope", json=body)
    assert made.status_code == 201, made.text
    return desk.planned(scope={"scopeId": made.json()["id"]})


WAYS: list[Callable[[Desk, bytes], str]] = [from_scope, from_file, from_follow_up]


@pytest.mark.parametrize("start", WAYS)
def test_a_small_part_that_is_not_estimated_is_taken_as_quoted(
    desk: Desk, start: Callable[[Desk, bytes], str]
) -> None:
    plain = numbers(desk, desk.planned())
    negotiation_id = start(desk, quote_document(users=10, unit_price=140, more=[SETUP]))
    with_setup = numbers(desk, negotiation_id)
    assert with_setup == {name: pytest.approx(plain[name] + 100) for name in NAMES}
    strategy = desk.timeline(negotiation_id)["strategy"]
    assert "covers 93 % of this quote (1 of 2 lines)" in strategy["coverage"]
    assert "100 USD is taken from the quote as it stands" in strategy["target"]["reason"]
    assert offers(desk, negotiation_id) == [1500]


@pytest.mark.parametrize("start", WAYS)
def test_where_little_is_covered_there_are_no_numbers_of_ours_and_typed_ones_do(
    desk: Desk, start: Callable[[Desk, bytes], str]
) -> None:
    negotiation_id = start(desk, quote_document(users=10, unit_price=90, more=[OTHER]))
    assert numbers(desk, negotiation_id) == {}
    asked = waiting(desk, negotiation_id)["no_estimate"]
    assert "The estimate covers 9 % of this quote (1 of 2 lines)." in asked["description"]
    assert "Type a target" in asked["description"]
    desk.update(negotiation_id, "strategy", target=9000, walkAway=9500, note="The budget")
    assert set(waiting(desk, negotiation_id)) >= {"quote_above_walk_away"}
    assert "no_estimate" not in waiting(desk, negotiation_id)


def test_an_attached_offer_of_which_little_is_asked_for_is_not_judged_by_the_numbers(desk: Desk) -> None:
    negotiation_id = desk.planned()
    attach(desk, negotiation_id, quote_document(users=10, unit_price=90, more=[OTHER]))
    desk.work()
    asked = waiting(desk, negotiation_id)
    assert not {"quote_above_walk_away", "quote_above_target", "quote_within_target"} & set(asked)
    assert "9 % (1 of 2 lines)" in asked["evidence_thin"]["description"]


@pytest.mark.parametrize("start", WAYS)
def test_the_clauses_come_with_the_document_whichever_way_one_starts(
    desk: Desk, start: Callable[[Desk, bytes], str]
) -> None:
    negotiation_id = start(desk, quote_document())
    levers = {one["kind"]: one for one in desk.timeline(negotiation_id)["strategy"]["levers"]}
    assert "raises the price by 7 %" in levers["uplift"]["statement"]
    median = desk.timeline(negotiation_id)["strategy"]["median"]
    assert levers["uplift"]["worth"] == pytest.approx(0.07 * median, abs=1)
    assert "7 % of" in levers["uplift"]["basis"]
    assert "90 days" in levers["auto_renewal"]["statement"]
    assert "7 %" in waiting(desk, negotiation_id)["contract_clause"]["description"]


def test_a_cap_protects_and_is_no_clause_that_costs(desk: Desk) -> None:
    negotiation_id = from_scope(desk, quote_document(clause=CAP))
    levers: dict[str, Any] = {one["kind"]: one for one in desk.timeline(negotiation_id)["strategy"]["levers"]}
    assert "uplift" not in levers
    assert "caps the rise at renewal at 6 %" in levers["uplift_cap"]["statement"]
    clause = waiting(desk, negotiation_id).get("contract_clause", {"description": ""})
    assert "6 %" not in clause["description"]
