"""A new secret key: every secret is sealed anew with it, and the old one is needed no more."""

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import sqlalchemy as sa
from cryptography.fernet import Fernet
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.context import Context, open_context
from app.service.database.columns import metadata
from app.service.database.tables import webhook
from app.service.resealing import SEALED, seal_anew
from app.service.start_checks import OtherDeployment, require_ready
from app.service.vault import InvalidToken, Vault
from app.settings import Settings
from tests.service.conftest import VAULT_KEY

pytestmark = pytest.mark.both_stores

NOT_SEALED = {"purchase.packed"}
"""Binary columns that hold no secret."""
NEW = Fernet.generate_key().decode()


@pytest.fixture
def host(settings: Settings) -> Iterator[Callable[..., Context]]:
    """`host(key, …)`: a host with these keys, the newest first."""
    with ExitStack() as stack:

        def open_host(*keys: str) -> Context:
            one = open_context(settings.model_copy(update={"secret_key": SecretStr(",".join(keys))}))
            stack.callback(one.close)
            return one

        yield open_host


def test_every_sealed_column_is_known() -> None:
    binary = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, sa.LargeBinary)
    }
    assert binary - NOT_SEALED == {f"{column.table.name}.{column.name}" for column in SEALED}


@pytest.mark.campaign
def test_after_a_rotation_the_new_key_alone_opens_everything(
    api: TestClient, context: Context, host: Callable[..., Context], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.resealing._AT_ONCE", 2)
    hook = {"url": "https://buyer.example/hook", "events": ["scope.extracted"]}
    ids = [
        api.post("/v1/webhooks", json=hook, headers={"Idempotency-Key": f"k{one}"}).json()["id"]
        for one in range(5)
    ]
    api.post(f"/v1/webhooks/{ids[0]}/secret")
    api.delete(f"/v1/webhooks/{ids[1]}")
    api.patch("/v1/second-opinion", json={"address": "https://m.example/v1", "model": "m", "key": "secret"})
    require_ready(context)
    before = _open_all(context, context.vault)
    both = host(NEW, VAULT_KEY)
    with pytest.raises(OtherDeployment):
        require_ready(host(NEW))
    require_ready(both)
    assert seal_anew(both) == 4 + 1 + 1 + 5  # webhooks, a retired secret, a second opinion, answers
    assert seal_anew(both) == 0
    alone = host(NEW)
    require_ready(alone)
    assert _open_all(alone, alone.vault) == before
    with pytest.raises(OtherDeployment):
        require_ready(host(VAULT_KEY))
    with pytest.raises(InvalidToken):
        _open_all(context, context.vault)


def _open_all(context: Context, vault: Vault) -> list[Any]:
    """All secrets, opened."""
    opened: list[Any] = []
    with context.database.reading() as connection:
        for column in SEALED:
            values = connection.scalars(sa.select(column).where(column.is_not(None)))
            opened.append(sorted(vault.open(value) for value in values if value))
        for stored in connection.scalars(sa.select(webhook.c.retired_secrets)):
            opened += [vault.open(base64.b64decode(one["secret"])) for one in stored or ()]
    return opened
