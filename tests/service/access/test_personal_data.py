"""What is on record of a person is exported whole, and erased everywhere: nothing names them afterwards, and
nobody else is touched."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access.personal_data import PLACES
from app.service.context import Context
from app.service.database.tables import membership, metadata, user_account
from tests.service.conftest import key_for
from tests.service.running_service import add_member

NAME, EMAIL = "Béa O'Buyer", "Bea@acme.example"


@pytest.fixture
def person(api: TestClient, context: Context) -> str:
    """Somebody who is named all over the place, and somebody beside them."""
    member = add_member(context, "Acme", NAME)
    with context.database.writing() as connection:
        connection.execute(user_account.update().where(user_account.c.id == member).values(email=EMAIL))
    owners = [{"name": NAME, "email": EMAIL.lower()}, {"name": "Béa", "email": "bea2@acme.example"}]
    agreement = api.post("/v1/agreements", json={"name": "Milk", "owners": owners}).json()
    for text in (f"Ask {NAME} or {EMAIL}.", "Ask O'Buyer, or Béa."):
        assert api.post(f"/v1/agreements/{agreement['id']}/comments", json={"text": text}).status_code == 201
    started = {
        "supplier": {"name": "Works"},
        "contactEmail": EMAIL,
        "contactName": NAME,
        "engagementType": "strategy_only",
    }
    assert api.post("/v1/negotiation/start", json=started).status_code == 201
    return member


def read_everything(context: Context) -> str:
    with context.database.reading() as connection:
        rows = [list(connection.execute(sa.select(table))) for table in metadata.sorted_tables]
    return json.dumps(
        rows, default=lambda one: list(one) if isinstance(one, sa.Row) else str(one), ensure_ascii=False
    )


def test_every_table_that_may_name_a_person_is_looked_at() -> None:
    naming = {
        "actor_id",
        "maker_id",
        "author_id",
        "asked_by",
        "settled_by",
        "decided_by",
        "named_by",
        "owners",
    }
    found = {table.name for table in metadata.sorted_tables if naming & set(table.columns.keys())}
    assert found - {"audit_entry"} <= set(PLACES)


@pytest.mark.campaign
def test_all_that_names_a_person_is_exported(api: TestClient, person: str) -> None:
    found = api.get(f"/v1/members/{person}/data").json()
    assert (found["name"], found["email"], found["leftOut"]) == (NAME, EMAIL, 0)
    places = [one["place"] for one in found["records"]]
    assert {"user_account", "membership", "agreement", "negotiation", "comment"} <= {*places}
    assert places.count("comment") == 1
    assert not any("digest" in one["content"] for one in found["records"])
    assert api.get("/v1/audit").json()["data"][0]["action"] == "members.export"


@pytest.mark.campaign
def test_nothing_names_an_erased_person_and_others_stay(
    api: TestClient, context: Context, person: str
) -> None:
    erased = api.post(f"/v1/members/{person}/erase").json()
    everything = read_everything(context)
    for word in (NAME, EMAIL, EMAIL.lower(), "bea o'buyer "):
        assert word not in everything
    [agreement] = api.get("/v1/agreements").json()["data"]
    owners = agreement["owners"]
    assert (agreement["name"], owners[0]["name"]) == ("Milk", erased["name"])
    assert owners[0]["email"].endswith("@erased.invalid")
    assert owners[1] == {"name": "Béa", "email": "bea2@acme.example"}
    comments = api.get(f"/v1/agreements/{agreement['id']}/comments").json()["data"]
    assert {one["text"] for one in comments} == {
        f"Ask {erased['name']} or {owners[0]['email']}.",
        "Ask O'Buyer, or Béa.",
    }
    assert api.get("/v1/members").json()["data"] == []
    assert api.get(f"/v1/search?q={NAME}").json()["groups"] == []


def test_who_is_not_one_s_own_is_neither_read_nor_erased(
    api: TestClient, stranger: TestClient, context: Context, person: str
) -> None:
    for method, path in (("GET", "data"), ("POST", "erase")):
        assert stranger.request(method, f"/v1/members/{person}/{path}").status_code == 404
    key_for(context, "Elsewhere")
    other = add_member(context, "Elsewhere", "Somebody", "reader")
    with context.database.writing() as connection:
        elsewhere = sa.select(membership.c.organisation_id).where(membership.c.user_id == other)
        row = {"user_id": person, "organisation_id": connection.scalar(elsewhere), "role": "buyer"}
        connection.execute(membership.insert().values(**row, created_at=context.clock()))
    refused = api.post(f"/v1/members/{person}/erase")
    assert (refused.status_code, NAME in read_everything(context)) == (409, True)
    admin = {"Authorization": f"Bearer {key_for(context, role='admin')}"}
    owner = add_member(context, "Acme", "An Owner", "owner")
    assert api.post(f"/v1/members/{owner}/erase", headers=admin).status_code == 403


def test_a_namesake_keeps_the_name(api: TestClient, context: Context, person: str) -> None:
    namesake = add_member(context, "Acme", NAME)
    owners: list[dict[str, Any]] = [{"name": NAME, "email": "other@acme.example"}]
    api.post("/v1/agreements", json={"name": "Tea", "owners": owners}).raise_for_status()
    api.post(f"/v1/members/{person}/erase").raise_for_status()
    assert [one["id"] for one in api.get("/v1/members").json()["data"]] == [namesake]
    [tea] = [one for one in api.get("/v1/agreements").json()["data"] if one["name"] == "Tea"]
    assert tea["owners"] == owners
