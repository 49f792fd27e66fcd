"""The audit log: one entry for each change, none for what changed nothing, and nothing of it is ever lost."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import audit_entry
from tests.service.conftest import key_for
from tests.service.running_service import create_one_of_everything
from tests.service.write_calls import make, with_planned_negotiation, write_calls


@pytest.fixture
def existing(context: Context, api: TestClient, tmp_path: Path) -> dict[str, Any]:
    return with_planned_negotiation(context, api, create_one_of_everything(context, api, tmp_path))


def entries(context: Context) -> list[Any]:
    with context.database.reading() as connection:
        return list(connection.execute(sa.select(audit_entry).order_by(audit_entry.c.id)))


def test_every_change_leaves_one_entry_and_every_refusal_none(
    context: Context, api: TestClient, existing: dict[str, Any]
) -> None:
    for name, call in write_calls(existing).items():
        before = len(entries(context))
        done = make(api, call("first"), f"audit-{name}")
        added = entries(context)[before:]
        assert len(added) == (1 if done.is_success else 0), (name, done.text)
        for entry in added:
            assert entry.actor_kind == "key"
            assert entry.actor_name == "test"
            assert entry.object_kind
            assert entry.object_id, name
            assert entry.summary
            assert entry.request_id == done.headers["x-request-id"]
        again = make(api, call("first"), f"audit-{name}")
        assert again.status_code == done.status_code
        reader = {"Authorization": f"Bearer {key_for(context, read_only=True)}"}
        path, arguments = call("first")
        assert api.post(path, headers=reader, **arguments).status_code == 403
        assert api.post(path, content=b"{", headers={"content-type": "application/json"}).is_client_error
        assert len(entries(context)) == before + len(added), name


def test_no_secret_comes_into_the_log(context: Context, api: TestClient) -> None:
    made = api.post(
        "/v1/webhooks", json={"url": "http://example.com/token-4711", "events": ["scope.extracted"]}
    )
    assert made.status_code == 201
    [entry] = entries(context)
    assert entry.object_id == made.json()["id"]
    assert entry.details["fields"] == ["events", "url"]
    assert made.json()["secret"] not in str(entry)
    assert "4711" not in str(entry)


def test_the_log_is_never_changed(context: Context, api: TestClient) -> None:
    assert api.post("/v1/agreements", json={"name": "One"}).status_code == 201
    for statement in (audit_entry.delete(), audit_entry.update().values(actor_name="nobody")):
        with pytest.raises(DBAPIError, match="never changed"), context.database.writing() as connection:
            connection.execute(statement)
    assert [entry.actor_name for entry in entries(context)] == ["test"]
