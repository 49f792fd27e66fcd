"""The feed of deadlines parses back equal; its address alone opens it, until it is revoked."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from icalendar import Calendar
from starlette.testclient import TestClient

from app.service.access.guard import ACCESS_CONTROL
from app.service.access.limits import RateLimiter
from app.service.agreements import feed_routes
from app.service.agreements.calendar import REMINDER_DAYS, CalendarDeadline, build_calendar
from app.service.context import Context
from app.service.database.tables import calendar_feed, membership, user_account
from app.service.ids import new_id
from tests.service.agreements.test_routes import YEAR
from tests.service.conftest import key_for
from tests.service.running_service import AGREEMENT

CHANGED = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def read_events(content: bytes) -> dict[str, list[Any]]:
    """First day, the day after the last, title and description of each event, by its id."""
    events: list[Any] = list(Calendar.from_ical(content).walk("VEVENT"))
    return {
        str(e["uid"]): [e.decoded("dtstart"), e.decoded("dtend"), str(e["summary"]), str(e["description"])]
        for e in events
    }


def make_deadlines(count: int) -> list[CalendarDeadline]:
    words = ("Größe; 50 %, «Büro»", "A\\B", "Line\nbreak", "x" * 300)
    return [
        CalendarDeadline(
            agreement_id=new_id(),
            name=f"{words[at % 4]} {at}",
            supplier_name=None if at % 3 else "Northgate, Ltd; Co",
            day=date(2026, 1, 1) + timedelta(days=at % 700),
            statement="30 September 2026: three months before the current term ends.",
            address="http://127.0.0.1:8501/agreement?id=1",
            changed_at=CHANGED,
        )
        for at in range(count)
    ]


def assert_parses_back(count: int) -> None:
    deadlines = make_deadlines(count)
    found = read_events(build_calendar(deadlines))
    assert len(found) == count * (1 + len(REMINDER_DAYS))
    for one in deadlines:
        uid = f"{one.agreement_id}-{one.day:%Y%m%d}-deadline@parley"
        expected = [one.day, one.day + timedelta(days=1), f"Decide: {one.title}", one.statement]
        assert found[uid] == expected
        for days in REMINDER_DAYS:
            reminder = found[uid.replace("deadline@", f"reminder-{days}@")]
            assert reminder[0] == one.day - timedelta(days=days)
            assert one.title in reminder[2]


def test_a_calendar_parses_back_equal() -> None:
    assert_parses_back(20)


@pytest.mark.campaign
def test_five_thousand_deadlines_parse_back_equal() -> None:
    assert_parses_back(5_000)


def test_a_feed_is_read_with_its_token_alone_until_it_is_revoked(
    api: TestClient, stranger: TestClient
) -> None:
    made = api.post("/v1/agreements", json={**YEAR, "termEnd": "2028-12-31"}).json()
    assert stranger.post("/v1/agreements", json=AGREEMENT).status_code == 201
    feed = api.post("/v1/calendar-feeds").json()
    assert [one["id"] for one in api.get("/v1/calendar-feeds").json()["data"]] == [feed["id"]]
    assert "url" not in api.get("/v1/calendar-feeds").json()["data"][0]
    path = feed["url"].removeprefix("http://testserver")
    anybody = TestClient(api.app)
    answer = anybody.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    events = read_events(answer.content)
    [deadline] = [event for uid, event in events.items() if uid.endswith("deadline@parley")]
    assert deadline[0] == date.fromisoformat(made["actBy"])
    assert deadline[3] == f"{made['action']}\n{made['statement']}"
    assert stranger.delete(f"/v1/calendar-feeds/{feed['id']}").status_code == 404
    assert api.delete(f"/v1/calendar-feeds/{feed['id']}").status_code == 200
    assert anybody.get(path).status_code == 404
    assert anybody.get("/v1/renewals.ics").status_code == 404


def test_the_end_of_a_term_is_no_deadline_in_a_feed(api: TestClient) -> None:
    agreed = {name: value for name, value in YEAR.items() if name != "noticePeriod"}
    assert api.post("/v1/agreements", json={**agreed, "termEnd": "2028-12-31"}).status_code == 201
    path = api.post("/v1/calendar-feeds").json()["url"].removeprefix("http://testserver")
    titles = [event[2] for event in read_events(api.get(path).content).values()]
    assert "The term ends: Analytics (Northgate Ltd)" in titles


def test_a_feed_ends_with_the_access_of_who_made_it_and_says_who_that_is(
    api: TestClient, context: Context
) -> None:
    key = {"Authorization": f"Bearer {key_for(context, role='buyer')}"}
    feed = api.post("/v1/calendar-feeds", headers=key).json()
    path = feed["url"].removeprefix("http://testserver")
    [listed] = api.get("/v1/calendar-feeds").json()["data"]
    assert listed["madeBy"] == "test"
    assert "usedAt" not in listed
    anybody = TestClient(api.app)
    assert anybody.get(path).status_code == 200
    assert "usedAt" in api.get("/v1/calendar-feeds").json()["data"][0]
    holder = api.get("/v1/access", headers=key).json()["holderId"]
    assert api.delete(f"/v1/keys/{holder}").status_code == 200
    assert anybody.get(path).status_code == 404
    assert api.get("/v1/calendar-feeds").json()["data"] == []


def test_a_feed_of_a_person_ends_with_their_membership(api: TestClient, context: Context) -> None:
    feed = api.post("/v1/calendar-feeds").json()
    path = feed["url"].removeprefix("http://testserver")
    with context.database.writing() as connection:
        [organisation] = connection.scalars(sa.select(calendar_feed.c.organisation_id))
        now, person = context.clock(), {"id": new_id(), "name": "Mia"}
        connection.execute(user_account.insert().values(**person, created_at=now))
        member = {"user_id": person["id"], "organisation_id": organisation, "role": "buyer"}
        connection.execute(membership.insert().values(**member, created_at=now))
        connection.execute(calendar_feed.update().values(maker_kind="person", maker_id=person["id"]))
    anybody = TestClient(api.app)
    assert anybody.get(path).status_code == 200
    assert api.get("/v1/calendar-feeds").json()["data"][0]["madeBy"] == "Mia"
    with context.database.writing() as connection:
        connection.execute(membership.delete())
    assert anybody.get(path).status_code == 404
    with context.database.writing() as connection:
        connection.execute(calendar_feed.update().values(maker_kind=None, maker_id=None))
    assert anybody.get(path).status_code == 200, "of a version that noted no maker"


def test_a_feed_is_made_anew_where_something_changed_alone(
    api: TestClient, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    build = feed_routes.build_calendar
    monkeypatch.setattr(
        feed_routes, "build_calendar", lambda deadlines: made.append(len(deadlines)) or build(deadlines)
    )
    one = api.post("/v1/agreements", json={**YEAR, "termEnd": "2028-12-31"}).json()["id"]
    path = api.post("/v1/calendar-feeds").json()["url"].removeprefix("http://testserver")
    anybody = TestClient(api.app)
    first = anybody.get(path)
    assert anybody.get(path).content == first.content
    known = anybody.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (known.status_code, known.content, made) == (304, b"", [1])
    changes: list[Callable[[], Any]] = [
        lambda: api.patch(f"/v1/agreements/{one}", json={"name": "Other"}),
        lambda: api.post(f"/v1/agreements/{one}/decision", json={"decision": "renegotiate"}),
        lambda: api.patch("/v1/working-days", json={"weekend": ["friday"]}),
        lambda: api.delete(f"/v1/agreements/{one}"),
    ]
    tag = first.headers["etag"]
    for change in changes:
        assert change().is_success
        answer = anybody.get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        tag = answer.headers["etag"]
    assert made == [1, 1, 1, 1, 0]


def test_a_feed_is_read_as_often_as_a_key_may_call(
    app: FastAPI, api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = api.post("/v1/calendar-feeds").json()["url"].removeprefix("http://testserver")
    monkeypatch.setattr(ACCESS_CONTROL.get(app), "limits", RateLimiter(3))
    statuses = [TestClient(app).get(path).status_code for _ in range(7)]
    assert {*statuses} == {200, 429}
