"""The list of scopes: names, statuses, filters, and what a person changes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import scope
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.listing import make_title
from tests.service.conftest import key_for
from tests.service.organisation_factory import run_tasks
from tests.service.scopes.conftest import Catalog, Quoter

START = {"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"}
TERM = {"termLength": 12, "purchaseType": "new_purchase"}
UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def listed(api: TestClient, **query: Any) -> list[dict[str, Any]]:
    answer = api.get("/v1/scope", params={"limit": 100, **query})
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    assert page["pagination"]["total"] == len(page["data"])
    return page["data"]


def one(api: TestClient, scope_id: str) -> dict[str, Any]:
    [record] = listed(api, ids=scope_id)
    return record


def rename(api: TestClient, scope_id: str, **change: Any) -> dict[str, Any]:
    answer = api.patch(f"/v1/scope/{scope_id}", json=change)
    assert answer.status_code == 200, answer.text
    record: dict[str, Any] = answer.json()
    assert record == one(api, scope_id)
    return record


def make(api: TestClient, catalog: Catalog, **more: Any) -> str:
    users = {"id": catalog.users, "value": 10}
    edition = {"id": catalog.edition, "value": "2"}
    product = {"productId": catalog.analytics, "pricingDimensions": [users, edition]}
    answer = api.post("/v1/scope", json={"scopeTerms": [TERM], "productTerms": [product], **more})
    assert answer.status_code == 201, answer.text
    scope_id: str = answer.json()["id"]
    return scope_id


def negotiate(api: TestClient, context: Context, scope_id: str) -> str:
    body = {**START, "supplier": {"name": "Northgate"}, "scope": {"scopeId": scope_id}}
    answer = api.post("/v1/negotiation/start", json=body)
    assert answer.status_code == 201, answer.text
    negotiation_id: str = answer.json()["negotiationId"]
    plan_negotiation(context, negotiation_id)
    return negotiation_id


def update(api: TestClient, negotiation_id: str, kind: str, **payload: Any) -> None:
    body = {
        "timestamp": "2026-11-20T09:30:00Z",
        "externalId": kind,
        "source": "test",
        "schema": {"$id": f"urn:svc:{kind}:1"},
        "payload": payload,
    }
    answer = api.post(f"/v1/negotiation/{negotiation_id}/external-update", json=body)
    assert answer.status_code == 204, answer.text


def test_a_document_goes_from_reading_to_review_and_is_replaced_by_its_confirmation(
    api: TestClient, context: Context, quoter: Quoter
) -> None:
    form = {"file": ("empty.pdf", b"%PDF-1.4 nothing")}
    broken = api.post("/v1/scope/from-document", files=form).json()["scopeId"]
    assert (one(api, broken)["name"], one(api, broken)["status"]) == ("empty.pdf", "reading")
    run_tasks(context)
    assert one(api, broken)["status"] == "unreadable"
    read = quoter.read("Northgate Analytics Starter,10,100.00,1000.00")
    record = one(api, read)
    assert record["status"] == "review"
    assert record["supplier"]["name"] == "Northgate Systems Ltd"
    assert record["currency"] == "USD"
    waiting = {group["kind"]: group for group in api.get("/v1/overview").json()["waiting"]}
    assert [item["scopeId"] for item in waiting["review"]["items"]] == [read]
    assert waiting["unreadable"]["items"][0]["detail"]
    [line] = quoter.lines(read)
    assert line["index"] == 0
    body = {"scopeTerm": TERM, "lines": [{"index": 0, "role": "product"}]}
    users, edition = (line["dimensions"][at] for at in (0, 1))
    chosen = [{"id": users["id"], "value": 10}, {"id": edition["id"], "value": "1"}]
    body["lines"][0]["productTerm"] = {"productId": line["productId"], "pricingDimensions": chosen}
    confirmed = api.post(f"/v1/scope/{read}/document/confirm", json=body)
    assert confirmed.status_code == 201, confirmed.text
    assert (one(api, read)["status"], one(api, confirmed.json()["id"])["status"]) == ("replaced", "ready")
    assert {group["kind"] for group in api.get("/v1/overview").json()["waiting"]} == {"unreadable"}
    rename(api, broken, archived=True)
    assert api.get("/v1/overview").json()["waiting"] == [], "what is archived waits for nobody"


@pytest.mark.campaign
def test_the_status_follows_the_negotiations(api: TestClient, context: Context, catalog: Catalog) -> None:
    scope_id = make(api, catalog)
    record = one(api, scope_id)
    assert (record["name"], record["status"]) == ("Northgate Analytics", "ready")
    assert record["supplier"] == {"companyId": catalog.northgate, "name": "Northgate Systems Ltd"}
    cancelled = negotiate(api, context, scope_id)
    assert one(api, scope_id)["status"] == "in_negotiation"
    update(api, cancelled, "cancellation", reason="Later.")
    assert one(api, scope_id)["status"] == "ready"
    assert not {"negotiationId", "agreementId", "requirementId"} & one(api, scope_id).keys()
    agreed = negotiate(api, context, scope_id)
    update(api, agreed, "quote", amount=900, currency="USD")
    update(api, agreed, "agreement", amount=900, currency="USD")
    assert (one(api, scope_id)["status"], one(api, scope_id)["negotiationId"]) == ("agreed", agreed)
    moved, follower = make(api, catalog), make(api, catalog, previousScopeId=scope_id)
    assert [one(api, each)["status"] for each in (scope_id, follower)] == ["agreed", "ready"]
    again = negotiate(api, context, follower)
    answer = api.post(f"/v1/negotiation/{again}/strategy", json={"scopeId": moved})
    assert answer.status_code < 300, answer.text
    assert [one(api, each)["status"] for each in (follower, moved)] == ["ready", "in_negotiation"]


@pytest.mark.campaign
def test_nobody_negotiates_in_a_currency_that_a_quote_does_not_name(
    api: TestClient, context: Context, quoter: Quoter
) -> None:
    negotiation_id = negotiate(
        api, context, quoter.read("Northgate Analytics Starter,10,100.00,1000.00", currency="")
    )
    [begun] = api.get("/v1/negotiation").json()["data"]
    assert (begun["id"], begun["openEscalations"]) == (negotiation_id, 1)
    assert not {"currency", "firstQuoted", "quoted"} & begun.keys()
    timeline = api.get(f"/v1/negotiation/{negotiation_id}/timeline").json()
    assert timeline["strategy"]["unavailable"] == "The quote names no currency; say which it is."


@pytest.mark.campaign
def test_the_list_is_filtered_and_counts_every_status(
    api: TestClient, context: Context, catalog: Catalog
) -> None:
    first, second, third = (make(api, catalog) for _ in range(3))
    rename(api, first, name="Ärger 100 % with Łódź_x")
    rename(api, second, archived=True)
    negotiate(api, context, third)

    def found(**query: Any) -> list[str]:
        return [record["id"] for record in listed(api, **query)]

    assert found() == [third, second, first]
    assert found(name="ARGER") == found(name="100 %") == found(name="łódź_") == [first]
    assert found(name="%") == [first]
    assert found(name="northgate systems") == [third, second, first], "by the supplier"
    assert found(name="nothing") == []
    assert found(status="in_negotiation") == [third]
    assert found(status="ready", archived="false") == [first]
    assert found(archived="true") == [second]
    assert found(companyId=catalog.northgate, archived="false") == [third, first]
    assert found(companyId=UNKNOWN) == []
    assert found(ids=f"{first},{third},{UNKNOWN}") == [third, first]
    assert found(ids="") == []
    assert found(status="completed") == [], "of a document, and there is none"
    page = api.get("/v1/scope", params={"status": "ready", "limit": 1, "archived": "false"}).json()
    assert page["statuses"] == [
        {"status": "ready", "total": 1},
        {"status": "in_negotiation", "total": 1},
    ]
    assert page["pagination"] == {"total": 1, "limit": 1, "offset": 0}
    for query in ({"status": "lost"}, {"archived": "1"}, {"companyId": "x"}, {"ids": "x"}):
        assert api.get("/v1/scope", params=query).status_code == 400


GOOD_NAMES = (
    "  Renewal of the desks  ",
    "<b>*bold*</b> [link](https://x.example) `code` :red[x]",
    "شراء مكاتب جديدة",
    "🪑 2027",
    "a" * 200,
)
BAD_NAMES = ("", "   ", "\u200b\u00ad", "a" * 500, "two\nlines", "a\x00b", "tab\tbed", "a \u202egnp.exe", 7)


def test_what_has_no_name_product_or_file_is_called_after_its_day() -> None:
    title = make_title([], "Marvora Software", None, datetime(2026, 11, 20, 23, tzinfo=UTC))
    assert title == "Marvora Software: Request of 20 November 2026"


def test_a_name_is_a_line_of_text_in_any_script(api: TestClient, catalog: Catalog) -> None:
    scope_id = make(api, catalog)
    for name in GOOD_NAMES:
        assert rename(api, scope_id, name=name)["name"] == name.strip()
    for name in BAD_NAMES:
        answer = api.patch(f"/v1/scope/{scope_id}", json={"name": name})
        assert answer.status_code == 400, name
        assert [wrong["pointer"] for wrong in answer.json()["errors"]] == ["/name"]
    for body in (
        {},
        {"status": "agreed"},
        {"name": "x", "currency": "EUR"},
        {"archived": "yes"},
        {"archived": None},
    ):
        assert api.patch(f"/v1/scope/{scope_id}", json=body).status_code == 400, body
    assert one(api, scope_id)["name"] == GOOD_NAMES[-1]
    assert rename(api, scope_id, name=None)["name"] == "Northgate Analytics"
    # The record of the interface has no other keys than before.
    assert set(api.get(f"/v1/scope/{scope_id}").json()) == {
        *("id", "source", "createdOn", "scopeTerms", "productTerms")
    }


def test_only_the_organisation_renames_its_scopes(
    api: TestClient, stranger: TestClient, context: Context, catalog: Catalog
) -> None:
    scope_id = make(api, catalog)
    for caller, path in ((stranger, scope_id), (api, UNKNOWN)):
        assert caller.patch(f"/v1/scope/{path}", json={"name": "Mine"}).status_code == 404
    reader = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
    assert api.patch(f"/v1/scope/{scope_id}", json={"name": "x"}, headers=reader).status_code == 403
    assert one(api, scope_id)["name"] == "Northgate Analytics"


@pytest.mark.campaign
def test_an_archived_scope_is_found_and_comes_back(
    api: TestClient, context: Context, catalog: Catalog, quoter: Quoter
) -> None:
    scope_id = make(api, catalog)
    rename(api, scope_id, name="Winter desks")
    since = rename(api, scope_id, archived=True)["archivedAt"]
    assert rename(api, scope_id, archived=True)["archivedAt"] == since, "archived twice, the first day counts"
    [group] = api.get("/v1/search", params={"q": "winter desks"}).json()["groups"]
    assert (group["kind"], group["hits"][0]["id"], group["hits"][0]["archived"]) == ("scope", scope_id, True)
    assert "archivedAt" not in rename(api, scope_id, archived=False)
    [group] = api.get("/v1/search", params={"q": "winter desks"}).json()["groups"]
    assert "archived" not in group["hits"][0]
    # Archiving stops nothing: neither a negotiation nor the reading of a document.
    rename(api, scope_id, archived=True)
    negotiate(api, context, scope_id)
    assert one(api, scope_id)["status"] == "in_negotiation"
    form = {"file": ("later.csv", b"description,amount\nOak,10\n")}
    unread = api.post("/v1/scope/from-document", files=form).json()["scopeId"]
    rename(api, unread, name="The oak", archived=True)
    run_tasks(context)
    record = one(api, unread)
    assert (record["name"], record["status"], "archivedAt" in record) == ("The oak", "review", True)


@pytest.mark.campaign
@pytest.mark.parametrize("rounds", [6])
def test_of_changes_at_once_each_is_whole(
    api: TestClient, context: Context, catalog: Catalog, rounds: int
) -> None:
    scope_id = make(api, catalog)
    changes: list[dict[str, Any]] = [{"name": f"Name {at}"} for at in range(rounds)] + [{"archived": True}]

    def change(body: dict[str, Any]) -> int:
        return api.patch(f"/v1/scope/{scope_id}", json=body).status_code

    with ThreadPoolExecutor(len(changes)) as pool:
        assert set(pool.map(change, changes)) == {200}
    record = one(api, scope_id)
    assert "archivedAt" in record
    assert record["name"] in {each.get("name") for each in changes}
    assert [each["id"] for each in listed(api, name=record["name"])] == [scope_id]
    with context.database.reading() as connection:
        stored = connection.execute(sa.select(scope.c.name, scope.c.title)).one()
    assert stored.name == stored.title == record["name"]
