"""The audit log as admins read it: pages that nothing moves, filters, and nothing of another organisation."""

import csv
from io import StringIO
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from tests.service.conftest import key_for

pytestmark = pytest.mark.both_stores


def post(api: TestClient, path: str, **body: Any) -> Any:
    answer = api.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def audit(api: TestClient, **query: Any) -> Any:
    answer = api.get("/v1/audit", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def agreements(api: TestClient) -> list[str]:
    """The ids of five agreements, the newest first."""
    return [post(api, "/v1/agreements", name=f"Agreement {number}")["id"] for number in range(5)][::-1]


def objects(page: Any) -> list[str]:
    return [entry["object"]["id"] for entry in page["data"]]


def test_an_entry_says_who_did_what_to_what_and_when(api: TestClient) -> None:
    made = api.post("/v1/agreements", json={"name": "Pages", "tags": ["team"]})
    agreement_id = made.json()["id"]
    [entry] = audit(api)["data"]
    assert entry["actor"]["kind"] == "key"
    assert entry["actor"]["name"] == "test"
    assert entry["action"] == "agreements.create"
    assert entry["summary"]
    assert entry["object"] == {
        "kind": "agreement",
        "id": agreement_id,
        "name": "Pages",
        "path": f"/v1/agreements/{agreement_id}",
    }
    assert entry["fields"] == ["name", "tags"]
    assert entry["requestId"] == made.headers["x-request-id"]
    assert entry["at"].startswith("20")
    assert api.get(entry["object"]["path"]).status_code == 200


def test_pages_follow_each_other_while_the_log_grows(api: TestClient, agreements: list[str]) -> None:
    first = audit(api, limit=2)
    assert objects(first) == agreements[:2]
    post(api, "/v1/agreements", name="Meanwhile")
    second = audit(api, limit=2, before=first["next"])
    third = audit(api, limit=2, before=second["next"])
    assert objects(second) + objects(third) == agreements[2:]
    assert "next" not in third


def test_filters_narrow_the_list(api: TestClient, context: Context, agreements: list[str]) -> None:
    assert api.delete(f"/v1/agreements/{agreements[0]}").status_code == 200
    colleague = {"Authorization": f"Bearer {key_for(context, role='buyer')}"}
    assert api.post("/v1/calendar-feeds", headers=colleague).status_code == 201
    feed, deletion, newest = audit(api)["data"][:3]
    assert feed["actor"]["id"] != deletion["actor"]["id"]
    assert [one["id"] for one in audit(api, actorId=feed["actor"]["id"])["data"]] == [feed["id"]]
    assert [one["id"] for one in audit(api, objectKind="feed")["data"]] == [feed["id"]]
    assert [one["id"] for one in audit(api, action="agreements.delete")["data"]] == [deletion["id"]]
    assert [one["id"] for one in audit(api, objectId=agreements[0])["data"]] == [deletion["id"], newest["id"]]
    assert objects(audit(api, until=newest["at"])) == agreements[1:]
    assert len(audit(api, since=newest["at"])["data"]) == 3
    assert audit(api, objectKind="feed", action="agreements.delete")["data"] == []


def test_what_is_gone_has_no_path(api: TestClient, agreements: list[str]) -> None:
    assert api.delete(f"/v1/agreements/{agreements[0]}").status_code == 200
    deletion, making, other = audit(api, limit=3)["data"]
    assert "path" not in deletion["object"]
    assert "path" not in making["object"]
    assert making["object"]["name"] == "Agreement 4"
    assert other["object"]["path"].endswith(agreements[1])


def test_another_organisation_reads_nothing(
    api: TestClient, stranger: TestClient, agreements: list[str]
) -> None:
    own = audit(api)["data"]
    assert audit(stranger) == {"data": []}
    assert audit(stranger, objectId=agreements[0]) == {"data": []}
    assert audit(stranger, actorId=own[0]["actor"]["id"]) == {"data": []}
    refused = stranger.get("/v1/audit", params={"before": own[0]["id"]})
    assert refused.status_code == 400
    assert "before" in refused.json()["detail"]
    assert stranger.get("/v1/audit.csv").text.count("\n") == 1


def test_the_file_has_the_entries_of_the_list(api: TestClient, agreements: list[str]) -> None:
    answer = api.get("/v1/audit.csv", params={"objectId": agreements[1]})
    assert answer.headers["content-disposition"] == 'attachment; filename="audit.csv"'
    [row] = csv.DictReader(StringIO(answer.content.decode("utf-8-sig")))
    [entry] = audit(api, objectId=agreements[1])["data"]
    assert row["object_id"] == agreements[1]
    assert row["actor_name"] == "test"
    assert row["at"] == entry["at"]
    assert row["request_id"] == entry["requestId"]


def test_no_name_in_the_file_is_a_formula(api: TestClient) -> None:
    assert api.post("/v1/keys", json={"name": "=1+1", "role": "reader"}).status_code == 201
    answer = api.get("/v1/audit.csv", params={"action": "keys.create"})
    [row] = csv.DictReader(StringIO(answer.content.decode("utf-8-sig")))
    assert row["object_name"] == "'=1+1"
