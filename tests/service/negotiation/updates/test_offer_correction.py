"""An offer can be corrected or withdrawn. The timeline keeps both; only the corrected offer counts."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.service.negotiation.jobs import recalculate_strategy
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_offer_assessment import waiting


@pytest.mark.campaign
def test_after_a_withdrawn_offer_the_one_before_is_assessed_again(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 9000, external_id="first")
    driver.clock.advance(hours=1)
    driver.quote(negotiation_id, 300, external_id="typo")
    assert "quote_within_target" in waiting(driver, negotiation_id)
    driver.update(negotiation_id, "correction", externalId="typo", withdrawn=True, note="For somebody else")
    assert list(waiting(driver, negotiation_id)) == ["quote_above_walk_away"]
    (listed,) = driver.get("/v1/negotiation")["data"]
    assert (listed["quoted"], listed["bestOffer"]) == (9000, 9000)
    entries = {
        entry["externalId"]: entry
        for entry in driver.timeline(negotiation_id)["entries"]
        if "externalId" in entry
    }
    assert entries["typo"]["status"] == "withdrawn"
    assert "status" not in entries["first"]
    (correction,) = (one for one in entries.values() if one["kind"] == "correction")
    assert correction["corrects"] == entries["typo"]["id"]
    driver.update(negotiation_id, "correction", 409, externalId="typo", amount=5)


@pytest.mark.campaign
def test_a_corrected_offer_is_assessed_with_its_new_values(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 90000, external_id="q", validUntil="2026-12-30")
    driver.update(negotiation_id, "correction", externalId="q", amount=900, note="A zero too many")
    assert list(waiting(driver, negotiation_id)) == ["quote_within_target"]
    assert driver.timeline(negotiation_id)["bestOffer"] == 900
    driver.update(negotiation_id, "correction", externalId="q", amount=5000)
    assert "5,000" in waiting(driver, negotiation_id)["quote_above_walk_away"]["description"]
    driver.update(negotiation_id, "agreement", amount=4000, currency="USD")
    assert driver.summary(negotiation_id)["executiveSummaries"][0]["figures"]["savings"] == 1000


def test_an_offer_without_an_external_id_is_corrected_by_its_entry_id(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned(scope=driver.market.scope(finalPrice=700))
    (entry,) = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "quote")
    driver.update(negotiation_id, "correction", externalId=entry["id"], withdrawn=True)
    assert driver.escalations(negotiation_id) == []
    assert "quoted" not in driver.get("/v1/negotiation")["data"][0]
    driver.message(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=600, currency="USD")
    against = [one["against"] for one in driver.timeline(negotiation_id)["measures"]]
    assert "first_offer" not in against


def test_a_correction_of_no_offer_is_refused_with_its_pointer(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000, external_id="q")
    before = driver.timeline(negotiation_id)
    for payload, place in (
        ({"externalId": "other", "amount": 5}, "externalId"),
        ({"externalId": "q"}, "amount"),
        ({"externalId": "q", "amount": 0}, "amount"),
        ({"externalId": "q", "withdrawn": True, "amount": 5}, "withdrawn"),
        ({"externalId": "q", "withdrawn": False}, "withdrawn"),
    ):
        answer = driver.update(negotiation_id, "correction", 422, **payload)
        assert answer.json()["errors"][0]["pointer"] == f"/payload/{place}"
    elsewhere = driver.update(negotiation_id, "correction", 422, source="else", externalId="q", amount=5)
    assert elsewhere.json()["errors"][0]["pointer"] == "/payload/externalId"
    assert driver.timeline(negotiation_id) == before


def strategy(driver: NegotiationDriver, negotiation_id: str) -> dict[str, float]:
    shown = driver.timeline(negotiation_id)["strategy"]
    return {name: shown[name]["amount"] for name in ("opening", "target", "walkAway")}


def test_numbers_that_were_capped_at_a_wrong_figure_are_made_again(driver: NegotiationDriver) -> None:
    right = driver.start_planned(scope=driver.market.scope(finalPrice=9000))
    wrong = driver.start_planned(scope=driver.market.scope(finalPrice=90))
    assert set(strategy(driver, wrong).values()) == {90}
    [entry] = (one for one in driver.timeline(wrong)["entries"] if one["kind"] == "quote")
    driver.update(wrong, "correction", externalId=entry["id"], amount=9000, note="Two zeros too few")
    driver.run_tasks()
    recalculate_strategy(driver.context, wrong)  # as after a crash
    assert strategy(driver, wrong) == strategy(driver, right)
    told = [one["text"] for one in driver.timeline(wrong)["entries"] if one["kind"] == "strategy"]
    assert len(told) == 1
    assert told[0].startswith("An offer was corrected")
    assert list(waiting(driver, wrong)) == list(waiting(driver, right))


def test_a_price_that_turns_out_to_be_for_another_term_caps_no_number(driver: NegotiationDriver) -> None:
    without = driver.start_planned()
    wrong = driver.start_planned(scope=driver.market.scope(finalPrice=90))
    [entry] = (one for one in driver.timeline(wrong)["entries"] if one["kind"] == "quote")
    driver.update(wrong, "correction", externalId=entry["id"], termLength=1, note="A price per month")
    driver.run_tasks()
    assert strategy(driver, wrong) == strategy(driver, without)


@pytest.mark.campaign
def test_a_correction_leaves_typed_numbers_and_later_offers_change_none(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned(scope=driver.market.scope(finalPrice=90))
    driver.update(negotiation_id, "strategy", opening=40, target=50, walkAway=60, note="Our budget")
    [entry] = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "quote")
    driver.update(negotiation_id, "correction", externalId=entry["id"], amount=9000)
    driver.run_tasks()
    assert strategy(driver, negotiation_id) == {"opening": 40, "target": 50, "walkAway": 60}
    other = driver.start_planned()
    before = strategy(driver, other)
    driver.quote(other, 9000, external_id="late")
    driver.update(other, "correction", externalId="late", amount=90)
    driver.run_tasks()
    assert strategy(driver, other) == before


def test_what_was_decided_about_a_wrong_figure_is_asked_again(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 90000, external_id="q")
    driver.update(negotiation_id, "decision", decision="counter", amount=700)
    driver.update(negotiation_id, "correction", externalId="q", amount=9000, note="A zero too many")
    assert "9,000" in waiting(driver, negotiation_id)["quote_above_walk_away"]["description"]
    kinds = [one["kind"] for one in driver.timeline(negotiation_id)["entries"]]
    assert "decision" in kinds
    assert "correction" in kinds


def test_an_offer_behind_an_agreement_is_corrected_by_nobody(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 9000, external_id="q")
    driver.update(negotiation_id, "agreement", amount=8000, currency="USD")
    refused = driver.update(negotiation_id, "correction", 409, externalId="q", amount=90)
    assert "start a new negotiation" in refused.json()["detail"]
    assert driver.timeline(negotiation_id)["measures"][0]["baseline"] == 9000


@pytest.mark.campaign
def test_two_people_who_correct_at_once_are_both_on_record_and_the_last_one_counts(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 90000, external_id="q")
    path = f"/v1/negotiation/{negotiation_id}/external-update"

    def correct(amount: int) -> int:
        body = {
            "timestamp": f"{driver.clock():%Y-%m-%dT%H:%M:%SZ}",
            "externalId": str(amount),
            "source": "test",
            "schema": {"$id": "urn:svc:correction:1"},
            "payload": {"externalId": "q", "amount": amount, "note": "A zero too many"},
        }
        return driver.api.post(path, json=body).status_code

    with ThreadPoolExecutor(4) as people:
        assert list(people.map(correct, (9000, 9001, 9002, 9003))) == [204] * 4
    entries = driver.timeline(negotiation_id)["entries"]
    corrections = sorted((one for one in entries if one["kind"] == "correction"), key=lambda one: one["id"])
    assert {one["amount"] for one in corrections} == {9000, 9001, 9002, 9003}
    assert driver.get("/v1/negotiation")["data"][0]["quoted"] == corrections[-1]["amount"]
    waits = waiting(driver, negotiation_id)
    assert list(waits) == ["quote_above_walk_away"]
    assert f"{corrections[-1]['amount']:,}" in waits["quote_above_walk_away"]["description"]
