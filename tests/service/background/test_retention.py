"""What is old is forgotten, what is still owed is not."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.event import listen, remove
from starlette.testclient import TestClient

from app.service.background.retention import delete_old
from app.service.context import Context
from app.service.database.tables import attempt, delivery, event, idempotent_call
from app.service.webhooks import store
from tests.service.webhooks.webhook_factory import a_webhook, happen

pytestmark = pytest.mark.both_stores

SINCE = {"since": "2026-01-01T00:00:00Z"}


def count(context: Context, table: sa.Table) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def end(context: Context, event_id: str) -> None:
    with context.database.writing() as connection:
        connection.execute(
            sa.update(delivery)
            .where(delivery.c.event_id == event_id)
            .values(next_at=None, status="succeeded", attempts=1)
        )
        connection.execute(
            sa.insert(attempt).from_select(
                [
                    "delivery_id",
                    "number",
                    "started_at",
                    "duration_ms",
                    "outcome",
                    "request_headers",
                    "response_status",
                ],
                sa.select(
                    delivery.c.id,
                    sa.literal(1),
                    delivery.c.created_at,
                    sa.literal(5),
                    sa.literal("succeeded"),
                    sa.literal({}, sa.JSON()),
                    sa.literal(200),
                ).where(delivery.c.event_id == event_id),
            )
        )


@pytest.mark.campaign
def test_records_go_after_the_time_that_is_set_and_what_is_owed_stays(context: Context) -> None:
    id, _ = a_webhook(context, "https://example.com/")
    ended, owed, fresh = happen(context, id, 3)
    end(context, ended)
    end(context, fresh)
    later = replace(context, clock=lambda: context.clock() + timedelta(days=31))
    with context.database.writing() as connection:
        connection.execute(
            sa.update(delivery).where(delivery.c.event_id == fresh).values(updated_at=later.clock())
        )
    delete_old(context)
    assert (count(context, event), count(context, delivery), count(context, attempt)) == (3, 3, 2)
    delete_old(later)
    with context.database.reading() as connection:
        left = set(connection.scalars(sa.select(delivery.c.event_id)))
    assert left == {owed, fresh}
    assert (count(context, event), count(context, attempt)) == (2, 1)


def test_what_waits_for_a_webhook_that_is_off_or_gone_goes_too(context: Context) -> None:
    off, _ = a_webhook(context, "https://example.com/")
    gone, _ = a_webhook(context, "https://example.com/")
    happen(context, off)
    happen(context, gone)
    with context.database.writing() as connection:
        store.change_webhook(connection, off, enabled=False)
        store.delete_webhook(connection, gone, context.clock())
    delete_old(replace(context, clock=lambda: context.clock() + timedelta(days=31)))
    assert (count(context, event), count(context, delivery)) == (0, 0)


def test_stored_answers_go_after_a_day(context: Context) -> None:
    now = context.clock()
    with context.database.writing() as connection:
        for hours in (1, 23, 25, 48):
            connection.execute(
                sa.insert(idempotent_call).values(
                    api_key_id="k",
                    path="/v1/webhooks",
                    idempotency_key=str(hours),
                    body_digest="d",
                    started_at=now - timedelta(hours=hours),
                )
            )
    delete_old(context)
    with context.database.reading() as connection:
        left = connection.scalars(sa.select(idempotent_call.c.idempotency_key))
        assert sorted(left, key=int) == ["1", "23"]


def test_the_newest_answers_of_each_key_stay(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.service.background.retention.MOST_ANSWERS", 2)
    with context.database.writing() as connection:
        for key_id, count in (("reader", 5), ("buyer", 2)):
            for at in range(count):
                row = {"api_key_id": key_id, "path": f"/{at % 2}", "idempotency_key": str(at)}
                started_at = context.clock() - timedelta(seconds=at)
                connection.execute(
                    idempotent_call.insert().values(**row, body_digest="", answer=b"", started_at=started_at)
                )
    assert delete_old(context) == 3
    call = idempotent_call.c
    with context.database.reading() as connection:
        left = connection.execute(sa.select(call.api_key_id, call.idempotency_key)).all()
    assert {*map(tuple, left)} == {("reader", "0"), ("reader", "1"), ("buyer", "0"), ("buyer", "1")}


def test_what_was_touched_lately_stays_however_old_it_is(context: Context) -> None:
    id, _ = a_webhook(context, "https://example.com/")
    [event_id] = happen(context, id)
    later = replace(context, clock=lambda: context.clock() + timedelta(days=31))
    with context.database.writing() as connection:
        row = connection.execute(sa.select(delivery).where(delivery.c.event_id == event_id)).one()
        store.reschedule_deliveries(connection, [row.id], later.clock())
        store.change_webhook(connection, id, enabled=False)
    delete_old(later)
    assert (count(context, event), count(context, delivery)) == (1, 1)


@pytest.mark.campaign
@pytest.mark.parametrize("call", ["/events/redeliver", "/events/{event_id}/redeliver"])
def test_what_is_sent_again_while_retention_deletes_it_is_sent_or_refused(
    call: str, api: TestClient, context: Context
) -> None:
    new = {"url": "https://example.com/", "events": ["scope.extracted"]}
    id = api.post("/v1/webhooks", json=new).json()["id"]
    [event_id] = happen(context, id)
    end(context, event_id)
    with _meanwhile(context, "UPDATE delivery", lambda: delete_old(_a_month_later(context))) as met:
        answer = api.post(f"/v1/webhooks/{id}{call.format(event_id=event_id)}", json=SINCE)
    assert met
    is_kept = context.database.is_sqlite  # which lets one wait for the other
    assert len(api.get(f"/v1/webhooks/{id}/events").json()) == is_kept
    if "{event_id}" in call:
        assert answer.status_code == (200 if is_kept else 404), answer.text
    else:
        assert answer.json() == {"count": is_kept}


@pytest.mark.campaign
def test_an_event_that_is_sent_for_the_first_time_is_not_deleted_meanwhile(
    api: TestClient, context: Context
) -> None:
    new = {"url": "https://example.com/", "events": ["scope.extracted"]}
    id = api.post("/v1/webhooks", json=new).json()["id"]
    api.patch(f"/v1/webhooks/{id}", json={"enabled": False})
    [event_id] = happen(context, id)
    api.patch(f"/v1/webhooks/{id}", json={"enabled": True})
    with _meanwhile(context, "INSERT INTO delivery", lambda: delete_old(_a_month_later(context))) as met:
        answer = api.post(f"/v1/webhooks/{id}/events/redeliver", json=SINCE)
    assert met
    assert answer.json() == {"count": 1}, answer.text
    assert [each["id"] for each in api.get(f"/v1/webhooks/{id}/events").json()] == [event_id]


@pytest.mark.campaign
def test_an_event_that_is_being_deleted_is_not_sent_again(api: TestClient, context: Context) -> None:
    new = {"url": "https://example.com/", "events": ["scope.extracted"]}
    id = api.post("/v1/webhooks", json=new).json()["id"]
    api.patch(f"/v1/webhooks/{id}", json={"enabled": False})
    happen(context, id)
    api.patch(f"/v1/webhooks/{id}", json={"enabled": True})
    answers: list[Any] = []

    def redeliver() -> None:
        answers.append(api.post(f"/v1/webhooks/{id}/events/redeliver", json=SINCE))

    with _meanwhile(context, "DELETE FROM event", redeliver) as met:
        delete_old(_a_month_later(context))
    assert met
    assert answers[0].json() == {"count": 0}, answers[0].text
    assert count(context, event) == 0


def _a_month_later(context: Context) -> Context:
    return replace(context, clock=lambda: context.clock() + timedelta(days=31))


@contextmanager
def _meanwhile(context: Context, statement: str, work: Callable[[], object]) -> Generator[list[str]]:
    """Does the work in another thread when a statement that begins so is about to run; SQLite lets it wait
    until the transaction has ended. The list is not empty when it did."""
    met: list[str] = []
    other = threading.Thread(target=work)
    engine = context.database.engine

    def execute(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        if text.startswith(statement) and not met:
            met.append(text)
            other.start()
            if not context.database.is_sqlite:
                other.join(60)

    listen(engine, "before_cursor_execute", execute)
    try:
        yield met
        other.join(60)
        assert not other.is_alive()
    finally:
        remove(engine, "before_cursor_execute", execute)


@pytest.mark.campaign
@pytest.mark.parametrize(("days", "left"), [(None, 1), (30, 0), (50, 1)])
def test_comments_go_after_their_days_where_there_are_some(
    api: TestClient, context: Context, days: int | None, left: int
) -> None:
    agreement = api.post("/v1/agreements", json={"name": "Milk"}).json()["id"]
    api.post(f"/v1/agreements/{agreement}/comments", json={"text": "Hello"}).raise_for_status()
    settings = context.settings.model_copy(update={"comment_retention_days": days})
    now = context.clock() + timedelta(days=40)
    delete_old(replace(context, settings=settings, clock=lambda: now))
    comments = api.get(f"/v1/agreements/{agreement}/comments").json()["data"]
    assert [one["text"] for one in comments] == ["Hello"] * left
