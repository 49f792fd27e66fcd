"""An agreement is renewed in one call: its scope, its negotiation, and the agreement that follows it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from app.service.database.tables import agreement, negotiation, scope
from tests.service.conftest import key_for
from tests.service.negotiation.negotiation_driver import NegotiationDriver

PERSON = {"x-svc-end-user-email": "bea@acme.example"}


def record(driver: NegotiationDriver, **changes: Any) -> dict[str, Any]:
    """Put an agreement of ten users on record that runs from 2026 to 31 March 2027."""
    market = driver.market
    body = {
        "name": "Suite for sales",
        "companyId": market.company_id,
        "owners": [{"name": "Ann"}, {"name": "Bea Buyer", "email": "bea@acme.example"}],
        "costCenter": "Sales",
        "currency": "USD",
        "totalValue": 1300,
        "termStart": "2026-04-01",
        "termEnd": "2027-03-31",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 3, "unit": "month"},
        "lines": [
            line(driver, "Suite 365", 10, 1200),
            {"description": "Training", "amount": 100, "recurring": False},
        ],
    } | changes
    answer = driver.api.post(
        "/v1/agreements", json={name: value for name, value in body.items() if value is not None}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def line(driver: NegotiationDriver, name: str, quantity: float | None, amount: float) -> dict[str, Any]:
    stated = {"productId": driver.market.product_id, "description": name, "amount": amount, "recurring": True}
    return stated if quantity is None else stated | {"quantity": quantity}


def renew(driver: NegotiationDriver, agreement_id: str, expect: int = 201, **body: Any) -> Any:
    path = f"/v1/agreements/{agreement_id}/renewal"
    answer = driver.api.post(path, json=body, headers=PERSON)
    assert answer.status_code == expect, answer.text
    return answer.json()


def agree(driver: NegotiationDriver, negotiation_id: str, amount: float, **more: Any) -> None:
    driver.run_tasks()
    driver.message(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=amount, currency="USD", **more)
    driver.run_tasks()


def test_a_renewal_is_negotiated_and_the_agreements_follow_each_other(driver: NegotiationDriver) -> None:
    before = record(driver)
    begun = renew(driver, before["id"])
    assert (begun["actBy"], begun["deadlineMissed"]) == ("2026-12-31", False)
    assert begun["leftOut"] == ["Training: it is paid once."]
    assert "from 1 April 2027 to 31 March 2028. It must be decided by 31 December 2026." in begun["statement"]
    assert begun["startedBy"] == "bea@acme.example"
    scope = driver.get(f"/v1/scope/{begun['scopeId']}")
    days = {"startDate": "2027-04-01", "endDate": "2028-03-31", "autoRenew": True}
    assert scope["scopeTerms"] == [{"termLength": 12, "purchaseType": "renewal", **days}]
    [term] = scope["productTerms"]
    assert [one["value"] for one in term["pricingDimensions"]] == [10]
    [listed] = driver.get("/v1/negotiation")["data"]
    assert (listed["renewsAgreementId"], listed["actBy"]) == (before["id"], "2026-12-31")
    assert driver.timeline(begun["negotiationId"])["contactName"] == "Bea Buyer"
    assert driver.get(f"/v1/agreements/{before['id']}")["stage"] == "in_progress"
    agree(driver, begun["negotiationId"], 1080)
    [after] = [one for one in driver.get("/v1/agreements")["data"] if one["id"] != before["id"]]
    assert (after["previousAgreementId"], after["totalValue"]) == (before["id"], 1080)
    assert (after["termStart"], after["termEnd"]) == ("2027-04-01", "2028-03-31")
    assert (after["renewalType"], after["costCenter"]) == ("auto_renew", "Sales")
    assert after["owners"] == before["owners"]
    assert {"noticePeriod", "autoRenewalTermMonths"} <= {*after["missing"]}, "agreed anew, so not known"
    renewed = driver.get(f"/v1/agreements/{before['id']}")
    assert (renewed["nextAgreementId"], renewed["stage"]) == (after["id"], "will_renew")
    assert renewed["decisions"][0]["decision"] == "renew"
    assert (
        renewed["statement"]
        == "It ends on 31 March 2027: the agreement that follows it begins on 1 April 2027."
    )
    assert driver.get(f"/v1/agreements/{before['id']}?asOf=2027-06-01")["status"] == "expired"
    finished = driver.get(f"/v1/agreements/{before['id']}/renewal")
    assert (finished["status"], finished["nextAgreementId"]) == ("complete", after["id"])
    later = {"termStart": "2028-01-01", "termEnd": "2028-12-31"}
    assert driver.api.patch(f"/v1/agreements/{after['id']}", json=later).status_code == 200
    moved = driver.get(f"/v1/agreements/{before['id']}?asOf=2027-06-01")
    assert moved["currentTermEnd"] == "2027-12-31", "it renews until the next one begins"


@pytest.mark.parametrize(
    ("changes", "start", "end", "months"),
    [
        # Of a notice as long as a renewal, the next term is renewed already.
        (
            {"termEnd": "2026-11-30", "termStart": "2026-11-01", "autoRenewalTermMonths": 1}
            | {"noticePeriod": {"value": 1, "unit": "month"}},
            *("1 January 2027", "31 January 2027", 1),
        ),
        ({"maxExtentDate": "2027-09-30"}, "1 April 2027", "30 September 2027", 6),
        (
            {"termStart": "2026-08-31", "termEnd": "2027-02-27", "autoRenewalTermMonths": 6},
            *("28 February 2027", "30 August 2027", 6),
        ),
        # After the last renewal, as much again is bought.
        ({"maxRenewals": 0}, "1 April 2027", "31 March 2028", 12),
    ],
)
def test_what_is_negotiated_is_the_first_term_that_is_not_settled(
    driver: NegotiationDriver, changes: dict[str, Any], start: str, end: str, months: int
) -> None:
    begun = renew(driver, record(driver, **changes)["id"])
    assert f"The next term is from {start} to {end}." in begun["statement"]
    [term] = driver.get(f"/v1/scope/{begun['scopeId']}")["scopeTerms"]
    assert term["termLength"] == months


@pytest.mark.campaign
def test_a_renewal_is_started_once_also_by_two_at_once(driver: NegotiationDriver) -> None:
    before = record(driver)
    with ThreadPoolExecutor(4) as users:
        begun = [*users.map(lambda _: renew(driver, before["id"])["negotiationId"], range(4))]
    assert len({*begun}) == 1
    assert driver.get("/v1/negotiation")["pagination"]["total"] == 1
    assert driver.get("/v1/scope")["pagination"]["total"] == 1
    assert len(driver.get(f"/v1/agreements/{before['id']}")["decisions"]) == 1
    driver.update(begun[0], "cancellation")
    assert driver.api.get(f"/v1/agreements/{before['id']}/renewal").status_code == 404
    assert renew(driver, before["id"])["negotiationId"] != begun[0], "a cancelled one may be begun again"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_choices_of_the_scope_and_another_term_are_taken_over(driver: NegotiationDriver) -> None:
    made = driver.api.post("/v1/scope", json=driver.market.scope(quantity=25, months=24)).json()
    lines = [line(driver, "Suite 365", None, 1200)]
    before = record(driver, scopeId=made["id"], lines=lines, renewalType="none", autoRenewalTermMonths=None)
    begun = renew(driver, before["id"])
    followed = driver.get(f"/v1/scope/{begun['scopeId']}")
    assert followed["previousScopeId"] == made["id"]
    assert followed["productTerms"][0]["pricingDimensions"][0]["value"] == 25
    agree(driver, begun["negotiationId"], 5000, termLength=24)
    [after] = [one for one in driver.get("/v1/agreements")["data"] if one["id"] != before["id"]]
    assert (after["termStart"], after["termEnd"]) == ("2027-04-01", "2029-03-31")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_deadline_that_has_passed_is_named_and_not_moved(driver: NegotiationDriver) -> None:
    before = record(driver, termStart="2026-01-01", termEnd="2026-12-31")
    begun = renew(driver, before["id"])
    assert (begun["actBy"], begun["deadlineMissed"]) == ("2026-09-30", True)
    assert "The deadline, 30 September 2026, has passed" in begun["statement"]
    [started] = [
        one for one in driver.timeline(begun["negotiationId"])["entries"] if one["kind"] == "started"
    ]
    assert started["text"] == begun["statement"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_cannot_be_renewed_is_refused_and_leaves_nothing(driver: NegotiationDriver) -> None:
    past = {"termStart": "2025-01-01", "termEnd": "2025-12-31", "renewalType": "none"}
    cases: tuple[tuple[dict[str, Any], int, str], ...] = (
        (past, 409, "ended on 31 December 2025"),
        ({"companyId": None}, 400, "names no supplier"),
        ({"owners": None}, 400, "Nobody is named who negotiates"),
    )
    for changes, status, words in cases:
        before = record(driver, **changes)
        answer = driver.api.post(f"/v1/agreements/{before['id']}/renewal", json={})
        assert (answer.status_code, words in answer.json()["detail"]) == (status, True), answer.text
        assert driver.get(f"/v1/agreements/{before['id']}")["decisions"] == []
    assert driver.get("/v1/negotiation")["pagination"]["total"] == 0
    assert driver.get("/v1/scope")["pagination"]["total"] == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_supplier_and_value_alone_are_renewed(driver: NegotiationDriver) -> None:
    """What cannot be priced is left out with its reason, and what the agreement cost is what the new price is
    measured against."""
    cases: tuple[tuple[Any, str | None], ...] = (
        (None, None),
        ([{"description": "Other"}], "Other: it is not matched to a product of the catalog."),
        ([line(driver, "Suite 365", None, 1200)], "“Users”"),
    )
    for lines, why in cases:
        before = record(driver, lines=lines, oneTimeValue=100)
        begun = renew(driver, before["id"])
        assert [why is not None and why in one for one in begun["leftOut"]] == [True] * (why is not None)
        assert "USD 1,200 for 12 months" in begun["statement"]
        assert driver.get(f"/v1/scope/{begun['scopeId']}")["productTerms"] == []
        agree(driver, begun["negotiationId"], 1080)
        agreed = driver.timeline(begun["negotiationId"])
        saved = {one["against"]: one["saved"] for one in agreed["measures"]}
        assert saved["previous_price"] == 120
        after = driver.get(f"/v1/agreements/{before['id']}")["nextAgreementId"]
        followed = driver.get(f"/v1/agreements/{after}")
        assert followed["totalValue"] == 1080
        assert [one["description"] for one in followed.get("lines") or ()] == (
            ["Other"] if lines and "productId" not in lines[0] else []
        )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_followed_already_or_not_owned_is_refused(driver: NegotiationDriver) -> None:
    before = record(driver)
    after = record(driver, termStart="2027-04-01", termEnd="2028-03-31", previousAgreementId=before["id"])
    assert after["id"] in renew(driver, before["id"], 409)["detail"]
    stranger = {"Authorization": f"Bearer {key_for(driver.context, 'Elsewhere')}"}
    path = f"/v1/agreements/{before['id']}/renewal"
    assert driver.api.post(path, json={}, headers=stranger).status_code == 404
    assert driver.api.get(path, headers=stranger).status_code == 404


def test_the_renewal_of_a_sample_agreement_is_sample_data(driver: NegotiationDriver) -> None:
    before = record(driver, lines=None)
    with driver.context.database.writing() as connection:
        connection.execute(agreement.update().where(agreement.c.id == before["id"]).values(sample=True))
    begun = renew(driver, before["id"])
    with driver.context.database.reading() as connection:
        for table, record_id in ((scope, begun["scopeId"]), (negotiation, begun["negotiationId"])):
            assert connection.scalar(sa.select(table.c.sample).where(table.c.id == record_id))


def test_the_end_of_a_term_is_no_day_by_which_to_decide(driver: NegotiationDriver) -> None:
    before = record(driver, noticePeriod=None)
    assert (before["status"], before["actBy"]) == ("unknown", "2027-03-31")
    begun = renew(driver, before["id"])
    assert "actBy" not in begun
    assert "31 March 2028. By when it must be decided is not known." in begun["statement"]
    assert "actBy" not in driver.timeline(begun["negotiationId"])
    [listed] = driver.get("/v1/negotiation")["data"]
    assert "actBy" not in listed
    notice = {"noticePeriod": {"value": 3, "unit": "month"}}
    assert driver.api.patch(f"/v1/agreements/{before['id']}", json=notice).status_code == 200
    assert driver.timeline(begun["negotiationId"])["actBy"] == "2026-12-31"


def test_when_a_renewal_must_be_decided_follows_the_dates_of_its_agreement(driver: NegotiationDriver) -> None:
    before = record(driver)
    begun = renew(driver, before["id"])
    path = f"/v1/agreements/{before['id']}"
    assert begun["actBy"] == "2026-12-31"
    notice = {"noticePeriod": {"value": 4, "unit": "month"}}
    assert driver.api.patch(path, json=notice).json()["actBy"] == "2026-11-30"
    changed = driver.get(f"{path}/renewal")
    assert changed["statement"].endswith(
        "Its dates were changed since: by when it must be decided is 30 November 2026."
    )
    [listed] = driver.get("/v1/negotiation")["data"]
    timeline = driver.timeline(begun["negotiationId"])
    assert [one["actBy"] for one in (changed, listed, timeline)] == ["2026-11-30"] * 3


def test_a_term_that_nobody_has_said_is_a_guess_and_teaches_nothing(driver: NegotiationDriver) -> None:
    before = record(driver, termStart=None, autoRenewalTermMonths=None)
    begun = renew(driver, before["id"])
    [term] = driver.get(f"/v1/scope/{begun['scopeId']}")["scopeTerms"]
    assert (term["termLength"], term["termAssumed"]) == (12, True)
    agree(driver, begun["negotiationId"], 1000)
    texts = [one["text"] for one in driver.timeline(begun["negotiationId"])["entries"] if "text" in one]
    assert any(
        "Nothing is saved as a purchase: for how long it is paid is not stated" in one for one in texts
    )
    [made] = [one for one in driver.get("/v1/agreements")["data"] if one["id"] != before["id"]]
    assert "termEnd" not in made
    [line] = [one for one in made["lines"] if "productId" in one]
    assert (line["quantity"], line["amount"]) == (10, 1000)
