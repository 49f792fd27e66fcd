"""Events and letters about the dates of agreements: each once, also where no worker ran for weeks,
and whatever the mail server does meanwhile."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.message import Message
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.agreements.alerts import send_due_alert_mail, send_due_alerts
from app.service.background import mail_recipients
from app.service.context import Context
from app.service.database.tables import agreement, event, letter
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.agreements.test_routes import YEAR
from tests.service.background.mail_server import Inbox, MailServer
from tests.service.migrated_database import provide_schema


class Day:
    """A clock that tests move by whole days, or hours."""

    def __init__(self) -> None:
        self.today = date(2026, 1, 5)
        self.since_morning = timedelta()

    def __call__(self) -> datetime:
        return (
            datetime(self.today.year, self.today.month, self.today.day, 9, 30, tzinfo=UTC)
            + self.since_morning
        )

    def set(self, day: str) -> None:
        self.today, self.since_morning = date.fromisoformat(day), timedelta()

    def add_hours(self, hours: float) -> None:
        self.since_morning += timedelta(hours=hours)


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
    """Run the job on each day on which a worker runs, every seventh time twice."""
    for number in count():
        if day.today >= date.fromisoformat(until):
            return
        day.today += timedelta(days=step)
        send_due_alerts(context)
        if number % 7 == 0:
            send_due_alerts(context)


@pytest.mark.campaign
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


def test_the_end_of_an_agreement_whose_option_nobody_took_is_told(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    made = api.post("/v1/agreements", json={**YEAR, "renewalType": "option"}).json()
    let_days_pass(context, day, "2027-01-20", step=20)
    ended = [one["data"] for one in read_events(context) if one["eventType"] == "agreement.ended"]
    assert ended == [{"agreementId": made["id"], "termEnd": "2026-12-31"}]


def test_a_reminder_says_where_its_day_is_only_the_end_of_the_term(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    for notice in (YEAR["noticePeriod"], None):
        body = {**YEAR, "name": f"With {notice}", "noticePeriod": notice}
        made = api.post("/v1/agreements", json={name: one for name, one in body.items() if one})
        assert made.status_code == 201
    let_days_pass(context, day, "2026-09-25", step=263)
    told = {one["data"]["actBy"]: one["data"]["status"] for one in read_events(context)}
    assert told == {"2026-09-30": "in_notice_window", "2026-12-31": "unknown"}


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
    told = api.get("/v1/audit", params={"actorKind": "service"}).json()["data"]
    assert [one["summary"] for one in told] == [
        "Report that the deadline of an agreement was missed",
        "Report that the deadline of an agreement is near",
    ]


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


BEFORE = ["2026-06-02", "2026-07-02", "2026-08-01", "2026-08-31", "2026-09-16", "2026-09-23"]
"""120, 90, 60, 30, 14 and 7 days before 30 September 2026."""


@pytest.fixture
def inbox(context: Context) -> Iterator[Inbox]:
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    context.settings.smtp_url = SecretStr(f"smtp://127.0.0.1:{server.port}")
    context.settings.mail_domains = ("acme.example",)
    try:
        yield inbox
    finally:
        server.stop()


def work(context: Context, day: Day, *days: str) -> None:
    """Do what a worker does, twice on each of the days."""
    for one in days:
        day.set(one)
        for _ in range(2):
            send_due_alerts(context)
            send_due_alert_mail(context)


def text_of(message: Message) -> str:
    content: Any = message.get_payload(decode=True)
    return bytes(content).decode()


def statuses(context: Context) -> list[str]:
    with context.database.reading() as connection:
        about_dates = sa.select(letter.c.status).where(letter.c.kind == "deadline").order_by(letter.c.id)
        return list(connection.scalars(about_dates))


def test_each_owner_gets_each_letter_once(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    owners = [
        {"name": "Bea Buyer", "email": "bea@acme.example"},
        {"name": "Bea again", "email": "Bea@acme.example"},
        {"name": "Ole", "email": "ole@acme.example"},
        {"name": "Nobody"},
    ]
    made = api.post("/v1/agreements", json={**YEAR, "owners": owners, "maxRenewals": 1}).json()
    work(context, day, *BEFORE, "2026-10-01", "2027-01-01", "2028-01-01")
    assert {message["To"] for message in inbox.messages} == {"bea@acme.example", "ole@acme.example"}
    assert len({message["Message-ID"] for message in inbox.messages}) == len(inbox.messages)
    told = [message["Subject"] for message in inbox.messages if message["To"] == "ole@acme.example"]
    assert told == [
        *["An agreement needs your decision by 30 September 2026"] * 6,
        "A deadline of an agreement was missed",
        "An agreement has renewed",
        "An agreement has ended",
    ]
    assert len(told) == len(read_events(context)), "a letter for each event"
    letter = text_of(inbox.messages[0])
    for part in (
        "The agreement “Analytics” with Northgate Ltd needs a decision by 30 September 2026.",
        "30 September 2026: three months before the current term ends on 31 December 2026.",
        "USD 73,000",
        f"http://127.0.0.1:8501/agreement?id={made['id']}",
        "switched off",
    ):
        assert part in letter
    assert inbox.messages[0]["Auto-Submitted"] == "auto-generated"


def test_a_letter_takes_the_end_of_a_term_for_no_deadline(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    agreed = {name: value for name, value in YEAR.items() if name != "noticePeriod"}
    assert api.post("/v1/agreements", json=agreed).json()["status"] == "unknown"
    work(context, day, "2026-12-01")
    [message] = inbox.messages
    assert message["Subject"] == "The term of an agreement ends on 31 December 2026"
    assert "By when it must be decided is not known." in text_of(message)


def test_a_worker_that_slept_writes_the_last_reminder_alone(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    api.post("/v1/agreements", json=YEAR)
    work(context, day, "2026-09-29", "2026-09-30")
    assert len(inbox.messages) == 1


@pytest.mark.campaign
def test_a_mail_server_that_is_away_for_hours_costs_no_letter(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    api.post("/v1/agreements", json=YEAR)
    inbox.refusals = 12
    work(context, day, BEFORE[0])
    for _ in range(30):
        day.add_hours(1)
        send_due_alert_mail(context)
    [message] = inbox.messages
    assert "30 September 2026" in message["Subject"]
    assert statuses(context) == ["sent"]


def test_what_is_out_of_date_when_the_mail_server_is_back_is_not_sent(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    _, decided, moved = (
        api.post("/v1/agreements", json={**YEAR, "name": name}).json()["id"] for name in "abc"
    )
    inbox.refusals = 99
    work(context, day, BEFORE[4])
    api.post(f"/v1/agreements/{decided}/decision", json={"decision": "renew"})
    change = {"noticePeriod": {"value": 1, "unit": "month"}}
    assert api.patch(f"/v1/agreements/{moved}", json=change).status_code == 200
    inbox.refusals = 0
    work(context, day, BEFORE[5], "2026-09-30")
    assert sorted(message["Subject"] for message in inbox.messages) == [
        "An agreement needs your decision by 30 November 2026",
        "An agreement needs your decision by 30 September 2026",
    ]
    assert sorted(set(statuses(context))) == ["outdated", "sent"]


def test_an_address_that_is_refused_for_good_is_not_tried_again(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    inbox.unknown.add("gone@acme.example")
    api.post("/v1/agreements", json={**YEAR, "owners": [{"name": "Gone", "email": "gone@acme.example"}]})
    work(context, day, BEFORE[0])
    assert statuses(context) == ["failed"]


def test_an_organisation_switches_the_mail_off_and_no_invented_owner_gets_any(
    app: FastAPI, api: TestClient, stranger: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    assert api.get("/v1/deadline-mail").json() == {"enabled": True, "available": True}
    api.post("/v1/agreements", json=YEAR)
    sample = stranger.post("/v1/agreements", json=YEAR).json()["id"]
    with context.database.writing() as connection:
        connection.execute(agreement.update().where(agreement.c.id == sample).values(sample=True))
    inbox.refusals = 1
    work(context, day, BEFORE[0])
    assert api.patch("/v1/deadline-mail", json={"enabled": False}).json()["enabled"] is False
    assert stranger.get("/v1/deadline-mail").json()["enabled"] is True
    work(context, day, BEFORE[1])
    assert inbox.messages == [], "what waited is dropped, and nothing more is written"
    assert statuses(context) == ["outdated"]
    api.patch("/v1/deadline-mail", json={"enabled": True})
    work(context, day, BEFORE[2])
    assert len(inbox.messages) == 1


def test_without_a_mail_server_nothing_waits(
    app: FastAPI, api: TestClient, context: Context, day: Day
) -> None:
    api.post("/v1/agreements", json=YEAR)
    work(context, day, BEFORE[0])
    assert statuses(context) == []
    assert api.get("/v1/deadline-mail").json() == {"enabled": True, "available": False}


def test_no_letter_goes_to_a_stranger_and_its_subject_holds_nothing_that_somebody_wrote(
    app: FastAPI, api: TestClient, context: Context, day: Day, inbox: Inbox
) -> None:
    strangers = ["you@world.example", "bea@acme.example.evil.example", "ole@sub.acme.example"]
    owners = [{"name": "Win now!", "email": one} for one in [*strangers, "bea@ACME.example"]]
    api.post("/v1/agreements", json={**YEAR, "name": "Win now!", "supplierName": "evil", "owners": owners})
    work(context, day, BEFORE[0])
    assert [one["To"] for one in inbox.messages] == ["bea@acme.example"]
    assert "Win now!" not in inbox.messages[0]["Subject"]
    assert sorted(statuses(context)) == ["outdated", "outdated", "outdated", "sent"]


@pytest.mark.campaign
@pytest.mark.parametrize(("most", "to_one"), [(2, 50), (500, 2)])
def test_letters_of_a_day_are_bounded_and_leave_the_next_day(
    app: FastAPI,
    api: TestClient,
    context: Context,
    day: Day,
    inbox: Inbox,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    to_one: int,
) -> None:
    context.settings.max_mails = most
    monkeypatch.setattr(mail_recipients, "MOST_TO_ONE", to_one)
    for number in range(5):
        api.post("/v1/agreements", json={**YEAR, "name": f"{number}"})
    work(context, day, BEFORE[0])
    for sent in (2, 2, 4, 4, 5):
        assert len(inbox.messages) == sent
        day.add_hours(13)
        send_due_alert_mail(context)
