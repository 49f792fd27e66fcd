"""The buyer's next offer follows those before it that were for the same."""

from typing import Any

from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.strategy.test_scope_evidence import SETUP
from tests.service.negotiation.test_attachments import attach, quote_document


def answer(driver: NegotiationDriver, negotiation_id: str) -> dict[str, Any]:
    """Make the counter offer that is proposed, and return its option."""
    [asked] = [one for one in driver.escalations(negotiation_id) if one["reason"] != "contract_clause"]
    [option] = [one for one in asked["options"] if one["decision"] == "counter"]
    driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    driver.clock.advance(hours=1)
    return option


def test_counters_to_an_offer_that_holds_more_than_the_numbers_cover_go_halfway_too(
    driver: NegotiationDriver,
) -> None:
    """The opening is 956.70, the target 1,038.21; the workshop costs 100 besides."""
    negotiation_id = driver.start_planned()
    asked = []
    for price in (140, 135):
        attach(driver, negotiation_id, quote_document(unit_price=price, more=[SETUP]))
        driver.run_tasks()
        asked.append(answer(driver, negotiation_id))
    assert [one["amount"] for one in asked] == [1060, 1100]
    assert "halfway between your last offer and the target" in asked[1]["consequence"]


def test_a_counter_on_other_terms_is_no_last_offer_for_what_is_asked(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    asked = []
    for amount, months in ((9000, 24), (1400, 12)):
        driver.quote(negotiation_id, amount, termLength=months)
        asked.append(answer(driver, negotiation_id))
    assert asked[0]["amount"] > asked[1]["amount"] == 960
    assert "This is the opening" in asked[1]["consequence"]
