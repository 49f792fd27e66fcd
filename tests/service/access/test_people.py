"""Keys and people over HTTP: who may give which role, what is shown once, and that the last owner stays."""

import base64
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.access import Role
from app.service.access.caller import Caller
from app.service.access.keys import find_organisation
from app.service.access.people_store import revoke_own_key
from app.service.access.sessions import start_session
from app.service.context import Context
from app.service.database.tables import idempotent_call
from app.service.http.problems import ApiProblem
from tests.service.conftest import key_for
from tests.service.running_service import add_member


def caller(app: FastAPI, key: str) -> TestClient:
    return TestClient(app, headers={"Authorization": f"Bearer {key}"}, raise_server_exceptions=False)


def make_key(api: TestClient, role: Role, name: str = "reports") -> Any:
    answer = api.post("/v1/keys", json={"name": name, "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()


def sign_in(context: Context, user_id: str) -> str:
    """The token of a session of a member of Acme."""
    with context.database.writing() as connection:
        member = Caller(user_id, find_organisation(connection, "Acme"), "buyer", user_id=user_id)
        return start_session(connection, member, context.clock())


def test_a_key_works_is_shown_once_and_ends(api: TestClient, app: FastAPI) -> None:
    made = make_key(api, "reader")
    holder = caller(app, made["key"])
    assert holder.get("/v1/access").json()["role"] == "reader"
    listed = api.get("/v1/keys").json()["data"]
    assert [one["name"] for one in listed] == ["reports", "test"]
    assert "key" not in listed[0]
    assert made["key"].startswith(listed[0]["hint"])
    assert api.delete(f"/v1/keys/{made['id']}").json() == {"id": made["id"], "name": "reports"}
    assert api.delete(f"/v1/keys/{made['id']}").status_code == 404
    assert "revokedAt" in api.get("/v1/keys").json()["data"][1]
    fresh = make_key(api, "reader")
    assert api.delete(f"/v1/keys/{fresh['id']}").status_code == 200
    assert caller(app, fresh["key"]).get("/v1/access").status_code == 401


def test_a_repeated_call_gives_the_same_key_which_is_stored_sealed(api: TestClient, context: Context) -> None:
    body, headers = {"name": "reports", "role": "reader"}, {"Idempotency-Key": "one"}
    first, second = (api.post("/v1/keys", json=body, headers=headers).json() for _ in range(2))
    assert first == second
    assert api.get("/v1/keys").json()["pagination"]["total"] == 2
    with context.database.reading() as connection:
        stored = connection.scalars(sa.select(idempotent_call.c.answer)).one()
    secret = first["key"].encode()
    assert secret not in stored
    assert base64.b64encode(secret)[:20] not in stored


def test_nobody_gives_or_ends_a_role_above_their_own(api: TestClient, app: FastAPI, context: Context) -> None:
    admin = caller(app, key_for(context, role="admin"))
    refused = admin.post("/v1/keys", json={"name": "more", "role": "owner"})
    assert refused.status_code == 403
    assert "above yours" in refused.json()["detail"]
    owners = make_key(api, "owner")
    assert admin.delete(f"/v1/keys/{owners['id']}").status_code == 403
    assert admin.delete(f"/v1/keys/{make_key(admin, 'admin')['id']}").status_code == 200


def test_the_last_access_of_an_owner_stays(api: TestClient, context: Context) -> None:
    [own] = api.get("/v1/keys").json()["data"]
    add_member(context, "Acme", "Olga Owner", role="owner")  # cannot sign in: there is no identity provider
    refused = api.delete(f"/v1/keys/{own['id']}")
    assert refused.status_code == 409
    assert "last access of an owner" in refused.json()["detail"]
    make_key(api, "owner")
    assert api.delete(f"/v1/keys/{own['id']}").status_code == 200


def test_an_owner_who_signs_in_is_an_access(api: TestClient, context: Context) -> None:
    [own] = api.get("/v1/keys").json()["data"]

    def revoke(*, people_sign_in: bool) -> None:
        with context.database.writing() as connection:
            revoke_own_key(
                connection,
                find_organisation(connection, "Acme"),
                own["id"],
                caller_role="owner",
                people_sign_in=people_sign_in,
                now=context.clock(),
            )

    with pytest.raises(ApiProblem, match="last access"):
        revoke(people_sign_in=True)
    add_member(context, "Acme", "Olga Owner", role="owner")
    revoke(people_sign_in=True)


def test_people_are_listed_and_signed_out_everywhere(api: TestClient, app: FastAPI, context: Context) -> None:
    user_id = add_member(context, "Acme", "Bea Buyer")
    tokens = [sign_in(context, user_id) for _ in range(2)]
    assert caller(app, tokens[0]).post("/v1/session/end").status_code == 200
    [member] = api.get("/v1/members").json()["data"]
    assert (member["id"], member["name"], member["role"], member["sessions"]) == (
        *(user_id, "Bea Buyer", "buyer", 1),
    )
    assert api.delete(f"/v1/members/{user_id}/sessions").json() == {
        **{"id": user_id, "name": "Bea Buyer", "ended": 1}
    }
    assert caller(app, tokens[1]).get("/v1/access").status_code == 401
    ended, left = api.get("/v1/audit").json()["data"][:2]
    assert ended["action"] == "members.signOut"
    assert ended["object"] == {"kind": "member", "id": user_id, "name": "Bea Buyer"}
    assert (left["action"], left["actor"]["kind"], left["actor"]["name"]) == (
        *("session.end", "person", "Bea Buyer"),
    )


def test_another_organisation_sees_and_ends_nothing(
    api: TestClient, stranger: TestClient, context: Context
) -> None:
    user_id, key = add_member(context, "Acme", "Bea Buyer"), make_key(api, "reader")
    assert stranger.get("/v1/members").json()["data"] == []
    assert [one["name"] for one in stranger.get("/v1/keys").json()["data"]] == ["test"]
    assert stranger.delete(f"/v1/keys/{key['id']}").status_code == 404
    assert stranger.delete(f"/v1/members/{user_id}/sessions").status_code == 404


def test_a_session_of_a_key_begins_and_ends_in_the_log(api: TestClient, app: FastAPI) -> None:
    token = api.post("/v1/session").json()["token"]
    for each in (api, caller(app, token)):
        assert [(key["name"], key["own"]) for key in each.get("/v1/keys").json()["data"]] == [("test", True)]
    assert caller(app, token).post("/v1/session/end").status_code == 200
    log = api.get("/v1/audit")
    assert [entry["action"] for entry in log.json()["data"]] == ["session.end", "session.start"]
    assert token not in log.text
