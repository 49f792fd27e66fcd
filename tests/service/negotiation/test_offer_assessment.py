"""Offers are compared with the three numbers and never change them; a person does, with a note."""

from typing import Any

import pytest
import sqlalchemy as sa

from app.service.database.tables import purchase
from tests.service.negotiation.market_fixture import add_purchases
from tests.service.negotiation.negotiation_driver import NegotiationDriver

NAMES = ("opening", "target", "walkAway")


def numbers(driver: NegotiationDriver, negotiation_id: str) -> dict[str, float]:
    strategy = driver.timeline(negotiation_id)["strategy"]
    return {name: strategy[name]["amount"] for name in NAMES if name in strategy}


def waiting(driver: NegotiationDriver, negotiation_id: str) -> dict[str, dict[str, Any]]:
    return {one["reason"]: one for one in driver.escalations(negotiation_id)}


def counter_in(escalation: dict[str, Any]) -> float:
    (amount,) = (one["amount"] for one in escalation["options"] if one["decision"] == "counter")
    return amount


@pytest.mark.campaign
@pytest.mark.parametrize("share", [1.2, 1.6])
def test_the_verdict_on_a_quote_asks_for_what_its_negotiation_asks_for(
    driver: NegotiationDriver, share: float
) -> None:
    negotiation_id = driver.start_planned()
    target = numbers(driver, negotiation_id)["target"]
    quoted = round(share * target, 2)
    body = {**driver.market.scope(), "quoted": quoted}
    verdict = driver.api.post("/v1/pricing/preview", json=body).json()["verdict"]
    assert verdict["nextStep"]["action"] == "ask"
    driver.quote(negotiation_id, quoted)
    (escalation,) = driver.escalations(negotiation_id)
    assert verdict["nextStep"]["amount"] == counter_in(escalation)
    assert verdict["target"] == target
    assert verdict["reasons"][0] in escalation["description"]


@pytest.mark.campaign
def test_offers_do_not_change_the_numbers_and_the_best_offer_is_shown(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = numbers(driver, negotiation_id)
    for amount in (5000, 400, 2000):
        driver.quote(negotiation_id, amount)
        assert numbers(driver, negotiation_id) == before
    timeline = driver.timeline(negotiation_id)
    assert timeline["bestOffer"] == 400
    in_force = [
        {name: entry[name] for name in NAMES} for entry in timeline["entries"] if entry["kind"] == "quote"
    ]
    assert in_force == [before] * 3
    (listed,) = driver.get("/v1/negotiation")["data"]
    assert (listed["quoted"], listed["bestOffer"], listed["firstQuoted"]) == (2000, 400, 5000)
    assert listed["target"] == before["target"]


@pytest.mark.campaign
def test_every_offer_above_the_target_has_a_decision_with_a_counter(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "strategy", target=1100, walkAway=1300, note="Room to move")
    target, walk_away = (numbers(driver, negotiation_id)[name] for name in ("target", "walkAway"))
    driver.quote(negotiation_id, walk_away + 100)
    assert counter_in(waiting(driver, negotiation_id)["quote_above_walk_away"]) <= target
    between = (target + walk_away) / 2
    driver.quote(negotiation_id, round(between, 2))
    asked = waiting(driver, negotiation_id)["quote_above_target"]
    assert asked["recommended"] == "counter"
    first = counter_in(asked)
    driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    driver.quote(negotiation_id, round(between, 2) - 1)
    second = counter_in(waiting(driver, negotiation_id)["quote_above_target"])
    assert first < second <= target


@pytest.mark.campaign
def test_a_person_changes_the_numbers_with_a_note(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = numbers(driver, negotiation_id)
    driver.quote(negotiation_id, 5000)
    (old,) = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "strategy", target=4000, walkAway=4500, note="Only one supplier is left")
    after = driver.timeline(negotiation_id)
    assert numbers(driver, negotiation_id) == {**before, "target": 4000, "walkAway": 4500}
    assert after["strategy"]["target"]["origin"] == "typed"
    assert "Only one supplier is left" in after["strategy"]["target"]["reason"]
    assert after["strategy"]["opening"]["origin"] == "estimate"
    (entry,) = (one for one in after["entries"] if one["kind"] == "strategy")
    assert "→ USD 4,000" in entry["text"]
    assert entry["text"].endswith("Only one supplier is left")
    assert entry["target"] == 4000
    (new,) = driver.escalations(negotiation_id)
    assert new["id"] != old["id"]
    assert "4,500" in new["description"]
    driver.quote(negotiation_id, 3900)
    assert "quote_within_target" in waiting(driver, negotiation_id)


@pytest.mark.campaign
def test_numbers_out_of_order_are_refused_with_their_pointers(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = driver.timeline(negotiation_id)
    wrong: list[tuple[dict[str, Any], list[str]]] = [
        ({"target": 1, "note": "x"}, ["/payload/target"]),
        ({"opening": 9, "target": 8, "walkAway": 10, "note": "x"}, ["/payload/opening", "/payload/target"]),
        ({"target": 900}, ["/payload/note"]),
        ({"target": 900, "note": " "}, ["/payload/note"]),
        ({"note": "x"}, ["/payload/opening", "/payload/target", "/payload/walkAway"]),
        ({"target": 900, "currency": "EUR", "note": "x"}, ["/payload/currency"]),
    ]
    for payload, places in wrong:
        answer = driver.update(negotiation_id, "strategy", 422, **payload)
        assert [one["pointer"] for one in answer.json()["errors"]] == places
    assert driver.timeline(negotiation_id) == before
    driver.update(negotiation_id, "cancellation")
    driver.update(negotiation_id, "strategy", 409, target=900, note="x")


def test_without_an_estimate_offers_are_compared_with_the_typed_numbers(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned(scope=None, supplier={"name": "Nobody knows them"})
    (question,) = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "decision", decision="go_ahead", escalationId=question["id"])
    driver.update(negotiation_id, "strategy", target=900, walkAway=1000, note="The budget", currency="EUR")
    strategy = driver.timeline(negotiation_id)["strategy"]
    assert {strategy[name]["origin"] for name in NAMES} == {"typed"}
    assert strategy["opening"]["amount"] == 900
    assert strategy["opening"]["reason"] == "No opening was entered: it equals the target."
    assert "unavailable" not in strategy
    driver.quote(negotiation_id, 1200, currency="EUR")
    assert counter_in(waiting(driver, negotiation_id)["quote_above_walk_away"]) == 900
    driver.update(negotiation_id, "agreement", amount=880, currency="EUR")
    (listed,) = driver.get("/v1/negotiation")["data"]
    assert {one["against"]: one["saved"] for one in listed["measures"]} == {"first_offer": 320, "target": 20}


def test_numbers_typed_before_planning_stay(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    driver.update(
        negotiation_id, "strategy", opening=700, target=800, walkAway=900, note="The board's budget"
    )
    driver.run_tasks()
    assert numbers(driver, negotiation_id) == {"opening": 700, "target": 800, "walkAway": 900}
    assert "median" in driver.timeline(negotiation_id)["strategy"]


@pytest.mark.campaign
def test_an_offer_on_other_terms_is_priced_on_them(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = numbers(driver, negotiation_id)
    lines = [{"productId": driver.market.product_id, "quantity": 20}]
    driver.quote(negotiation_id, 3000, termLength=24, lines=lines)
    asked = waiting(driver, negotiation_id)["scope_mismatch"]
    assert "USD 6.25 per unit and month" in asked["description"]
    assert "On the offer's own terms, the estimate gives a target of" in asked["description"]
    assert "cannot be measured" not in asked["description"]
    assert numbers(driver, negotiation_id) == before
    assert "bestOffer" not in driver.timeline(negotiation_id)
    driver.quote(negotiation_id, 9000, termLength=24, lines=lines)
    above = waiting(driver, negotiation_id)["scope_mismatch"]
    assert before["target"] < counter_in(above) < 9000


def test_an_offer_for_another_term_is_not_priced_for_the_days_of_the_first(driver: NegotiationDriver) -> None:
    questions = []
    for dates in ({}, {"startDate": "2027-01-01", "endDate": "2028-12-31"}):
        scope = driver.market.scope(months=24)
        [term] = scope["productTerms"]
        scope["productTerms"] = [{**term, **dates}]
        negotiation_id = driver.start_planned(scope=scope)
        driver.quote(negotiation_id, 1500, termLength=12)
        questions.append(waiting(driver, negotiation_id)["scope_mismatch"]["description"])
    assert questions[0] == questions[1]


def test_an_offer_for_another_term_is_not_priced_for_all_years_of_the_first(
    driver: NegotiationDriver,
) -> None:
    scope = driver.market.scope(months=36)
    [term] = scope["productTerms"]
    scope["productTerms"] = [{**term, "firstMonth": 12 * year, "months": 12} for year in range(3)]
    negotiation_id = driver.start_planned(scope=scope)
    driver.quote(negotiation_id, 1500, termLength=24)
    asked = waiting(driver, negotiation_id)["scope_mismatch"]
    assert "what it includes of the parts of the scope's term" in asked["description"]
    assert "target of" not in asked["description"]


def test_years_of_a_term_make_no_quantity(driver: NegotiationDriver) -> None:
    scope = driver.market.scope(months=24)
    [term] = scope["productTerms"]
    years = (("2027-01-01", "2027-12-31"), ("2028-01-01", "2028-12-31"))
    scope["productTerms"] = [{**term, "startDate": start, "endDate": end} for start, end in years]
    negotiation_id = driver.start_planned(scope=scope)
    assert "quantity" not in driver.timeline(negotiation_id)
    lines = [{"productId": driver.market.product_id, "quantity": 20}]
    driver.quote(negotiation_id, 3000, termLength=36, lines=lines)
    asked = waiting(driver, negotiation_id)["scope_mismatch"]["description"]
    assert "per unit and month" not in asked
    assert "There is no estimate on the offer's own terms" in asked


def test_savings_are_the_same_wherever_they_are_shown(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 2000)
    driver.update(negotiation_id, "agreement", amount=900, currency="USD")
    timeline = driver.timeline(negotiation_id)
    (listed,) = driver.get("/v1/negotiation")["data"]
    report = driver.get("/v1/negotiation/savings")
    (reported,) = report["negotiations"]
    assert timeline["measures"] == listed["measures"] == reported["measures"]
    saved = {one["against"]: one["saved"] for one in timeline["measures"]}
    median = timeline["strategy"]["median"]
    target = timeline["strategy"]["target"]["amount"]
    assert saved == {
        "first_offer": 1100,
        "target": round(target - 900, 2),
        "median_estimate": round(median - 900, 2),
    }
    assert all(one["basis"] for one in timeline["measures"])
    figures = driver.summary(negotiation_id)["executiveSummaries"][0]["figures"]
    assert figures["savings"] == listed["savings"] == reported["savings"] == 1100
    (total,) = report["total"]
    assert {one["against"]: one["saved"] for one in total["measures"]} == saved


def make_anew(driver: NegotiationDriver, negotiation_id: str, expect: int = 200, **body: Any) -> Any:
    answer = driver.api.post(f"/v1/negotiation/{negotiation_id}/strategy", json=body)
    assert answer.status_code == expect, answer.text
    return answer.json()


@pytest.mark.campaign
def test_new_evidence_changes_the_numbers_and_the_timeline_names_old_and_new(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 1200)
    before = numbers(driver, negotiation_id)
    with driver.context.database.writing() as connection:
        add_purchases(connection, driver.market.product_id, [5.0] * 60)
    assert numbers(driver, negotiation_id) == before
    made = make_anew(driver, negotiation_id)
    after = numbers(driver, negotiation_id)
    assert after["target"] == made["target"]["amount"] < before["target"]
    (entry,) = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "strategy")
    assert entry["text"].startswith("Recalculated from the evidence on record")
    assert f"{before['target']:,.2f}".rstrip("0").rstrip(".") in entry["text"]
    (asked,) = driver.escalations(negotiation_id)
    assert asked["reason"] == "quote_above_walk_away"


def test_a_following_scope_has_its_own_numbers(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    before = numbers(driver, negotiation_id)
    scope_id = driver.summary(negotiation_id)["scope"]["id"]
    body = {**driver.market.scope(quantity=20), "previousScopeId": scope_id}
    follow_up = driver.api.post("/v1/scope", json=body).json()
    make_anew(driver, negotiation_id, scopeId=follow_up["id"])
    assert numbers(driver, negotiation_id)["target"] > before["target"]
    assert driver.summary(negotiation_id)["scope"]["id"] == follow_up["id"]
    entries = driver.timeline(negotiation_id)["entries"]
    assert any(one.get("text", "").startswith("The scope changed") for one in entries)
    make_anew(driver, negotiation_id, 400, scopeId="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f")


def test_typed_numbers_stay_when_the_strategy_is_made_again(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "strategy", opening=700, target=800, walkAway=900, note="The budget")
    make_anew(driver, negotiation_id)
    assert numbers(driver, negotiation_id) == {"opening": 700, "target": 800, "walkAway": 900}
    driver.update(negotiation_id, "cancellation")
    make_anew(driver, negotiation_id, 409)


def test_numbers_from_few_purchases_say_how_many(driver: NegotiationDriver) -> None:
    with driver.context.database.writing() as connection:
        connection.execute(sa.delete(purchase))
        add_purchases(connection, driver.market.product_id, [9.0, 10.0, 11.0])
    negotiation_id = driver.start_planned()
    asked = waiting(driver, negotiation_id)
    if "opening" in numbers(driver, negotiation_id):
        assert "3 comparable purchases" in asked["evidence_thin"]["description"]
    else:  # the estimator needs more
        assert "no_estimate" in asked


def test_what_is_paid_once_has_no_price_of_a_month_and_no_term(driver: NegotiationDriver) -> None:
    with driver.context.database.writing() as connection:
        connection.execute(sa.update(purchase).values(price_period="once", term_months=None))
    negotiation_id = driver.start_planned(engagementType="svc_led")
    (letter,) = driver.timeline(negotiation_id)["mails"]
    assert "(Users: 10)" in letter["body"]
    assert "months" not in letter["body"]
    assert "term" not in letter["body"]
    driver.quote(
        negotiation_id, 200, termLength=24, lines=[{"productId": driver.market.product_id, "quantity": 20}]
    )
    timeline = driver.timeline(negotiation_id)
    assert (timeline["quantity"], "termMonths" in timeline) == (10, False)
    asked = waiting(driver, negotiation_id)["scope_mismatch"]["description"]
    assert "The offer is USD 10 per unit; the target" in asked
    assert "months" not in asked
    assert "walk-away" in asked, "it is estimated for its own quantity"
