"""Two thousand deadlines over ninety days, with a worker that is killed ten times: each alert once."""

import asyncio
import json
import logging
import random
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from ipaddress import ip_network
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

import app.service.worker.worker as working
from app.contract.agreements import NewAgreement, WorkingDaysChange
from app.contract.events import EVENTS
from app.service.access.caller import RecordOrigin
from app.service.agreements.store import insert_agreement
from app.service.agreements.working_calendar import save_days_off
from app.service.background import db_writer, mail_recipients
from app.service.context import open_context
from app.service.database.tables import agreement, agreement_alert, delivery, event, letter, webhook
from app.service.worker import periodic_jobs
from app.settings import Settings
from tests.service.background.mail_server import Inbox, MailServer
from tests.service.background.worker_fixture import in_a_process, until
from tests.service.migrated_database import provide_schema
from tests.service.webhooks.receivers import Received, serving, status
from tests.service.webhooks.webhook_factory import a_webhook

COUNT, DAYS, KILLS = 2_000, 90, 10
FIRST_DAY = date(2026, 1, 5)
NOTICE = timedelta(days=30)
THRESHOLDS = (7, 14, 30, 60, 90, 120)
ONE_DAY = timedelta(days=1)
IN_FLIGHT = 64
"""So many deliveries at most may be sent and not yet recorded when a worker is killed."""


class FileClock:
    """The time that a file states: the day of all processes of the test."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self) -> datetime:
        return datetime.fromisoformat(self.path.read_text())

    def set(self, moment: datetime) -> None:
        part = self.path.with_suffix(".part")
        part.write_text(moment.isoformat())
        part.replace(self.path)


def work_by_the_clock(settings: Settings, path: Path) -> None:
    """Work as a worker whose hours last moments, and whose clock is the file."""
    logging.basicConfig(level=logging.CRITICAL)
    periodic_jobs.AGREEMENTS_SECONDS = 0.3
    periodic_jobs.MAIL_SECONDS = 0.1
    db_writer.POLL_SECONDS = 0.1
    mail_recipients.MOST_TO_ONE = 10_000
    working.open_context = partial(open_context, clock=FileClock(path))
    working.run_worker(settings, handlers={})


def list_term(number: int) -> tuple[bool, date, date]:
    """Return whether an agreement renews, the last day of its term, and the day by which to act."""
    end = FIRST_DAY + timedelta(days=number % 180)
    renews = number % 2 == 0
    return renews, end, end - NOTICE if renews else end


def expect_alert(number: int, day: date) -> tuple[str, str] | None:
    """Return what is to be told of an agreement on a day, if anything: the type, and the day that it is about
    with the days before it."""
    renews, end, act_by = list_term(number)
    left = (act_by - day).days
    if day > end:
        return ("agreement.renewed" if renews else "agreement.ended", f"{end}")
    if left < 0:
        return ("agreement.notice.missed", f"{act_by}") if act_by >= FIRST_DAY else None
    near = [days for days in THRESHOLDS if left <= days]
    return ("agreement.notice.approaching", f"{act_by} {near[0]}") if near else None


def read_alert(body: str, numbers: dict[str, int]) -> tuple[int, tuple[str, str]]:
    """Return the number of the agreement that an event is about, and its alert as `expect_alert` has it."""
    parsed = json.loads(body)
    kind, data = parsed["eventType"], parsed["data"]
    if kind == "agreement.notice.approaching":
        near = next(days for days in THRESHOLDS if data["daysLeft"] <= days)
        what = f"{data['actBy']} {near}"
    elif kind == "agreement.renewed":
        what = f"{date.fromisoformat(data['currentTermStart']) - ONE_DAY}"
    else:
        what = data.get("noticeDeadline") or data["termEnd"]
    return numbers[data["agreementId"]], (kind, what)


@pytest.fixture
def inbox(settings: Settings) -> Iterator[Inbox]:
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    settings.smtp_url = SecretStr(f"smtp://127.0.0.1:{server.port}")
    settings.mail_domains = ("acme.example",)
    settings.max_mails = 10_000
    yield inbox
    server.stop()


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_two_thousand_deadlines_are_told_once_each(settings: Settings, inbox: Inbox, tmp_path: Path) -> None:
    chance = random.Random(18)
    settings.webhook_retention_days = 1_000
    settings.webhook_allow = (ip_network("127.0.0.0/8"),)
    clock = FileClock(tmp_path / "clock")
    moment = datetime(FIRST_DAY.year, FIRST_DAY.month, FIRST_DAY.day, 9, 30, tzinfo=UTC)
    clock.set(moment)
    context = open_context(settings, clock)
    provide_schema(context.database)
    killed_on = set(chance.sample(range(DAYS), KILLS))
    expected: set[tuple[int, tuple[str, str]]] = set()
    kills = 0

    async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.002)
        await status(200)(received, writer)

    with serving(answer) as told:
        webhook_id, _ = a_webhook(context, told.url)
        numbers = put_on_record(context, webhook_id)
        start = in_a_process(work_by_the_clock, settings, clock.path)
        worker: ForkServerProcess = start.__enter__()
        try:
            for day in range(DAYS):
                clock.set(moment + timedelta(days=day))
                if day in killed_on:
                    time.sleep(chance.uniform(0.1, 1.5))
                    worker.kill()
                    worker.join()
                    start = in_a_process(work_by_the_clock, settings, clock.path)
                    worker = start.__enter__()
                    kills += 1
                today = FIRST_DAY + timedelta(days=day)
                for number in numbers.values():
                    alert = expect_alert(number, today)
                    expected.update([(number, alert)] if alert is not None else ())
                due = len(expected)
                until(lambda due=due: count(context, agreement_alert) >= due)
                until(lambda: waiting_mails(context) == 0)
            clock.set(moment + timedelta(days=DAYS - 1, minutes=10))  # the claims of killed workers run out
            until(lambda: unsent_mails(context) == 0)
            until(lambda: undelivered(context) == 0)
        finally:
            start.__exit__(None, None, None)
        received = Counter(each.headers["webhook-id"] for each in told.received)
    assert kills == KILLS

    with context.database.reading() as connection:
        rows = connection.execute(sa.select(event.c.id, event.c.body)).all()
        mails = connection.execute(sa.select(letter).where(letter.c.kind == "deadline")).all()
        named = connection.execute(sa.select(agreement.c.id, agreement.c.name))
        names = {row.id: row.name for row in named}
    found = Counter(read_alert(row.body, numbers) for row in rows)
    assert set(found) == expected
    assert set(found.values()) == {1}, "each event once"
    assert received.keys() == {row.id for row in rows}
    assert received.total() - len(rows) <= KILLS * IN_FLIGHT, "what killed workers had not recorded"

    assert {mail.status for mail in mails} == {"sent"}
    assert len(mails) == len(expected), "one letter for each"
    copies = Counter(message["Message-ID"] for message in inbox.messages)
    assert len(copies) == len(mails)
    assert copies.total() - len(copies) <= KILLS, "only the one that a killed worker was sending"
    recipients = {f"{mail.id}": names[mail.object_id] for mail in mails}
    for message in inbox.messages:
        row_id = message["Message-ID"].strip("<>").partition("@")[0]
        assert message["To"] == f"{recipients[row_id]}@acme.example"
        assert recipients[row_id] in str(message.get_payload())
    context.close()


def put_on_record(context: working.Context, webhook_id: str) -> dict[str, int]:
    """Write the agreements of an organisation that works on every day; return their numbers by their ids."""
    numbers: dict[str, int] = {}
    with context.database.writing() as connection:
        names = [each.event_name for each in EVENTS if each.event_name.startswith("agreement")]
        connection.execute(webhook.update().where(webhook.c.id == webhook_id).values(events=names))
    with context.database.writing() as connection:
        owner = connection.scalar(sa.select(webhook.c.organisation_id).where(webhook.c.id == webhook_id))
        assert owner is not None
        save_days_off(connection, owner, WorkingDaysChange(weekend=[], holidays=[]))
        for number in range(COUNT):
            renews, end, _ = list_term(number)
            body: dict[str, Any] = {
                "name": f"agreement{number}",
                "owners": [{"name": "Owner", "email": f"agreement{number}@acme.example"}],
                "termStart": "2025-01-01",
                "termEnd": f"{end}",
                "renewalType": "auto_renew" if renews else "none",
                **(
                    {"autoRenewalTermMonths": 12, "noticePeriod": {"value": 30, "unit": "day"}}
                    if renews
                    else {}
                ),
            }
            agreed = NewAgreement.model_validate(body)
            agreement_id = insert_agreement(
                connection,
                agreed,
                RecordOrigin(owner, context.clock()),
                max_agreements=COUNT,
            )
            numbers[agreement_id] = number
    return numbers


def count(context: working.Context, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table).where(*conditions)) or 0


def waiting_mails(context: working.Context) -> int:
    return count(context, letter, letter.c.status == "queued")


def unsent_mails(context: working.Context) -> int:
    return count(context, letter, letter.c.next_at.is_not(None))


def undelivered(context: working.Context) -> int:
    return count(context, delivery, delivery.c.next_at.is_not(None))
