"""The audit log as admins read it: pages that nothing moves, filters, and nothing of another organisation."""

import csv
from io import StringIO
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.access.audit_chain import Chaining, find_broken_link
from app.service.context import Context
from app.service.database.tables import audit_entry, audit_link, user_account
from tests.service.conftest import key_for
from tests.service.running_service import add_member


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


@pytest.mark.campaign
def test_pages_follow_each_other_while_the_log_grows(api: TestClient, agreements: list[str]) -> None:
    first = audit(api, limit=2)
    assert objects(first) == agreements[:2]
    post(api, "/v1/agreements", name="Meanwhile")
    second = audit(api, limit=2, before=first["next"])
    third = audit(api, limit=2, before=second["next"])
    assert objects(second) + objects(third) == agreements[2:]
    assert "next" not in third


@pytest.mark.campaign
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


@pytest.mark.campaign
def test_a_program_follows_the_log_and_misses_nothing(api: TestClient, context: Context) -> None:
    chaining = Chaining()

    def follow(after: int, **query: Any) -> Any:
        return audit(api, after=after, **query)

    post(api, "/v1/agreements", name="One")
    assert follow(0) == {"data": [], "last": 0}  # it has no number yet
    assert chaining.link_new_entries(context.database, context.clock()) == 1
    with context.database.reading() as connection:
        [first] = connection.execute(sa.select(audit_entry)).mappings()
    for name in ("Two", "Three"):
        post(api, "/v1/agreements", name=name)
    with context.database.writing() as connection:  # of a transaction that began long ago and ends now
        late = {**first, "id": f"{first['id'][:-1]}{'0' if first['id'][-1] != '0' else '1'}"}
        connection.execute(audit_entry.insert().values(late))
    assert chaining.link_new_entries(context.database, context.clock()) == 3
    assert chaining.link_new_entries(context.database, context.clock()) == 0
    read: list[Any] = []
    while (page := follow(read[-1]["number"] if read else 0, limit=2))["data"]:
        read += page["data"]
    assert page["last"] == 4
    assert [one["number"] for one in read] == [1, 2, 3, 4]
    assert {one["id"] for one in read} == {one["id"] for one in audit(api)["data"]}
    assert len({one["hash"] for one in read}) == 4
    assert follow(0, objectKind="scope")["data"] == []
    assert api.get("/v1/audit", params={"after": 0, "before": read[0]["id"]}).status_code == 400


def test_another_organisation_follows_its_own_log(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    for client in (api, stranger, api):
        post(client, "/v1/agreements", name="One")
    Chaining().link_new_entries(context.database, context.clock())
    own, others = (audit(client, after=0)["data"] for client in (api, stranger))
    assert [one["number"] for one in own] == [1, 2]
    assert [one["number"] for one in others] == [1]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "change", ["DELETE FROM audit_entry", "UPDATE audit_entry SET object_name = 'Other'"]
)
def test_an_entry_that_was_changed_or_removed_is_found(
    api: TestClient, context: Context, change: str, number: int
) -> None:
    for name in ("One", "Two", "Three"):
        post(api, "/v1/agreements", name=name)
    Chaining().link_new_entries(context.database, context.clock())
    with context.database.writing() as connection:
        links = connection.execute(sa.select(audit_link).order_by(audit_link.c.number)).all()
        organisation_id = links[0].organisation_id
        assert [find_broken_link(connection, organisation_id, most) for most in (None, 1, 2, 5)] == [None] * 4
        for kept in ("audit_entry_update", "audit_entry_delete", "audit_entry_is_kept ON audit_entry"):
            if (" ON " in kept) != context.database.is_sqlite:
                connection.exec_driver_sql(f"DROP TRIGGER {kept}")  # as who owns the table may
        connection.exec_driver_sql(f"{change} WHERE id = '{links[number - 1].entry_id}'")
        assert find_broken_link(connection, organisation_id) == number
        assert find_broken_link(connection, organisation_id, 1) == (3 if number == 3 else None)
        connection.rollback()


def test_files_exports_and_evidence_that_are_read_leave_an_entry(api: TestClient) -> None:
    file = api.post("/v1/files/upload", files={"file": ("a.csv", b"a,b\n1,2\n")}).json()
    path = f"/v1/files/{file['id']}"
    answer = api.get(path)
    assert api.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert api.get(f"{path[:-1]}{'0' if path[-1] != '0' else '1'}").status_code == 404
    assert api.get("/v1/agreements.csv").status_code == 200
    assert api.get("/v1/audit.csv").status_code == 200
    read = [(one["action"], one["object"].get("id"), one["requestId"]) for one in audit(api)["data"]]
    assert [action for action, *_ in read] == [
        "audit.exportCsv",
        "agreements.exportCsv",
        "files.download",
        "files.upload",
    ]
    assert read[2][1:] == (file["id"], answer.headers["x-request-id"])


def test_a_person_is_named_as_they_are_called_now(api: TestClient, app: FastAPI, context: Context) -> None:
    organisation = api.get("/v1/access").json()["organisation"]
    person = add_member(context, organisation, "Bea Buyer")
    assert api.delete(f"/v1/members/{person}/sessions").status_code == 200
    [entry] = audit(api)["data"]
    assert entry["object"]["name"] == "Bea Buyer"
    with context.database.writing() as connection:
        connection.execute(
            user_account.update().where(user_account.c.id == person).values(name="Bea Married")
        )
        assert "Bea" not in str(connection.execute(sa.select(audit_entry)).all())
    [entry] = audit(api)["data"]
    assert entry["object"]["name"] == "Bea Married"
