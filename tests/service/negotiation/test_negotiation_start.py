"""The requests to start a negotiation that are accepted and refused, and who may read it."""

from typing import Any

import pytest
from httpx import Client

from app.service.context import Context
from tests.service.conftest import key_for
from tests.service.negotiation.negotiation_driver import NegotiationDriver

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def refusal(driver: NegotiationDriver, **body: Any) -> list[str]:
    answer = driver.api.post("/v1/negotiation/start", json=driver.body(**body))
    assert answer.status_code == 400, answer.text
    return [wrong["pointer"] for wrong in answer.json()["errors"]]


def test_a_record_that_the_caller_cannot_see_is_a_400_with_its_pointer(
    driver: NegotiationDriver, stranger: Client
) -> None:
    scope = stranger.post("/v1/scope", json=driver.market.scope()).json()["id"]
    theirs = stranger.post("/v1/files/upload", files={"file": ("q.csv", b"a,b\n1,2\n")}).json()["id"]
    assert refusal(driver, scope={"scopeId": scope}) == ["/scope/scopeId"]
    assert refusal(driver, scope={"scopeId": UNKNOWN}) == ["/scope/scopeId"]
    assert refusal(driver, file={"fileId": theirs}) == ["/file/fileId"]
    assert refusal(driver, file={"fileId": UNKNOWN}) == ["/file/fileId"]
    assert refusal(driver, supplier={"companyId": UNKNOWN}) == ["/supplier/companyId"]
    assert driver.get("/v1/negotiation")["pagination"]["total"] == 0


def test_an_invalid_body_is_a_400_with_its_pointer(driver: NegotiationDriver) -> None:
    assert refusal(driver, supplier={}) == ["/supplier"]
    assert refusal(driver, contactEmail="nobody") == ["/contactEmail"]
    assert refusal(driver, engagementType="both") == ["/engagementType"]
    assert refusal(driver, surprise=1) == ["/surprise"]
    assert refusal(driver, participants=[{"name": "x"}]) == ["/participants/0/email"]
    assert refusal(driver, metadata=[]) == ["/metadata"]
    assert refusal(driver, scope={"scopeTerms": driver.market.scope()["scopeTerms"]}) == [
        "/scope/productTerms"
    ]
    assert refusal(driver, scope={**driver.market.scope(), "scopeId": UNKNOWN}) == ["/scope"]
    terms = driver.market.scope()
    terms["productTerms"][0]["productId"] = UNKNOWN
    assert refusal(driver, scope=terms) == ["/scope/productTerms/0/productId"]
    assert driver.get("/v1/scope")["pagination"]["total"] == 0


def test_a_start_needs_authorization_only(driver: NegotiationDriver) -> None:
    headers = {"x-svc-end-user-ip": "nonsense", "x-svc-end-user-email": "nonsense"}
    assert driver.api.post("/v1/negotiation/start", json=driver.body(), headers=headers).status_code == 201
    negotiation_id = driver.start()
    assert driver.api.get(f"/v1/negotiation/{negotiation_id}/summary", headers=headers).status_code == 400


def test_a_read_only_key_may_read_but_not_start(driver: NegotiationDriver, context: Context) -> None:
    negotiation_id = driver.start()
    headers = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    assert driver.api.post("/v1/negotiation/start", json=driver.body(), headers=headers).status_code == 403
    assert driver.api.get(f"/v1/negotiation/{negotiation_id}/summary", headers=headers).status_code == 200


def test_unknown_inner_keys_are_accepted_and_metadata_is_never_returned(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned(
        supplier={"region": "north", "name": "Somebody"},
        metadata={"secret": "s3cr3t", "nested": [None, {"a": 1}]},
        participants=[{"name": "P", "email": "p@acme.example", "role": "legal", "phone": "1"}],
    )
    summary = driver.api.get(f"/v1/negotiation/{negotiation_id}/summary")
    assert summary.json()["supplier"].keys() <= {"companyId", "name", "domain"}
    assert "s3cr3t" not in summary.text
    assert driver.timeline(negotiation_id)["participants"][0]["role"] == "legal"


def test_a_supplier_of_the_catalog_has_its_name_before_anything_is_planned(driver: NegotiationDriver) -> None:
    by_id = {"companyId": driver.market.company_id}
    summary = driver.summary(driver.start(supplier=by_id))
    assert summary["supplier"]["name"]
    assert (
        driver.summary(driver.start(supplier={**by_id, "name": "Acme EMEA"}))["supplier"]["name"]
        == "Acme EMEA"
    )


@pytest.mark.campaign
def test_another_organisation_sees_no_negotiation(driver: NegotiationDriver, stranger: Client) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000)
    (waiting,) = driver.escalations(negotiation_id)
    path = f"/v1/negotiation/{negotiation_id}"
    for missing in (
        f"{path}/summary",
        f"{path}/timeline",
        f"{path}/escalations",
        f"{path}/escalations/{waiting['id']}",
    ):
        assert stranger.get(missing).status_code == 404
    update = {
        "timestamp": "2026-11-20T12:00:00Z",
        "externalId": "1",
        "source": "s",
        "schema": {"$id": "urn:svc:cancellation:1"},
        "payload": {},
    }
    assert stranger.post(f"{path}/external-update", json=update).status_code == 404
    assert stranger.post(f"{path}/attach", json={"fileId": UNKNOWN}).status_code == 404
    assert stranger.get("/v1/negotiation").json()["data"] == []
    assert stranger.get("/v1/negotiation/savings").json()["negotiations"] == []
    assert driver.status(negotiation_id) == "active"


def test_the_summary_has_the_interface_s_keys_and_no_other(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start(supplier={"name": "Nobody knows"}, scope=None)
    empty = driver.summary(negotiation_id)
    keys = [
        *("id", "status", "createdAt", "updatedAt", "url"),
        *("escalations", "supplier", "executiveSummaries", "scope"),
    ]
    assert list(empty) == keys
    assert empty["scope"] == {}
    assert empty["url"].endswith(f"?id={negotiation_id}")
    full = driver.start_planned()
    driver.quote(full, 5000)
    summary = driver.summary(full)
    assert list(summary) == keys
    assert set(summary["scope"]) == {"id", "scopeTerms", "productNames"}
    assert summary["scope"]["productNames"] == ["Suite 365"]
    (waiting,) = summary["escalations"]
    assert "description" not in waiting
    read = driver.get(f"/v1/negotiation/{full}/escalations/{waiting['id']}")
    assert list(read) == ["escalation"]
    assert set(read["escalation"]) == {*waiting, "description"}
    figures = {"quoted", "target", "walkAway", "agreed", "savings", "savingsRate"}
    for news in summary["executiveSummaries"]:
        assert set(news) == {"createdAt", "title", "text", "figures"}
        assert set(news["figures"]) <= figures


@pytest.mark.campaign
def test_lists_are_paged_filtered_and_newest_first(driver: NegotiationDriver) -> None:
    first, second, third = driver.start_planned(), driver.start_planned(scope=None), driver.start_planned()
    driver.quote(third, 5000)
    page = driver.get("/v1/negotiation?limit=2")
    assert [one["id"] for one in page["data"]] == [third, second]
    assert page["pagination"] == {"total": 3, "limit": 2, "offset": 0}
    assert [one["id"] for one in driver.get("/v1/negotiation?status=pending")["data"]] == [first]
    assert driver.get(f"/v1/negotiation?companyId={driver.market.competitor_id}")["data"] == []
    newest = page["data"][0]
    assert (newest["quoted"], newest["openEscalations"], newest["currency"]) == (5000, 1, "USD")
    assert newest["target"] <= newest["walkAway"]
    assert driver.get(f"/v1/negotiation/{third}/escalations?offset=5")["data"] == []
    assert driver.api.get(f"/v1/negotiation/{third}/escalations?status=maybe").status_code == 400
    assert driver.api.get(f"/v1/negotiation/{third}/escalations?limit=101").status_code == 400


@pytest.mark.parametrize(
    "path", ["nonsense/summary", f"{UNKNOWN}/summary", f"{UNKNOWN}/escalations", "faqs/nonsense"]
)
def test_an_invalid_id_is_a_400_and_an_unknown_one_a_404(driver: NegotiationDriver, path: str) -> None:
    expected = 400 if "nonsense" in path else 404
    assert driver.api.get(f"/v1/negotiation/{path}").status_code == expected


def test_a_repeated_start_under_one_idempotency_key_is_one_negotiation(driver: NegotiationDriver) -> None:
    headers = {"Idempotency-Key": "k1"}
    answers = [
        driver.api.post("/v1/negotiation/start", json=driver.body(), headers=headers) for _ in range(2)
    ]
    assert answers[0].json() == answers[1].json()
    assert driver.get("/v1/negotiation")["pagination"]["total"] == 1
