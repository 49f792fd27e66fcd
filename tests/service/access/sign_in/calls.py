"""What a browser, a dashboard and a tool ask in turn to sign somebody in."""

from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.database.tables import audit_entry
from tests.service.openid.small_provider import SmallProvider


def begin(client: TestClient, return_to: str = "") -> dict[str, str]:
    answer = client.post("/v1/sign-in/attempts", json={"returnTo": return_to})
    assert answer.status_code == 201, answer.text
    return answer.json()


def come_back(provider: SmallProvider, started: dict[str, str], **change: Any) -> dict[str, str]:
    """What the dashboard sends when the browser is back."""
    answer = {"attempt": started["attempt"], **provider.authorize(started["authorizationUrl"]), **change}
    return {name: value for name, value in answer.items() if value is not None}


def sign_in(client: TestClient, provider: SmallProvider) -> str:
    answer = client.post("/v1/sign-in", json=come_back(provider, begin(client)))
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


def access(client: TestClient, token: str) -> Any:
    return client.get("/v1/access", headers={"Authorization": f"Bearer {token}"})


def post(client: TestClient, path: str, token: str, body: Any = None) -> Any:
    return client.post(path, headers={"Authorization": f"Bearer {token}"}, json=body)


def count(context: Context, table: sa.Table) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def list_actions(context: Context) -> list[str]:
    """What people did, in its order; the log of this file's tests is one."""
    with context.database.reading() as connection:
        return list(connection.scalars(sa.select(audit_entry.c.action).order_by(audit_entry.c.id)))
