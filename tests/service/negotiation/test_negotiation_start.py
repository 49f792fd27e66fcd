"""What a start takes and refuses."""

from typing import Any

import pytest
from httpx import Client

from app.service.context import Context
from tests.service.conftest import key_for
from tests.service.negotiation.negotiation_driver import Desk

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def refusal(desk: Desk, **body: Any) -> list[str]:
    answer = desk.api.post("/v1/negotiation/start", json=desk.body(**body))
    assert answer.status_code == 400, answer.text
    return [wrong["pointer"] for wrong in answer.json()["errors"]]


def test_what_the_caller_cannot_see_is_a_400_with_its_place(desk: Desk, stranger: Client) -> None:
    scope = stranger.post("/v1/scope", json=desk.market.scope()).json()["id"]
    theirs = stranger.post("/v1/files/upload", files={"file": ("q.csv", b"a,b\n1,2\n")}).json()["id"]
    assert refusal(desk, scope={"scopeId": scope}) == ["/scope/scopeId"]
    assert refusal(desk, scope={"scopeId": UNKNOWN}) == ["/scope/scopeId"]
    assert refusal(desk, file={"fileId": theirs}) == ["/file/fileId"]
    assert refusal(desk, file={"fileId": UNKNOWN}) == ["/file/fileId"]
    assert refusal(desk, supplier={"companyId": UNKNOWN}) == ["/supplier/companyId"]
    assert desk.get("/v1/negotiation")["pagination"]["total"] == 0


def test_a_body_that_breaks_the_interface_is_a_400_with_its_place(desk: Desk) -> None:
    assert refusal(desk, supplier={}) == ["/supplier"]
    assert refusal(desk, contactEmail="nobody") == ["/contactEmail"]
    assert refusal(desk, engagementType="both") == ["/engagementType"]
    assert refusal(desk, surprise=1) == ["/surprise"]
    assert refusal(desk, participants=[{"name": "x"}]) == ["/participants/0/email"]
    assert refusal(desk, metadata=[]) == ["/metadata"]
    assert refusal(desk, scope={"scopeTerms": desk.market.scope()["scopeTerms"]}) == ["/scope/productTerms"]
    assert refusal(desk, scope={**desk.market.scope(), "scopeId": UNKNOWN}) == ["/scope"]
    terms = desk.market.scope()
    terms["productTerms"][0]["productId"] = UNKNOWN
    assert refusal(desk, scope=terms) == ["/scope/productTerms/0/productId"]
    assert desk.get("/v1/scope")["pagination"]["total"] == 0


def test_a_start_takes_authorization_only(desk: Desk) -> None:
    headers = {"x-svc-end-user-ip": "nonsense", "x-svc-end-user-email": "nonsense"}
    assert desk.api.post("/v1/negotiation/start", json=desk.body(), headers=headers).status_code == 201
    negotiation_id = desk.start()
    assert desk.api.get(f"/v1/negotiation/{negotiation_id}/summary", headers=headers).status_code == 400


def test_a_read_only_key_may_follow_and_not_start(desk: Desk, context: Context) -> None:
    negotiation_id = desk.start()
    headers = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    assert desk.api.post("/v1/negotiation/start", json=desk.body(), headers=headers).status_code == 403
    assert desk.api.get(f"/v1/negotiation/{negotiation_id}/summary", headers=headers).status_code == 200


def test_unknown_inner_keys_are_taken_and_metadata_is_echoed_nowhere(desk: Desk) -> None:
    negotiation_id = desk.planned(
        supplier={"region": "north", "name": "Somebody"},
        metadata={"secret": "s3cr3t", "nested": [None, {"a": 1}]},
        participants=[{"name": "P", "email": "p@acme.example", "role": "legal", "phone": "1"}],
    )
    summary = desk.api.get(f"/v1/negotiation/{negotiation_id}/summary")
    assert summary.json()["supplier"].keys() <= {"companyId", "name", "domain"}
    assert "s3cr3t" not in summary.text
    assert desk.timeline(negotiation_id)["participants"][0]["role"] == "legal"


def test_another_organisation_sees_none_of_it(desk: Desk, stranger: Client) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 5000)
    (waiting,) = desk.escalations(negotiation_id)
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
    assert desk.status(negotiation_id) == "active"


def test_the_summary_has_the_interface_s_keys_and_no_other(desk: Desk) -> None:
    negotiation_id = desk.start(supplier={"name": "Nobody knows"}, scope=None)
    empty = desk.summary(negotiation_id)
    keys = [
        *("id", "status", "createdAt", "updatedAt", "url"),
        *("escalations", "supplier", "executiveSummaries", "scope"),
    ]
    assert list(empty) == keys
    assert empty["scope"] == {}
    assert empty["url"].endswith(f"?id={negotiation_id}")
    full = desk.planned()
    desk.quote(full, 5000)
    summary = desk.summary(full)
    assert list(summary) == keys
    assert set(summary["scope"]) == {"id", "scopeTerms", "productNames"}
    assert summary["scope"]["productNames"] == ["Suite 365"]
    (waiting,) = summary["escalations"]
    assert "description" not in waiting
    read = desk.get(f"/v1/negotiation/{full}/escalations/{waiting['id']}")
    assert list(read) == ["escalation"]
    assert set(read["escalation"]) == {*waiting, "description"}
    figures = {"quoted", "target", "walkAway", "agreed", "savings", "savingsRate"}
    for news in summary["executiveSummaries"]:
        assert set(news) == {"createdAt", "title", "text", "figures"}
        assert set(news["figures"]) <= figures


def test_lists_are_paged_filtered_and_newest_first(desk: Desk) -> None:
    first, second, third = desk.planned(), desk.planned(scope=None), desk.planned()
    desk.quote(third, 5000)
    page = desk.get("/v1/negotiation?limit=2")
    assert [one["id"] for one in page["data"]] == [third, second]
    assert page["pagination"] == {"total": 3, "limit": 2, "offset": 0}
    assert [one["id"] for one in desk.get("/v1/negotiation?status=pending")["data"]] == [first]
    assert desk.get(f"/v1/negotiation?companyId={desk.market.rival_id}")["data"] == []
    newest = page["data"][0]
    assert (newest["quoted"], newest["openEscalations"], newest["currency"]) == (5000, 1, "USD")
    assert newest["target"] <= newest["walkAway"]
    assert desk.get(f"/v1/negotiation/{third}/escalations?offset=5")["data"] == []
    assert desk.api.get(f"/v1/negotiation/{third}/escalations?status=maybe").status_code == 400
    assert desk.api.get(f"/v1/negotiation/{third}/escalations?limit=101").status_code == 400


@pytest.mark.parametrize(
    "path", ["nonsense/summary", f"{UNKNOWN}/summary", f"{UNKNOWN}/escalations", "faqs/nonsense"]
)
def test_an_id_that_is_none_is_a_400_and_an_unknown_one_a_404(desk: Desk, path: str) -> None:
    expected = 400 if "nonsense" in path else 404
    assert desk.api.get(f"/v1/negotiation/{path}").status_code == expected


def test_a_repeated_start_under_one_idempotency_key_is_one_negotiation(desk: Desk) -> None:
    headers = {"Idempotency-Key": "k1"}
    answers = [desk.api.post("/v1/negotiation/start", json=desk.body(), headers=headers) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert desk.get("/v1/negotiation")["pagination"]["total"] == 1
