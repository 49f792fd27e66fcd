"""The feed of deadlines parses back equal; its address alone opens it, until it is revoked."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from starlette.testclient import TestClient

from app.service.agreements.calendar import REMINDER_DAYS, CalendarDeadline, build_calendar
from app.service.ids import new_id
from tests.service.agreements.test_routes import YEAR
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
    assert deadline[3] == made["statement"]
    assert stranger.delete(f"/v1/calendar-feeds/{feed['id']}").status_code == 404
    assert api.delete(f"/v1/calendar-feeds/{feed['id']}").status_code == 200
    assert anybody.get(path).status_code == 404
    assert anybody.get("/v1/renewals.ics").status_code == 404
