"""An event and its deliveries come to be with the change that caused them, or not at all."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.contract.events import ScopeExtracted
from app.service.background.tasks import enqueue_task, finish_task
from app.service.database.engine import Database, open_database
from app.service.database.tables import delivery, event, organisation, task, webhook
from app.service.ids import new_id
from app.service.webhooks.outbox import emit
from tests.service.migrated_database import provide_schema

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
EVENT = ScopeExtracted(scope_id=new_id(), status="completed")


@pytest.fixture
def database(tmp_path: Path):
    database = open_database(f"sqlite:///{tmp_path}/parley.sqlite3")
    provide_schema(database)
    yield database
    database.close()


def an_organisation(database: Database) -> str:
    id = new_id()
    with database.writing() as connection:
        connection.execute(sa.insert(organisation).values(id=id, name=id, created_at=NOW))
    return id


def a_webhook(database: Database, organisation_id: str, **over: object) -> str:
    row: dict[str, object] = {
        "id": new_id(),
        "organisation_id": organisation_id,
        "url": "https://example.com/hook",
        "events": ["scope.extracted"],
        "secret": b"",
        "enabled": True,
        "created_at": NOW,
    }
    with database.writing() as connection:
        connection.execute(sa.insert(webhook).values(row | over))
    return str((row | over)["id"])


def owed(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.scalars(sa.select(delivery.c.webhook_id).order_by(delivery.c.webhook_id)))


def test_each_listening_webhook_of_the_organisation_is_owed_the_event(database: Database) -> None:
    ours, other = an_organisation(database), an_organisation(database)
    listening = sorted([a_webhook(database, ours), a_webhook(database, ours)])
    a_webhook(database, ours, events=["negotiation.summary.updated"])
    a_webhook(database, ours, enabled=False)
    a_webhook(database, ours, deleted_at=NOW)
    a_webhook(database, other)
    with database.writing() as connection:
        emit(connection, EVENT, organisation_id=ours, now=NOW)
    assert owed(database) == listening


def test_the_body_is_the_event_type_and_its_data(database: Database) -> None:
    ours = an_organisation(database)
    with database.writing() as connection:
        id = emit(connection, EVENT, organisation_id=ours, now=NOW)
    with database.reading() as connection:
        body = connection.scalar(sa.select(event.c.body).where(event.c.id == id))
    assert json.loads(body or "") == {
        "eventType": "scope.extracted",
        "data": {"scopeId": EVENT.scope_id, "status": "completed"},
    }


def test_a_change_that_is_rolled_back_owes_nothing(database: Database) -> None:
    ours = an_organisation(database)
    a_webhook(database, ours)

    def change_that_fails() -> None:
        with database.writing() as connection:
            emit(connection, EVENT, organisation_id=ours, now=NOW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        change_that_fails()
    assert owed(database) == []


def test_a_test_goes_to_the_one_webhook_whatever_it_listens_to(database: Database) -> None:
    ours = an_organisation(database)
    a_webhook(database, ours)
    one = a_webhook(database, ours, events=["negotiation.summary.updated"])
    with database.writing() as connection:
        emit(
            connection,
            EVENT,
            organisation_id=ours,
            now=NOW,
            test=True,
            only_webhook=one,
        )
    assert owed(database) == [one]


def test_a_task_asked_for_twice_stands_once_and_leaves_when_finished(database: Database) -> None:
    subject = new_id()
    with database.writing() as connection:
        enqueue_task(connection, kind="extract", subject_id=subject, organisation_id=None, now=NOW)
        enqueue_task(connection, kind="extract", subject_id=subject, organisation_id=None, now=NOW)
        enqueue_task(connection, kind="plan", subject_id=subject, organisation_id=None, now=NOW)
    with database.writing() as connection:
        finish_task(connection, kind="extract", subject_id=subject)
    with database.reading() as connection:
        assert list(connection.scalars(sa.select(task.c.kind))) == ["plan"]
