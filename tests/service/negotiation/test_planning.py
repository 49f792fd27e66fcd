"""Planning makes a strategy, or says what is missing for one."""

from typing import Any

import pytest
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import purchase
from app.service.negotiation import jobs
from tests.service.interleaving import before_write
from tests.service.negotiation.market_fixture import add_company, add_product, add_purchases
from tests.service.negotiation.negotiation_driver import NegotiationDriver


def reasons(driver: NegotiationDriver, negotiation_id: str, status: str = "open") -> list[str]:
    return [one["reason"] for one in driver.escalations(negotiation_id, status)]


def test_the_three_numbers_are_percentiles_of_the_advanced_estimate(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    scope_id = driver.summary(negotiation_id)["scope"]["id"]
    estimate = driver.get(f"/v1/pricing/advanced/{scope_id}")["estimate"]
    strategy = driver.timeline(negotiation_id)["strategy"]
    assert any(lever["tightens"] for lever in strategy["levers"]), "and no lever moves a number"
    assert strategy["opening"]["amount"] == estimate["percentile10"]
    assert strategy["target"]["amount"] == estimate["percentile25"]
    assert strategy["walkAway"]["amount"] == estimate["percentile60"]
    assert strategy["median"] == estimate["percentile50"]


def test_levers_are_facts_with_the_purchases_behind_them(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    levers = {lever["kind"]: lever for lever in driver.timeline(negotiation_id)["strategy"]["levers"]}
    assert levers["competitor"]["purchases"] == 40
    assert levers["competitor"]["tightens"]
    assert "ends on 31 December 2026" in levers["fiscal_year_end"]["statement"]
    assert all(lever["purchases"] >= 5 or not lever["tightens"] for lever in levers.values())


def test_a_negotiation_without_scope_and_file_stays_in_planning_and_asks_for_a_scope(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned(scope=None)
    driver.run_tasks()
    assert driver.status(negotiation_id) == "planning"
    assert reasons(driver, negotiation_id) == ["scope_needed"]
    jobs.plan_negotiation(driver.context, negotiation_id)
    assert reasons(driver, negotiation_id) == ["scope_needed"]


def test_the_buyer_may_go_on_without_a_scope(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned(scope=None)
    (waiting,) = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "decision", decision="go_ahead", escalationId=waiting["id"])
    assert driver.status(negotiation_id) == "pending"
    strategy = driver.timeline(negotiation_id)["strategy"]
    assert "target" not in strategy
    driver.quote(negotiation_id, 100, currency="EUR")
    assert driver.status(negotiation_id) == "active"
    assert driver.escalations(negotiation_id) == []


def test_a_scope_without_estimate_has_levers_and_an_escalation_but_no_numbers(
    driver: NegotiationDriver,
) -> None:
    with driver.context.database.writing() as connection:
        lonely = add_company(connection, "Lonely", "lonely.example")
        product_id, quantity_id = add_product(connection, lonely, "Zyxwv")
        connection.execute(sa.delete(purchase))
    terms = driver.market.scope()
    terms["productTerms"] = [
        {"productId": product_id, "pricingDimensions": [{"id": quantity_id, "value": 1}]}
    ]
    negotiation_id = driver.start_planned(scope=terms, supplier={"name": "lonely, Inc."})
    assert driver.status(negotiation_id) == "pending"
    assert reasons(driver, negotiation_id) == ["no_estimate"]
    assert "target" not in driver.timeline(negotiation_id)["strategy"]
    assert driver.summary(negotiation_id)["supplier"]["companyId"] == lonely
    driver.quote(negotiation_id, 5)
    assert reasons(driver, negotiation_id) == ["no_estimate"]


def test_numbers_for_a_part_of_the_scope_are_not_compared_with_an_offer_for_the_whole(
    driver: NegotiationDriver,
) -> None:
    with driver.context.database.writing() as connection:
        product_id, quantity_id = add_product(connection, add_company(connection, "L", "l.example"), "Zyxwv")
    terms = driver.market.scope()
    terms["productTerms"].append(
        {"productId": product_id, "pricingDimensions": [{"id": quantity_id, "value": 1}]}
    )
    negotiation_id = driver.start_planned(scope=terms)
    strategy = driver.timeline(negotiation_id)["strategy"]
    if "target" not in strategy:
        assert "Zyxwv" in strategy["unavailable"]
    else:  # the estimator found something alike
        assert strategy["target"]["purchases"] >= 5


def test_the_supplier_is_found_by_domain_by_name_and_by_who_sells_the_scope(
    driver: NegotiationDriver,
) -> None:
    given: list[dict[str, Any]] = [
        {"domain": "www.Seller.example"},
        {"name": "seller 24"},
        {"contactEmail": "sam@seller.example"},
        {"note": "nothing known"},
    ]
    for supplier in given:
        negotiation_id = driver.start_planned(supplier=supplier)
        assert driver.summary(negotiation_id)["supplier"]["companyId"] == driver.market.company_id


@pytest.mark.campaign
def test_a_price_on_the_scope_is_an_offer_from_before_the_start(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned(scope=driver.market.scope(finalPrice=700))
    assert driver.status(negotiation_id) == "pending"
    strategy = driver.timeline(negotiation_id)["strategy"]
    assert strategy["opening"]["amount"] <= strategy["walkAway"]["amount"] <= 700
    assert reasons(driver, negotiation_id) == ["quote_within_target"]
    driver.message(negotiation_id, "y")
    driver.update(negotiation_id, "agreement", amount=600, currency="USD")
    assert driver.summary(negotiation_id)["executiveSummaries"][0]["figures"]["savings"] == 100


def test_without_an_offer_savings_are_measured_against_the_median_estimate(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    median = driver.timeline(negotiation_id)["strategy"]["median"]
    driver.message(negotiation_id, "y")
    driver.update(negotiation_id, "agreement", amount=1000, currency="USD")
    newest = driver.summary(negotiation_id)["executiveSummaries"][0]
    assert "median" in newest["text"]
    assert newest["figures"]["savings"] == round(median - 1000, 2)


def test_planning_twice_changes_nothing(driver: NegotiationDriver, context: Context) -> None:
    negotiation_id = driver.start_planned()
    before = driver.summary(negotiation_id), driver.timeline(negotiation_id)
    jobs.plan_negotiation(context, negotiation_id)
    assert (driver.summary(negotiation_id), driver.timeline(negotiation_id)) == before


@pytest.mark.campaign
def test_purchases_of_another_organisation_are_not_used(driver: NegotiationDriver) -> None:
    """Purchases that an organisation imported for itself move nobody else's numbers or FAQs."""
    path = f"/v1/negotiation/faqs/{driver.market.company_id}"
    before = driver.get(path)
    numbers = driver.timeline(driver.start_planned())["strategy"]
    with driver.context.database.writing() as connection:
        from app.service.access.keys import create_key

        create_key(connection, name="k", organisation_name="Other", role="owner", now=driver.clock())
        other = connection.scalar(sa.text("SELECT id FROM organisation WHERE name = 'Other'"))
        add_purchases(
            connection,
            driver.market.product_id,
            [900.0] * 30,
            organisation_id=other,
        )
    assert driver.get(path) == before
    assert driver.timeline(driver.start_planned())["strategy"] == numbers


def test_what_is_paid_for_a_time_that_nobody_has_said_gets_no_numbers(driver: NegotiationDriver) -> None:
    """Numbers for a guessed year would be compared with, and offered for, another term."""
    scope = driver.market.scope(termAssumed=True, finalPrice=3_600)
    negotiation_id = driver.start_planned(scope=scope)
    timeline = driver.timeline(negotiation_id)
    assert "target" not in timeline["strategy"]
    assert "for how long it is bought is not stated for Suite 365" in timeline["strategy"]["unavailable"]
    assert "no_estimate" in reasons(driver, negotiation_id)
    driver.quote(negotiation_id, 3_500, termLength=36)
    assert not {"quote_above_walk_away", "scope_mismatch"} & {*reasons(driver, negotiation_id)}
    driver.update(negotiation_id, "agreement", amount=3_000, currency="USD", termLength=36)
    timeline = driver.timeline(negotiation_id)
    assert timeline["measures"] == []
    assert "another term, or one that is not stated, than that of the first offer" in timeline["unmeasured"]


def test_no_event_is_older_than_the_one_before(driver: NegotiationDriver, context: Context) -> None:
    """Planning that began before a message came ends after it."""
    negotiation_id = driver.start()

    def say_meanwhile() -> None:
        driver.clock.advance(seconds=5)
        driver.message(negotiation_id)

    with before_write(context, 1, say_meanwhile) as met:
        jobs.plan_negotiation(context, negotiation_id)
    assert met
    told = [
        one["data"]["updatedAt"]
        for one in driver.load_events()[negotiation_id]
        if one["eventType"] == "negotiation.summary.updated"
    ]
    assert len(told) > 2
    assert told == sorted(told)
    assert driver.summary(negotiation_id)["updatedAt"] == told[-1]
