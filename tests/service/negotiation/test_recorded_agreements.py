"""An agreed negotiation becomes an agreement by itself, once."""

import pytest
import sqlalchemy as sa

from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.database.tables import agreement
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


def test_a_quote_on_record_as_a_contract_is_no_previous_price_of_itself(driver: NegotiationDriver) -> None:
    """The agreed price takes its place."""
    market, post = driver.market, driver.api.post
    content = b"Quote from,Seller 24\nCurrency,USD\n\nDescription,Quantity,Amount\nSuite 365,10,1500.00\n"
    read = post("/v1/scope/from-document", files={"file": ("quote.csv", content)}).json()["scopeId"]
    driver.run_tasks()
    bought = {**market.scope()["productTerms"][0], "finalPrice": 1500}
    confirmed = {
        "scopeTerm": {"termLength": 12, "purchaseType": "new_purchase", "startDate": "2026-11-01"},
        "lines": [{"index": 0, "role": "product", "productTerm": bought}],
    }
    scope_id = post(f"/v1/scope/{read}/document/confirm", json=confirmed).json()["id"]
    contract = post("/v1/agreements/from-document", json={"scopeId": scope_id}).json()
    with driver.context.database.reading() as connection:
        owner = connection.scalar(sa.select(agreement.c.organisation_id)) or ""
    learn_from_agreements(driver.context, owner)
    [line] = driver.get(f"/v1/agreements/{contract['id']}/purchases")["data"]
    assert line["state"] == "learned"
    negotiation_id = driver.start_planned(scope={"scopeId": scope_id})
    driver.quote(negotiation_id, 1500)
    assert "previous" not in driver.timeline(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=1200, currency="USD")
    driver.run_tasks()
    assert "previous_price" not in {one["against"] for one in driver.timeline(negotiation_id)["measures"]}
    assert driver.get(f"/v1/agreements/{contract['id']}")["totalValue"] == 1200


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
