"""What must be done about an agreement: one sentence, one order, one answer to whether somebody must act."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.contract.dates import format_day

TODAY = datetime.now(UTC).date()


def put(api: TestClient, ends_in: int, **others: Any) -> dict[str, Any]:
    """An agreement of a year at GBP 7,800 that ends in so many days."""
    end = TODAY + timedelta(days=ends_in)
    body = {
        "name": "Analytics",
        "supplierName": "Northgate",
        "termStart": f"{end - timedelta(days=364)}",
        "termEnd": f"{end}",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
        "noticePeriod": {"value": 30, "unit": "day"},
        "currency": "GBP",
        "totalValue": 7800,
        **others,
    }
    answer = api.post("/v1/agreements", json={name: one for name, one in body.items() if one is not None})
    assert answer.status_code == 201, answer.text
    return answer.json()


def list_names(api: TestClient, within: int = 30) -> list[str]:
    return [one["name"] for one in api.get(f"/v1/renewals?within={within}").json()["data"]]


UNKNOWN: dict[str, Any] = {"noticePeriod": None}


@pytest.mark.parametrize(
    ("ends_in", "others", "status", "first_words", "money"),
    [
        (40, {}, "in_notice_window", "Give notice by", True),
        (20, {}, "deadline_missed", "The last day for notice was", True),
        (8, {"noticePeriod": None}, "unknown", "Find out by when notice must be given", True),
        (8, {"noticePeriod": None, "renewalType": "option"}, "unknown", "Find out by when the option", True),
        (8, {"noticePeriod": None, "renewalType": None}, "unknown", "Find out whether it renews", True),
        (8, {"noticePeriod": None, "renewalType": "none"}, "in_notice_window", "Renew or replace it", True),
        (40, {"renewalType": "option"}, "in_notice_window", "Take the option by", True),
        (40, {"totalValue": None}, "in_notice_window", "Give notice by", False),
        (40, {"currency": None}, "in_notice_window", "Give notice by", False),
    ],
)
def test_each_kind_says_what_to_do_with_its_money_and_is_never_taken_as_settled(
    api: TestClient, ends_in: int, others: dict[str, Any], status: str, first_words: str, money: bool
) -> None:
    made = put(api, ends_in, **others)
    assert made["status"] == status
    assert made["action"].startswith(first_words)
    assert ("GBP 7,8" in made["action"] or "GBP 7,7" in made["action"]) is money
    [listed] = api.get("/v1/renewals?within=30").json()["data"]
    [waiting] = [one for one in api.get("/v1/overview").json()["waiting"] if one["kind"] == "deadline"]
    assert listed["action"] == waiting["items"][0]["detail"] == made["action"]


def test_what_nobody_must_act_on_is_on_no_list(api: TestClient) -> None:
    put(api, 300, name="Later")
    put(api, 40, name="Decided")
    [decided] = api.get("/v1/renewals?within=30").json()["data"]
    path = f"/v1/agreements/{decided['id']}"
    assert "action" not in api.post(f"{path}/decision", json={"decision": "renew"}).json()
    ended = put(api, 40, name="Noticed")
    body = {"decision": "end", "noticeGivenOn": f"{TODAY}"}
    assert "action" not in api.post(f"/v1/agreements/{ended['id']}/decision", json=body).json()
    fixed = put(api, 8, name="Ends", renewalType="none", noticePeriod=None)
    answer = api.post(f"/v1/agreements/{fixed['id']}/decision", json={"decision": "end"}).json()
    assert ("action" in answer, answer["status"]) == (False, "active")
    assert list_names(api) == []


def test_where_the_last_day_is_not_known_an_agreement_comes_90_days_before_its_end(api: TestClient) -> None:
    put(api, 45, name="In 15 days")
    put(api, 100, name="Not known", noticePeriod=None)
    put(api, 200, name="Not known, later", noticePeriod=None)
    assert list_names(api) == ["Not known", "In 15 days"]
    assert list_names(api, 365) == ["Not known", "In 15 days", "Not known, later"]


def test_the_end_of_a_term_is_not_called_the_last_day_to_act(api: TestClient) -> None:
    made = put(api, 40, noticePeriod=None)
    end = date.fromisoformat(made["currentTermEnd"])
    body = {"decision": "put_off", "until": f"{end + timedelta(days=1)}"}
    refused = api.post(f"/v1/agreements/{made['id']}/decision", json=body)
    assert refused.status_code == 400
    assert f"The term ends on {format_day(end)}: it cannot be put off beyond that." in refused.text


def test_what_is_put_off_comes_back_on_its_day_and_never_after_the_last_one(api: TestClient) -> None:
    made = put(api, 40)
    path = f"/v1/agreements/{made['id']}"
    until, last = TODAY + timedelta(days=5), date.fromisoformat(made["noticeDeadline"])

    def put_off(day: date) -> int:
        body = {"decision": "put_off", "until": f"{day}", "note": "The owner is away."}
        return api.post(f"{path}/decision", json=body).status_code

    assert put_off(TODAY) == put_off(last + timedelta(days=1)) == 400
    assert api.post(f"{path}/decision", json={"decision": "end", "until": f"{until}"}).status_code == 400
    assert put_off(until) == 200
    now = api.get(path).json()
    assert (now["putOffUntil"], now["stage"], now["status"]) == (f"{until}", "not_started", made["status"])
    assert now["decisions"][0]["note"] == "The owner is away."
    assert list_names(api) == []
    on_its_day = api.get(f"/v1/renewals?within=30&asOf={until}").json()["data"]
    assert [one["name"] for one in on_its_day] == ["Analytics"]
    api.post(f"{path}/decision", json={"decision": "renegotiate"})
    assert "putOffUntil" not in api.get(path).json()
    assert list_names(api) == ["Analytics"]
    sooner = {"noticePeriod": {"value": 38, "unit": "day"}}
    assert put_off(until) == 200
    changed = api.patch(path, json=sooner).json()
    assert changed["putOffUntil"] == changed["actBy"] < f"{until}"
