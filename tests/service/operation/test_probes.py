"""Whether a process lives and is ready, at its own port and at the private one, and its logs as JSON."""

import asyncio
import json
import logging
import urllib.error
import urllib.request
from io import StringIO

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.operation.private_server import serve_privately
from app.service.process import JsonFormatter

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_probes_need_no_key_and_say_which_part_is_missing(api: TestClient, context: Context) -> None:
    del api.headers["Authorization"]
    assert api.get("/livez").json() == {"status": "ok"}
    ready = api.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"database": "ok", "schema": "ok", "files": "ok"})
    with context.database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '999'"))
        connection.execute(sa.text("UPDATE schema_support SET oldest_code = '999'"))
    ready = api.get("/readyz")
    assert (ready.status_code, ready.json()["schema"]) == (503, "error")
    assert ready.headers["cache-control"] == "no-store"
    assert api.get("/livez").status_code == 200
    assert "/readyz" not in api.get("/v1/openapi").json()["paths"]


def test_the_private_address_answers_probes_and_nothing_else(context: Context) -> None:
    def get(port: int | None, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    async def look() -> list[int]:
        with serve_privately(context, "127.0.0.1:0", asyncio.get_running_loop()) as port:
            paths = ("/livez", "/readyz", "/metrics", "/v1/health")
            return [await asyncio.to_thread(get, port, path) for path in paths]

    assert asyncio.run(look()) == [200, 200, 200, 404]


def test_a_line_of_the_log_names_the_request_that_it_belongs_to(api: TestClient, context: Context) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.text("DROP TABLE agent_call"))
    lines = StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        answer = api.get("/v1/agents/calls", headers={"x-request-id": "mine"})
    finally:
        logging.getLogger().removeHandler(handler)
    assert answer.status_code == 500
    [line] = [json.loads(line) for line in lines.getvalue().splitlines() if '"mine"' in line]
    assert (line["requestId"], line["level"]) == ("mine", "error")
    assert "agent_call" in line["exception"]
