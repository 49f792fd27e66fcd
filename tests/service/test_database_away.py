"""The database is away, hangs or is locked: said with 503 and Retry-After, and got over without a restart."""

import sqlite3
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event
from starlette.testclient import TestClient

from app.service.database.tables import webhook
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.service_behind_proxy import ServiceBehindProxy, service_behind_proxy

HOOK = {"url": "http://example.com/hook", "events": ["scope.extracted"]}
A_HANG = 30
"""Seconds: far more than any answer here takes, far less than waiting without end."""


@pytest.fixture
def behind(postgres_database: str, tmp_path: Path) -> Generator[ServiceBehindProxy]:
    with service_behind_proxy(postgres_database, tmp_path / "data") as behind:
        yield behind


def _health(api: TestClient) -> dict[str, str]:
    answer = api.get("/v1/health")
    return {part["name"]: part["status"] for part in answer.json()["services"]} | {
        "http": str(answer.status_code)
    }


def test_a_server_that_is_away_is_503_until_it_is_back(behind: ServiceBehindProxy) -> None:
    api = behind.api
    assert api.get("/v1/webhooks").status_code == 200
    behind.proxy.refuse()
    for answer in (
        api.get("/v1/webhooks"),
        api.post("/v1/webhooks", json=HOOK),
        api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"}),
    ):
        assert answer.status_code == 503, answer.text
        assert answer.headers["retry-after"]
        assert "nothing was changed" in answer.json()["detail"]
    assert _health(api)["database"] == "error"
    assert _health(api)["http"] == "503"
    behind.proxy.accept()
    assert api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"}).status_code == 201
    assert _health(api)["database"] == "ok"


@pytest.mark.campaign
def test_a_server_that_hangs_ends_in_503_and_health_does_not_wait_for_it(behind: ServiceBehindProxy) -> None:
    api = behind.api
    assert api.get("/v1/webhooks").status_code == 200
    behind.proxy.stall()
    began = time.monotonic()
    for _ in range(2):
        assert _health(api)["database"] == "error"
    assert time.monotonic() - began < 2 * 4  # each within two seconds, and the machine may be busy
    answer = api.get("/v1/webhooks")
    assert answer.status_code == 503, answer.text
    assert answer.headers["retry-after"]
    assert time.monotonic() - began < A_HANG
    behind.proxy.flow()
    assert api.get("/v1/webhooks").status_code == 200
    assert _health(api)["database"] == "ok"


def test_a_connection_that_is_cut_while_committing_is_said_so_and_done_once(
    behind: ServiceBehindProxy,
) -> None:
    """The server has committed and its answer is lost."""

    def cut(connection: sa.Connection) -> None:
        if connection.get_execution_options().get("writing"):
            behind.proxy.cut_before_next_answer()

    def call() -> Any:
        return behind.api.post("/v1/webhooks", json=HOOK, headers={"Idempotency-Key": "a"})

    event.listen(behind.context.database.engine, "commit", cut)
    lost = call()
    event.remove(behind.context.database.engine, "commit", cut)
    assert lost.status_code == 503, lost.text
    assert "nothing was changed" not in lost.text
    assert "same Idempotency-Key" in lost.json()["detail"]
    assert call().status_code == 201
    with behind.context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(webhook)) == 1


@pytest.mark.campaign
def test_a_file_that_another_writer_holds_for_long_is_503(tmp_path: Any) -> None:
    app = create_service(
        Settings(database_url=None, data_dir=tmp_path / "data", rate_limit=0, database_timeout=1)
    )
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, raise_server_exceptions=False) as api:
        api.headers["Authorization"] = f"Bearer {key_for(context)}"
        writer = sqlite3.connect(tmp_path / "data" / "parley.sqlite3", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        assert api.get("/v1/webhooks").status_code == 200
        refused = api.post("/v1/webhooks", json=HOOK)
        writer.execute("ROLLBACK")
        writer.close()
        assert refused.status_code == 503, refused.text
        assert refused.headers["retry-after"]
        assert api.post("/v1/webhooks", json=HOOK).status_code == 201
