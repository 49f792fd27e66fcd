"""The texts of letters, and letters that wait for a person where no mail server is configured."""

from typing import Any

import pytest

from tests.service.negotiation.market_fixture import add_product
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_attachments import attach, quote_document

CONTACT = {"name": "Seller 24", "contactName": "Sam Seller", "contactEmail": "sam@seller.example"}


def led(driver: NegotiationDriver, **body: Any) -> str:
    return driver.start_planned(engagementType="svc_led", supplier=CONTACT, **body)


def newest(driver: NegotiationDriver, negotiation_id: str) -> dict[str, Any]:
    return driver.timeline(negotiation_id)["mails"][-1]


@pytest.mark.campaign
def test_a_counter_names_product_quantity_quote_price_reason_and_date(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    attach(driver, negotiation_id, quote_document(unit_price=140))
    driver.run_tasks()
    (asked,) = (one for one in driver.escalations(negotiation_id) if one["reason"].startswith("quote_above"))
    (counter,) = (one["amount"] for one in asked["options"] if one["decision"] == "counter")
    driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    letter = newest(driver, negotiation_id)
    assert letter["subject"] == "Our answer to your offer Q-2026-001"
    for part in (
        "Suite 365 (Users: 10)",
        "for 12 months",
        "your offer Q-2026-001",
        f"USD {counter:,} before tax",
        "Comparable products from other suppliers cost less.",
        "by 27 November 2026",
    ):
        assert part in letter["body"]
    assert "$" not in letter["body"]


def test_a_request_for_a_change_reveals_neither_target_nor_walk_away(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    lines = [{"productId": driver.market.product_id}]
    driver.quote(negotiation_id, 3000, termLength=24, lines=[*lines, {"description": "Setup"}])
    for asked in driver.escalations(negotiation_id):
        driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    numbers = driver.timeline(negotiation_id)["strategy"]
    for mail in driver.timeline(negotiation_id)["mails"]:
        for name in ("target", "walkAway"):
            assert f"{numbers[name]['amount']:,}" not in mail["body"]
        assert "walk-away" not in mail["body"]


def test_a_letter_about_an_offer_for_something_else_names_what_the_offer_is_for(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = led(driver)
    lines = [{"productId": driver.market.product_id, "quantity": 25}]
    driver.quote(negotiation_id, 9000, termLength=24, lines=lines)
    [asked] = driver.escalations(negotiation_id)
    assert "a quantity of 25, the scope for 10" in asked["description"]
    driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    counter = newest(driver, negotiation_id)["body"]
    assert "your offer for Suite 365 (Users: 25) for 24 months" in counter, "whose price it names"
    driver.update(negotiation_id, "decision", decision="accept")
    accepted = newest(driver, negotiation_id)["body"]
    assert "We accept your offer for Suite 365 (Users: 25) for 24 months." in accepted


def test_a_request_for_a_matching_offer_names_what_the_scope_asks_for(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    with driver.context.database.writing() as connection:
        other, _ = add_product(connection, driver.market.company_id, "Vault 12")
    lines = [{"productId": key, "quantity": 25} for key in (driver.market.product_id, other)]
    driver.quote(negotiation_id, 9000, termLength=24, lines=lines)
    [asked] = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "decision", decision="counter", escalationId=asked["id"])
    letter = newest(driver, negotiation_id)["body"]
    assert "your offer for Suite 365 and Vault 12 for 24 months" in letter
    assert "Please quote what we asked for: Suite 365 (Users: 10) for 12 months." in letter


def test_a_matching_offer_is_asked_for_also_where_a_counter_could_be_made(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    lines = [{"productId": driver.market.product_id, "quantity": 25}]
    driver.quote(negotiation_id, 9000, termLength=24, lines=lines)
    [asked] = driver.escalations(negotiation_id)
    assert ("other", "Ask for a matching offer") in [
        (one["decision"], one["label"]) for one in asked["options"]
    ]
    driver.update(negotiation_id, "decision", decision="other", escalationId=asked["id"])
    letter = newest(driver, negotiation_id)["body"]
    assert "Please quote what we asked for: Suite 365 (Users: 10) for 12 months." in letter


def test_a_supplier_without_an_offer_is_thanked_for_none(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    driver.update(negotiation_id, "decision", decision="counter", amount=3000)
    letter = newest(driver, negotiation_id)
    assert letter["subject"] == "Request for an offer: Suite 365 (Users: 10)"
    assert "Our budget is USD 3,000 before tax for the whole term." in letter["body"]
    driver.clock.advance(days=6)
    driver.fire_timers()
    [silent] = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "decision", decision="walk_away", escalationId=silent["id"])
    letter = newest(driver, negotiation_id)
    assert letter["subject"] == "Our request: Suite 365 (Users: 10)"
    assert "We asked you for an offer for Suite 365 (Users: 10) for 12 months." in letter["body"]
    assert "your offer" not in letter["body"]


def test_nobody_is_reminded_of_a_letter_that_was_not_sent(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    opening = newest(driver, negotiation_id)
    driver.clock.advance(days=6)
    driver.fire_timers()
    assert newest(driver, negotiation_id) == opening
    [silent] = driver.escalations(negotiation_id)
    assert silent["description"].endswith("The letter to them was not sent yet.")
    driver.api.post(f"/v1/negotiation/{negotiation_id}/mails/{opening['id']}/sent")
    driver.update(negotiation_id, "decision", decision="go_ahead", escalationId=silent["id"])
    driver.clock.advance(days=6)
    driver.fire_timers()
    assert "We have not heard from you yet" in newest(driver, negotiation_id)["body"]


def test_a_draft_waits_until_a_person_has_sent_it(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    draft = newest(driver, negotiation_id)
    assert draft["status"] == "draft"
    assert driver.get("/v1/negotiation")["data"][0]["drafts"] == 1
    path = f"/v1/negotiation/{negotiation_id}/mails/{draft['id']}/sent"
    for _ in range(2):
        answer = driver.api.post(path)
        assert (answer.status_code, answer.json()["status"]) == (200, "sent")
    assert "drafts" in driver.get("/v1/negotiation")["data"][0]
    assert driver.get("/v1/negotiation")["data"][0]["drafts"] == 0
    told = [one["text"] for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "mail"]
    assert len(told) == 1
    assert told[0].endswith("was marked as sent.")
    unknown = driver.api.post(path.replace(draft["id"], negotiation_id))
    assert unknown.status_code == 404


def test_without_a_mail_server_no_sentence_promises_to_send(driver: NegotiationDriver) -> None:
    negotiation_id = led(driver)
    driver.quote(negotiation_id, 5000, validUntil="2026-11-22")
    driver.clock.advance(days=6)
    driver.fire_timers()
    texts = [news["text"] for news in driver.summary(negotiation_id)["executiveSummaries"]]
    for asked in driver.escalations(negotiation_id):
        texts += [asked["description"], *(option["consequence"] for option in asked["options"])]
    for promise in ("will be sent", "is sent to", "is reminded", "is asked to", "is told"):
        assert not [text for text in texts if promise in text]
