"""What a statement's parameters and rows hold is in no message of an error: in no log, and in no answer."""

import logging

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import organisation

pytestmark = pytest.mark.both_stores

VALUE = "confidential-4711"


def test_a_statement_that_fails_shows_no_value(context: Context) -> None:
    row = {"id": "a", "name": VALUE, "created_at": context.clock()}
    rows = [row, {**row, "id": "b"}]
    with context.database.writing() as connection, pytest.raises(IntegrityError) as refused:
        connection.execute(organisation.insert(), rows)
    assert VALUE not in str(refused.value)
    assert VALUE not in str(refused.value.orig)


@pytest.mark.campaign
def test_a_call_that_fails_logs_and_answers_no_value(
    api: TestClient, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE webhook RENAME TO elsewhere"))
    with caplog.at_level(logging.DEBUG):
        answer = api.post("/v1/webhooks", json={"url": f"http://{VALUE}.com", "events": ["scope.extracted"]})
    with context.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO webhook"))
    assert answer.status_code == 500
    assert "no such table" in caplog.text or "does not exist" in caplog.text
    assert VALUE not in caplog.text + answer.text
