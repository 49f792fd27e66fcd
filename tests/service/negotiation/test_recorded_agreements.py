"""An agreed negotiation becomes an agreement by itself, once."""

import pytest

from app.service.negotiation.jobs import save_agreed_purchase
from tests.service.negotiation.negotiation_driver import NegotiationDriver


@pytest.mark.campaign
def test_an_agreed_negotiation_becomes_an_agreement_once(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=900, currency="USD", signedAt="2026-11-20")
    driver.run_tasks()
    [made] = driver.get("/v1/agreements")["data"]
    assert made["negotiationId"] == negotiation_id
    assert (made["totalValue"], made["currency"]) == (900, "USD")
    assert made["companyId"] == driver.market.company_id
    assert made["owners"] == [{"name": "Bea Buyer", "email": "buyer@acme.example"}]
    assert sum(line["amount"] for line in made["lines"]) == 900
    assert {"termStart", "termEnd", "renewalType"} <= {*made["missing"]}, "no date is made up"
    save_agreed_purchase(driver.context, negotiation_id)
    assert len(driver.get("/v1/agreements")["data"]) == 1


def test_that_there_is_no_room_for_an_agreement_is_said(driver: NegotiationDriver) -> None:
    driver.context.settings.max_agreements = 1
    assert driver.api.post("/v1/agreements", json={"name": "Pages"}).status_code == 201
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=900, currency="USD")
    driver.run_tasks()
    told = [one["text"] for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "purchase"]
    assert len(told) == 2
    assert told[1].startswith("It is not on record as an agreement. The organisation has 1 agreements")
