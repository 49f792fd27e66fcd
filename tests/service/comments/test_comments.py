"""Comments on scopes, negotiations and agreements, and their histories."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.access import Role
from app.contract.comments import MAX_COMMENT
from app.service.access.roles import RULES
from app.service.agreements.alerts import send_due_alerts
from app.service.comments import store
from app.service.comments.history import DONE, TOLD_BY_AUDIT
from app.service.comments.objects import TABLES
from app.service.context import Context
from app.service.database.tables import comment
from app.service.negotiation.jobs import plan_negotiation
from tests.service.conftest import key_for
from tests.service.organisation_factory import run_tasks

QUOTE = b"description,quantity,unit price,amount\nAnalytics Suite,10,100.00,1000.00\n"
START = {"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"}


def make_scope(api: TestClient) -> str:
    made = api.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)})
    return f"/v1/scope/{made.json()['scopeId']}"


def make_negotiation(api: TestClient) -> str:
    made = api.post("/v1/negotiation/start", json={**START, "supplier": {"name": "Works"}})
    return f"/v1/negotiation/{made.json()['negotiationId']}"


def make_agreement(api: TestClient) -> str:
    made = api.post("/v1/agreements", json={"name": "Pages", "termStart": "2020-01-01"})
    return f"/v1/agreements/{made.json()['id']}"


MAKERS: list[Callable[[TestClient], str]] = [make_scope, make_negotiation, make_agreement]


def call_as(app: FastAPI, context: Context, role: Role) -> TestClient:
    client = TestClient(app, follow_redirects=False)
    client.headers["Authorization"] = f"Bearer {key_for(context, role=role)}"
    return client


def write(api: TestClient, path: str, text: str, **headers: str) -> dict[str, Any]:
    answer = api.post(f"{path}/comments", json={"text": text}, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.json()


def read_texts(api: TestClient, path: str) -> list[str]:
    return [one["text"] for one in api.get(path).json()["data"]]


@pytest.mark.campaign
@pytest.mark.parametrize("make", MAKERS)
def test_what_is_written_is_read_by_the_organisation_alone(
    make: Callable[[TestClient], str], api: TestClient, stranger: TestClient
) -> None:
    path = make(api)
    first = write(api, path, "<b>Is this all?</b>\nYes.", **{"x-svc-end-user-email": "bea@acme.example"})
    assert (first["author"], first["authorKind"], first["mayDelete"]) == ("test", "key", True)
    assert first["onBehalfOf"] == "bea@acme.example"
    write(api, path, "Second.")
    page = api.get(f"{path}/comments?limit=1").json()
    assert [one["text"] for one in page["data"]] == ["Second."]
    assert page["pagination"]["total"] == 2
    assert read_texts(api, f"{path}/comments?offset=1") == ["<b>Is this all?</b>\nYes."]
    assert read_texts(api, f"{make(api)}/comments") == [], "of another thing"
    for method, place in (("GET", "comments"), ("POST", "comments"), ("GET", "history")):
        assert stranger.request(method, f"{path}/{place}", json={"text": "Hm."}).status_code == 404
    assert stranger.delete(f"{path}/comments/{first['id']}").status_code == 404
    assert len(read_texts(api, f"{path}/comments")) == 2


def test_its_author_and_an_admin_delete_a_comment_and_nobody_else(
    app: FastAPI, context: Context, api: TestClient
) -> None:
    path = make_agreement(api)
    bea, carl = call_as(app, context, "buyer"), call_as(app, context, "buyer")
    reader, admin = call_as(app, context, "reader"), call_as(app, context, "admin")
    ids = [write(bea, path, f"Number {number}")["id"] for number in range(2)]
    seen = {client: client.get(f"{path}/comments").json()["data"][0]["mayDelete"] for client in (bea, carl)}
    assert seen == {bea: True, carl: False}
    assert reader.post(f"{path}/comments", json={"text": "Hm."}).status_code == 403
    for other in (carl, reader):
        refused = other.delete(f"{path}/comments/{ids[0]}")
        assert refused.status_code == 403
    assert "Only its author" in carl.delete(f"{path}/comments/{ids[0]}").json()["detail"]
    assert bea.delete(f"{path}/comments/{ids[0]}").json() == {"id": ids[0]}
    assert bea.delete(f"{path}/comments/{ids[0]}").status_code == 404
    assert bea.delete(f"{make_agreement(api)}/comments/{ids[1]}").status_code == 404, "of another thing"
    assert admin.delete(f"{path}/comments/{ids[1]}").status_code == 200
    assert read_texts(api, f"{path}/comments") == []
    with context.database.reading() as connection:
        assert set(connection.scalars(comment.select().with_only_columns(comment.c.text))) == {""}


def test_a_blank_or_endless_comment_is_refused(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_agreement(api)
    for text in ("", " \n\t", "x" * (MAX_COMMENT + 1)):
        answer = api.post(f"{path}/comments", json={"text": text})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == "/text"
    monkeypatch.setattr(store, "MAX_COMMENTS", 1)
    write(api, path, "x" * MAX_COMMENT)
    assert api.post(f"{path}/comments", json={"text": "One more."}).status_code == 409


def test_the_history_of_an_agreement_says_who_did_what(api: TestClient, context: Context) -> None:
    path = make_agreement(api)
    change = {"termEnd": "2026-12-31", "noticePeriod": {"value": 3, "unit": "month"}}
    assert api.patch(path, json=change).status_code == 200
    kept, gone = write(api, path, "Finance has agreed."), write(api, path, "Wrong place.")
    api.delete(f"{path}/comments/{gone['id']}")
    page = api.get(f"{path}/history").json()
    assert [one["text"] for one in page["data"]] == [
        "The key “test” deleted a comment.",
        "The key “test” wrote a comment that was deleted later.",
        "The key “test” commented: “Finance has agreed.”",
        "The key “test” changed the notice period and the term end.",
        "The key “test” put this agreement on record.",
    ]
    assert [one.get("commentId") for one in page["data"]] == [None, None, kept["id"], None, None]
    assert page["pagination"]["total"] == 5
    assert read_texts(api, f"{path}/history?limit=2&offset=3") == [one["text"] for one in page["data"][3:]]


def test_a_history_says_what_the_background_did(api: TestClient, context: Context) -> None:
    scope, negotiation, agreement = (make(api) for make in MAKERS)
    run_tasks(context)
    plan_negotiation(context, negotiation.rpartition("/")[2])
    api.post(f"{negotiation}/attach", files={"file": ("offer.csv", QUOTE)})
    run_tasks(context)
    today = context.clock().date().isoformat()
    assert api.patch(agreement, json={"termEnd": today, "renewalType": "none"}).status_code == 200
    send_due_alerts(context)
    told = {path: api.get(f"{path}/history").json()["data"] for path in (scope, negotiation, agreement)}
    by_nobody = {
        path: [one["text"] for one in entries if one["actorKind"] == "background"]
        for path, entries in told.items()
    }
    assert by_nobody[scope] == ["Parley read the document “quote.csv” in the background."]
    assert any("Parley read an attached file in the background" in one for one in by_nobody[negotiation])
    assert all(
        one.startswith("Parley reported") and one.endswith(" in the background.")
        for one in by_nobody[agreement]
    )
    assert len(by_nobody[agreement]) == 1
    unknown = api.post("/v1/agreements", json={"name": "Open", "termEnd": today}).json()["id"]
    send_due_alerts(context)
    [told_of_end] = api.get(f"/v1/agreements/{unknown}/history?limit=1").json()["data"]
    assert "deadline" not in told_of_end["text"]  # it is not known: the term ends on that day
    assert all(
        "actor" not in one for entries in told.values() for one in entries if one["actorKind"] == "background"
    )


def test_every_change_of_what_has_a_history_has_a_sentence() -> None:
    changing = {
        name
        for name, rule in RULES.items()
        if rule.object_kind in {"scope", "negotiation", "agreement"} and not rule.is_recorded
    }
    told_otherwise = {f"{kind}Comments.create" for kind in TABLES} | {"agreements.delete"}
    assert set(DONE) == changing - told_otherwise | set(TOLD_BY_AUDIT)


def test_a_letter_that_a_person_marked_as_sent_was_not_the_background(
    api: TestClient, context: Context
) -> None:
    led = {**START, "engagementType": "svc_led", "supplier": {"name": "Works"}}
    path = f"/v1/negotiation/{api.post('/v1/negotiation/start', json=led).json()['negotiationId']}"
    plan_negotiation(context, path.rpartition("/")[2])
    [asked] = api.get(f"{path}/escalations").json()["data"]
    decision = {"decision": "go_ahead", "escalationId": asked["id"]}
    update = {
        "timestamp": "2026-11-20T10:00:00Z",
        "source": "test",
        "schema": {"$id": "urn:svc:decision:1"},
    }
    for number, payload in enumerate((decision, {"decision": "counter", "amount": 5})):
        sent = {**update, "externalId": str(number), "payload": payload}
        assert api.post(f"{path}/external-update", json=sent).status_code == 204
    [letter, *_] = api.get(f"{path}/timeline").json()["mails"]
    assert api.post(f"{path}/mails/{letter['id']}/sent").status_code == 200
    [newest, *older] = read_texts(api, f"{path}/history")
    assert newest == "The key “test” marked a letter as sent."
    assert not any("letters in the background" in one for one in older)
