"""Agreements over HTTP: what is put on record, found, changed and decided."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.database.columns import metadata
from app.service.database.tables import agreement, agreement_alert, audit_entry, letter, product
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.migrated_database import provide_schema

NOW = datetime(2026, 7, 15, 9, 30, tzinfo=UTC)
YEAR: dict[str, Any] = {
    "name": "Analytics",
    "supplierName": "Northgate Ltd",
    "owners": [{"name": "Bea Buyer", "email": "bea@acme.example"}],
    "currency": "USD",
    "totalValue": 73_000,
    "oneTimeValue": 0,
    "termStart": "2026-01-01",
    "termEnd": "2026-12-31",
    "renewalType": "auto_renew",
    "autoRenewalTermMonths": 12,
    "noticePeriod": {"value": 3, "unit": "month"},
}


@pytest.fixture
def app(settings: Settings) -> Any:
    service = create_service(settings, lambda: NOW)
    provide_schema(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).close()


def put(api: TestClient, **changes: Any) -> Any:
    body = {name: value for name, value in (YEAR | changes).items() if value is not None}
    answer = api.post("/v1/agreements", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def get(api: TestClient, path: str) -> Any:
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_agreement_is_put_on_record_with_its_dates_and_read_again(api: TestClient) -> None:
    made = put(api)
    assert made["status"] == "in_notice_window"
    assert made["stage"] == "not_started"
    assert (made["currentTermStart"], made["currentTermEnd"]) == ("2026-01-01", "2026-12-31")
    assert made["noticeDeadline"] == made["actBy"] == "2026-09-30"
    assert made["statement"] == (
        "30 September 2026: three months before the current term ends on 31 December 2026."
    )
    assert made["annualizedValue"] == 73_000
    assert made["missing"] == []
    path = f"/v1/agreements/{made['id']}"
    assert get(api, path) == made
    later = get(api, f"{path}?asOf=2026-10-01")
    assert later["status"] == "deadline_missed"
    assert get(api, f"{path}?asOf=2027-10-01")["noticeDeadline"] == "2027-09-30"
    listed = get(api, f"{path}/occurrences?limit=2")
    assert listed["data"] == [
        {"start": "2026-01-01", "end": "2026-12-31", "noticeDeadline": "2026-09-30"},
        {"start": "2027-01-01", "end": "2027-12-31", "noticeDeadline": "2027-09-30"},
    ]
    assert listed["pagination"]["total"] == 2098 - 2026 + 1


def test_what_a_row_of_before_states_as_paid_once_is_read(app: FastAPI, api: TestClient) -> None:
    made = put(api, oneTimeValue=3_000)
    with CONTEXT.get(app).database.writing() as connection:
        content = connection.scalars(sa.select(agreement.c.content)).one()
        del content["oneTimeValue"]
        connection.execute(agreement.update().values(content=content))
    assert get(api, f"/v1/agreements/{made['id']}") == made


def test_what_is_not_known_is_listed_and_no_date_is_made_of_it(api: TestClient) -> None:
    made = api.post("/v1/agreements", json={"name": "Something"}).json()
    assert made["status"] == "unknown"
    assert made["missing"] == [
        "supplierName", "owners", "currency", "totalValue", "termStart", "termEnd", "renewalType",
    ]  # fmt: skip
    assert not made.keys() & {"noticeDeadline", "actBy", "currentTermEnd", "annualizedValue"}
    evergreen = put(api, renewalType="evergreen", termEnd=None, noticePeriod=None)
    assert evergreen["missing"] == ["noticePeriod"]
    assert evergreen["status"] == "active"


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"termEnd": "2025-12-31"}, "/termEnd", "31 December 2025, is before the term starts"),
    ({"termEnd": "9999-12-31"}, "/termEnd", "renewalType evergreen"),
    ({"termEnd": "2099-01-01"}, "/termEnd", "leave it out"),
    ({"termStart": "1026-01-01"}, "/termStart", "must be from 1900-01-01"),
    ({"maxExtentDate": "2026-06-30"}, "/maxExtentDate", "before the first term ends"),
    (
        {"noticePeriod": {"value": 13, "unit": "month"}},
        "/noticePeriod",
        "longer than the first term",
    ),
    ({"autoRenewalTermMonths": 2}, "/noticePeriod", "longer than a renewal of two months"),
    ({"noticePeriod": {"value": 3, "unit": "week"}}, "/noticePeriod/unit", "business_day"),
    ({"termStart": "2026-02-29"}, "/termStart", "date"),
    ({"currency": "QQQ"}, "/currency", "QQQ is none"),
    ({"currency": "dollars"}, "/currency", ""),
    ({"oneTimeValue": 80_000}, "/oneTimeValue", "totalValue"),
    ({"noticeGivenOn": "2026-09-01", "noticePeriod": None}, "/noticeGivenOn", "noticePeriod"),
    ({"noticeGivenOn": "2026-09-01", "renewalType": "none"}, "/noticeGivenOn", "auto_renew"),
    ({"companyId": "01890000-0000-7000-8000-000000000000"}, "/companyId", "There is no such company"),
    ({"previousAgreementId": "01890000-0000-7000-8000-000000000000"}, "/previousAgreementId", "no such"),
]
"""What is changed of an agreement that can be, the place that is refused, and words of the refusal."""


def test_what_cannot_be_is_refused_with_its_place(api: TestClient) -> None:
    for changes, pointer, words in REFUSED:
        body = {name: value for name, value in (YEAR | changes).items() if value is not None}
        answer = api.post("/v1/agreements", json=body)
        assert answer.status_code == 400, changes
        [error] = answer.json()["errors"]
        assert error["pointer"] == pointer
        assert words in error["detail"]
    assert get(api, "/v1/agreements")["pagination"]["total"] == 0


def test_a_change_names_what_it_changes_and_null_removes(api: TestClient) -> None:
    made = put(api)
    path = f"/v1/agreements/{made['id']}"
    changed = api.patch(path, json={"noticePeriod": {"value": 90, "unit": "day"}, "tags": ["cloud"]}).json()
    assert changed["noticeDeadline"] == "2026-10-02"
    assert changed["tags"] == ["cloud"]
    removed = api.patch(path, json={"noticePeriod": None}).json()
    assert "noticeDeadline" not in removed
    assert removed["missing"] == ["noticePeriod"]
    assert {name: made[name] for name in YEAR if name != "noticePeriod"} == {
        name: removed[name] for name in YEAR if name != "noticePeriod"
    }
    for body in ({}, {"name": None}, {"termEnd": "2025-01-01"}):
        assert api.patch(path, json=body).status_code == 400, body


def test_with_another_supplier_s_name_it_is_no_longer_with_the_company(api: TestClient) -> None:
    entry = {"supplier": {"name": "Northgate Ltd"}, "product": {"name": "Analytics", "unit": "user"}}
    company_id = api.post("/v1/catalog/entries", json=entry).json()["companyId"]
    path = f"/v1/agreements/{put(api, companyId=company_id, supplierName=None)['id']}"
    same = api.patch(path, json={"supplierName": "Northgate Ltd", "reference": "C-1"}).json()
    assert (same["companyId"], same["supplierName"]) == (company_id, "Northgate Ltd")
    changed = api.patch(path, json={"supplierName": "Harbour Ltd"}).json()
    assert ("companyId" in changed, changed["supplierName"]) == (False, "Harbour Ltd")
    assert get(api, "/v1/spend?first=2026-01")["groups"][0]["name"] == "Harbour Ltd"
    back = api.patch(path, json={"companyId": company_id, "supplierName": "Harbour Ltd"}).json()
    assert (back["companyId"], back["supplierName"]) == (company_id, "Northgate Ltd")


def test_the_list_comes_in_the_order_in_which_to_act_and_counts_statuses(api: TestClient) -> None:
    names = {
        "late": {"termStart": "2025-09-01", "termEnd": "2026-08-31"},
        "soon": {"termStart": "2025-11-01", "termEnd": "2026-10-31"},
        "later": {},
        "none": {"renewalType": "evergreen", "termEnd": None},
        "past": {"termStart": "2025-01-01", "termEnd": "2025-12-31", "renewalType": "none"},
    }
    for name, changes in reversed(names.items()):
        put(api, name=name, **changes)
    listed = get(api, "/v1/agreements")
    assert [one["name"] for one in listed["data"]] == [*names]
    assert listed["statuses"] == [
        {"status": "active", "total": 1},
        {"status": "in_notice_window", "total": 2},
        {"status": "deadline_missed", "total": 1},
        {"status": "expired", "total": 1},
    ]
    assert [one["name"] for one in get(api, "/v1/agreements?limit=2&offset=1")["data"]] == ["soon", "later"]
    assert [one["name"] for one in get(api, "/v1/agreements?status=expired")["data"]] == ["past"]
    assert [one["name"] for one in get(api, "/v1/agreements?name=LATE")["data"]] == ["late", "later"]
    assert get(api, "/v1/agreements?missing=true")["pagination"]["total"] == 0
    renewals = get(api, "/v1/renewals?within=30")
    assert [one["name"] for one in renewals["data"]] == ["late", "soon"]
    assert [one["name"] for one in get(api, "/v1/renewals?within=0&asOf=2026-09-30")["data"]] == [
        "soon",
        "later",
    ]


def test_a_decision_is_stored_with_who_when_and_why(api: TestClient) -> None:
    made = put(api)
    path = f"/v1/agreements/{made['id']}"
    person = {"x-svc-end-user-email": "bea@acme.example"}
    decided = api.post(
        f"{path}/decision", json={"decision": "end", "note": "Not used."}, headers=person
    ).json()
    assert decided["stage"] == "will_not_renew"
    assert decided["noticeDeadline"] == "2026-09-30", "a decision gives no notice"
    assert decided["decisions"] == [
        {
            "decision": "end",
            "note": "Not used.",
            "termEnd": "2026-12-31",
            "decidedAt": "2026-07-15T09:30:00.000Z",
            "decidedBy": "test, on behalf of bea@acme.example",
        }
    ]
    noticed = api.post(f"{path}/decision", json={"decision": "end", "noticeGivenOn": "2026-07-14"}).json()
    assert "noticeDeadline" not in noticed
    assert noticed["statement"] == "Notice was given on 14 July 2026, so it ends on 31 December 2026."
    assert get(api, f"{path}?asOf=2027-02-01")["status"] == "ended"
    assert len(noticed["decisions"]) == 2


def test_an_option_is_taken_by_the_decision_to_renew(api: TestClient) -> None:
    made = put(api, renewalType="option")
    path = f"/v1/agreements/{made['id']}"
    assert get(api, f"{path}?asOf=2027-02-01")["status"] == "expired"
    taken = api.post(f"{path}/decision", json={"decision": "renew"}).json()
    assert (taken["status"], taken["stage"]) == ("active", "will_renew")
    assert get(api, f"{path}?asOf=2027-02-01")["currentTermEnd"] == "2027-12-31"
    api.post(f"{path}/decision", json={"decision": "end"})
    assert get(api, f"{path}?asOf=2027-02-01")["status"] == "expired"


def test_a_replaced_agreement_and_its_successor_name_each_other(api: TestClient) -> None:
    before, after = put(api), put(api, name="Analytics 2")
    path = f"/v1/agreements/{before['id']}"
    body = {"decision": "replace", "nextAgreementId": after["id"]}
    assert api.post(f"{path}/decision", json=body).json()["nextAgreementId"] == after["id"]
    assert get(api, f"/v1/agreements/{after['id']}")["previousAgreementId"] == before["id"]
    for wrong in (
        {"decision": "replace", "nextAgreementId": before["id"]},
        {"decision": "renew", "nextAgreementId": after["id"]},
        {"decision": "renew", "noticeGivenOn": "2026-07-01"},
    ):
        assert api.post(f"{path}/decision", json=wrong).status_code == 400, wrong


def test_agreements_do_not_follow_each_other_in_a_circle(api: TestClient) -> None:
    first = put(api)
    second = put(api, name="Second", previousAgreementId=first["id"])
    third = put(api, name="Third", previousAgreementId=second["id"])
    for follower in (first, second, third):
        answer = api.patch(f"/v1/agreements/{first['id']}", json={"previousAgreementId": follower["id"]})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/previousAgreementId")
    body = {"decision": "replace", "nextAgreementId": first["id"]}
    assert api.post(f"/v1/agreements/{third['id']}/decision", json=body).status_code == 400
    assert "nextAgreementId" not in get(api, f"/v1/agreements/{third['id']}")


@pytest.mark.campaign
def test_two_changes_at_once_make_no_circle(api: TestClient) -> None:
    for _ in range(5):
        pair = put(api)["id"], put(api)["id"]

        def follow(at: int, pair: tuple[str, str] = pair) -> int:
            body = {"previousAgreementId": pair[1 - at]}
            return api.patch(f"/v1/agreements/{pair[at]}", json=body).status_code

        with ThreadPoolExecutor(2) as users:
            assert sorted(users.map(follow, (0, 1))) == [200, 400]


@pytest.mark.parametrize("deleted", [True, False])
def test_an_agreement_that_two_follow_is_followed_by_the_other_where_one_goes(
    api: TestClient, deleted: bool
) -> None:
    before = put(api)
    stays = put(api, name="Stays", previousAgreementId=before["id"], termStart="2027-01-01", termEnd=None)
    goes = put(api, name="Goes", previousAgreementId=before["id"], termStart="2027-01-01", termEnd=None)
    path = f"/v1/agreements/{before['id']}"
    assert get(api, path)["nextAgreementId"] == goes["id"]
    gone = f"/v1/agreements/{goes['id']}"
    answer = api.delete(gone) if deleted else api.patch(gone, json={"previousAgreementId": None})
    assert answer.status_code == 200
    assert get(api, path)["nextAgreementId"] == stays["id"]
    assert "noticeDeadline" not in get(api, path), "another follows, so that it does not renew"


def test_deadlines_move_back_from_the_days_off_of_the_organisation(
    app: FastAPI, api: TestClient, stranger: TestClient
) -> None:
    made = put(api)
    assert get(api, "/v1/working-days") == {"weekend": ["saturday", "sunday"], "holidays": []}
    body = {"holidays": [{"date": "2026-09-30", "name": "Founders' day"}]}
    preview = api.post("/v1/working-days/preview", json=body).json()
    days = {"currentDeadline": "2026-09-30", "movedDeadline": "2026-09-29"}
    assert preview == {"total": 1, "data": [{"agreementId": made["id"], "name": "Analytics", **days}]}
    assert get(api, f"/v1/agreements/{made['id']}")["noticeDeadline"] == "2026-09-30", "nothing is changed"
    assert stranger.post("/v1/working-days/preview", json=body).json()["total"] == 0
    assert api.patch("/v1/working-days", json=body).status_code == 200
    moved = get(api, f"/v1/agreements/{made['id']}")
    assert moved["noticeDeadline"] == "2026-09-29"
    assert "moved back from Wednesday 30 September 2026, which is no working day" in moved["statement"]
    assert get(stranger, "/v1/working-days")["holidays"] == []


def test_nobody_else_sees_or_changes_an_agreement(api: TestClient, stranger: TestClient) -> None:
    made = put(api)
    path = f"/v1/agreements/{made['id']}"
    assert get(stranger, "/v1/agreements")["pagination"]["total"] == 0
    assert get(stranger, "/v1/renewals")["pagination"]["total"] == 0
    for answer in (
        stranger.get(path),
        stranger.get(f"{path}/occurrences"),
        stranger.patch(path, json={"name": "Mine"}),
        stranger.post(f"{path}/decision", json={"decision": "renew"}),
    ):
        assert answer.status_code == 404
    refused = stranger.post("/v1/agreements", json={"name": "X", "previousAgreementId": made["id"]})
    assert refused.status_code == 400
    assert get(api, path) == made


def test_an_organisation_has_room_for_so_many_agreements(app: FastAPI, api: TestClient) -> None:
    CONTEXT.get(app).settings.max_agreements = 1
    put(api)
    answer = api.post("/v1/agreements", json=YEAR)
    assert answer.status_code == 409
    assert "PARLEY_MAX_AGREEMENTS" in answer.json()["detail"]


@pytest.mark.campaign
def test_what_is_deleted_leaves_nothing_that_refers_to_it(app: FastAPI, api: TestClient) -> None:
    context = CONTEXT.get(app)
    before = put(api, name="Before")
    middle = put(api, name="Middle", previousAgreementId=before["id"], termStart="2027-01-01", termEnd=None)
    after = put(api, name="After", previousAgreementId=middle["id"])
    path = f"/v1/agreements/{before['id']}"
    assert get(api, path)["nextAgreementId"] == middle["id"]
    assert "noticeDeadline" not in get(api, path), "another follows, so that it does not renew"
    api.post(f"/v1/agreements/{middle['id']}/decision", json={"decision": "end"})
    api.post(f"/v1/agreements/{middle['id']}/comments", json={"text": "To delete too."})
    with context.database.writing() as connection:
        alert = {"agreement_id": middle["id"], "name": "a", "sent_at": NOW}
        connection.execute(agreement_alert.insert().values(alert))
        owner = sa.select(agreement.c.organisation_id).where(agreement.c.id == middle["id"]).scalar_subquery()
        told = {"id": "m", "kind": "deadline", "object_kind": "agreement", "object_id": middle["id"]}
        told |= {"reason": "a", "status": "queued", "recipient": "b@x", "attempts": 0, "created_at": NOW}
        connection.execute(letter.insert().values(organisation_id=owner, **told))
    answer = api.delete(f"/v1/agreements/{middle['id']}")
    assert (answer.status_code, answer.json()) == (200, {"id": middle["id"]})
    assert api.get(f"/v1/agreements/{middle['id']}").status_code == 404
    assert api.delete(f"/v1/agreements/{middle['id']}").status_code == 404
    alone = get(api, path)
    assert "nextAgreementId" not in alone
    assert alone["noticeDeadline"] == "2026-09-30"
    assert [one["name"] for one in get(api, "/v1/renewals")["data"]] == ["Before", "After"]
    assert "previousAgreementId" not in get(api, f"/v1/agreements/{after['id']}")
    with context.database.reading() as connection:
        for table in metadata.sorted_tables:
            if table is audit_entry:  # keeps what was done
                continue
            for column in table.columns:
                if isinstance(column.type, sa.String):
                    named = sa.select(sa.func.count()).select_from(table).where(column == middle["id"])
                    assert connection.scalar(named) == 0, f"{table.name}.{column.name}"


def test_a_line_names_no_product_of_another_organisation(api: TestClient, stranger: TestClient) -> None:
    entry = {
        "supplier": {"name": "Northgate Ltd"},
        "product": {"name": "Project Nightingale licence"},
        "confirmNew": True,
    }
    private = stranger.post("/v1/catalog/entries", json=entry).json()["productId"]
    line = {"productId": private, "description": "Licence"}
    refused = api.post("/v1/agreements", json={**YEAR, "lines": [line]})
    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/lines/0/productId"]
    made = api.post("/v1/agreements", json=YEAR).json()
    changed = api.patch(f"/v1/agreements/{made['id']}", json={"lines": [{"description": "Desk"}, line]})
    assert changed.status_code == 400
    assert [error["pointer"] for error in changed.json()["errors"]] == ["/lines/1/productId"]
    assert stranger.post("/v1/agreements", json={**YEAR, "lines": [line]}).status_code == 201


def test_an_agreement_whose_product_is_gone_can_be_changed(app: FastAPI, api: TestClient) -> None:
    entry = {"supplier": {"name": "Northgate Ltd"}, "product": {"name": "Desk"}, "confirmNew": True}
    own = api.post("/v1/catalog/entries", json=entry).json()["productId"]
    lines = [{"productId": own, "description": "Desk"}]
    made = api.post("/v1/agreements", json={**YEAR, "lines": lines}).json()
    with CONTEXT.get(app).database.writing() as connection:
        connection.execute(sa.delete(product).where(product.c.id == own))
    changed = api.patch(f"/v1/agreements/{made['id']}", json={"lines": [*lines, {"description": "Chair"}]})
    assert changed.status_code == 200
    assert len(changed.json()["lines"]) == 2
