"""Events about the dates of agreements: each once, also where no worker ran for weeks."""

import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.service.agreements.alerts import send_due_alerts
from app.service.context import Context
from app.service.database.tables.webhooks import event
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.agreements.test_routes import YEAR
from tests.service.migrated_database import provide_schema


class Day:
    """A clock that tests move by whole days."""

    def __init__(self) -> None:
        self.today = date(2026, 1, 5)

    def __call__(self) -> datetime:
        return datetime(self.today.year, self.today.month, self.today.day, 9, 30, tzinfo=UTC)


@pytest.fixture
def day() -> Day:
    return Day()


@pytest.fixture
def app(settings: Settings, day: Day) -> Any:
    service = create_service(settings, day)
    provide_schema(CONTEXT.get(service).database)
    yield service
    CONTEXT.get(service).close()


def read_events(context: Context) -> list[dict[str, Any]]:
    with context.database.reading() as connection:
        bodies = connection.scalars(sa.select(event.c.body).order_by(event.c.created_at, event.c.id))
        return [json.loads(body) for body in bodies]


def let_days_pass(context: Context, day: Day, until: str, step: int = 1) -> None:
    """Run the job twice on each day on which a worker runs."""
    while day.today < date.fromisoformat(until):
        day.today += timedelta(days=step)
        send_due_alerts(context)
        send_due_alerts(context)


def test_each_event_of_two_years_is_sent_once(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    made = api.post("/v1/agreements", json={**YEAR, "maxRenewals": 1}).json()
    let_days_pass(context, day, "2028-02-01")
    events = read_events(context)
    assert {one["data"]["agreementId"] for one in events} == {made["id"]}
    approaching = [one["data"] for one in events if one["eventType"] == "agreement.notice.approaching"]
    assert [(one["actBy"], one["daysLeft"]) for one in approaching] == [
        (act_by, days)
        for act_by in ("2026-09-30", "2027-12-31")  # the second term ends by itself
        for days in (120, 90, 60, 30, 14, 7)
    ]
    others = [(one["eventType"], one["data"]) for one in events if "approaching" not in one["eventType"]]
    assert others == [
        ("agreement.notice.missed", {"agreementId": made["id"], "noticeDeadline": "2026-09-30"}),
        (
            "agreement.renewed",
            {
                "agreementId": made["id"],
                "currentTermStart": "2027-01-01",
                "currentTermEnd": "2027-12-31",
            },
        ),
        ("agreement.ended", {"agreementId": made["id"], "termEnd": "2027-12-31"}),
    ]


def test_a_worker_that_slept_tells_the_last_reminder_alone(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    api.post("/v1/agreements", json=YEAR)
    let_days_pass(context, day, "2026-09-25", step=263)
    [only] = read_events(context)
    assert only["data"]["daysLeft"] == 5
    let_days_pass(context, day, "2026-10-20", step=10)
    assert Counter(one["eventType"] for one in read_events(context)) == {
        "agreement.notice.approaching": 1,
        "agreement.notice.missed": 1,
    }


def test_what_was_decided_or_happened_before_is_no_news(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    decided = api.post("/v1/agreements", json=YEAR).json()["id"]
    api.post(f"/v1/agreements/{decided}/decision", json={"decision": "renew"})
    past = {"termStart": "2024-01-01", "termEnd": "2024-12-31"}
    api.post("/v1/agreements", json={**YEAR, **past, "renewalType": "none"})
    api.post("/v1/agreements", json={**YEAR, **past, "noticePeriod": {"value": 364, "unit": "day"}})
    send_due_alerts(context)
    assert read_events(context) == [], (
        "the last one renewed, and its deadline passed, before it was on record"
    )
    let_days_pass(context, day, "2026-12-01", step=30)
    assert {one["data"]["agreementId"] for one in read_events(context)} & {decided} == set()
