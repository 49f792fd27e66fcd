"""A webhook's secrets: rotated, each valid for its own day, and encrypted at rest."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.values import wire_instant
from app.service.context import Context
from app.service.database.tables import webhook
from app.service.http.dependencies import CONTEXT
from app.service.webhooks.signing import decode_secret, read_retired

NEW = {"url": "https://hooks.example.com/in", "events": ["scope.extracted"]}


def test_every_rotated_secret_stays_for_its_own_day_and_three_hold_at_most(
    app: FastAPI, api: TestClient, context: Context
) -> None:
    began, passed = context.clock(), timedelta()
    CONTEXT.set(app, replace(context, clock=lambda: began + passed))
    first = api.post("/v1/webhooks", json=NEW).json()
    address = f"/v1/webhooks/{first['id']}/secret"

    def held() -> list[tuple[str, timedelta]]:
        with context.database.reading() as connection:
            row = connection.execute(sa.select(webhook)).one()
        retired = read_retired(row.retired_secrets, began + passed)
        return [(context.vault.open(one.sealed).decode(), one.until - began) for one in retired]

    second = api.post(address).json()
    assert second["secret"] != first["secret"]
    passed = timedelta(hours=10)
    third = api.post(address).json()
    assert held() == [(first["secret"], timedelta(hours=24)), (second["secret"], timedelta(hours=34))]
    shown = api.get(f"/v1/webhooks/{first['id']}").json()
    assert shown["previousSecretUntil"] == third["previousSecretUntil"]
    refused = api.post(address)
    assert refused.status_code == 409
    assert wire_instant(began + timedelta(hours=24)) in refused.json()["detail"]
    passed = timedelta(hours=24, seconds=1)
    assert api.post(address).status_code == 200
    assert held() == [
        (second["secret"], timedelta(hours=34)),
        (third["secret"], timedelta(hours=48, seconds=1)),
    ]


def test_a_rotation_is_made_once_for_a_key(api: TestClient, context: Context) -> None:
    made = api.post("/v1/webhooks", json=NEW).json()
    rotations = [
        api.post(f"/v1/webhooks/{made['id']}/secret", headers={"Idempotency-Key": "once"}) for _ in range(3)
    ]
    assert [one.status_code for one in rotations] == [200] * 3
    assert len({one.json()["secret"] for one in rotations}) == 1
    with context.database.reading() as connection:
        assert len(connection.scalar(sa.select(webhook.c.retired_secrets)) or ()) == 1


def test_rotations_at_the_same_time_lose_no_secret(app: FastAPI, api: TestClient, context: Context) -> None:
    made = api.post("/v1/webhooks", json=NEW).json()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: api.post(f"/v1/webhooks/{made['id']}/secret"), range(4)))
    given = [answer.json()["secret"] for answer in answers if answer.status_code == 200]
    assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409]
    with context.database.reading() as connection:
        row = connection.execute(sa.select(webhook)).one()
    signed = [row.secret, *(one.sealed for one in read_retired(row.retired_secrets, context.clock()))]
    assert {context.vault.open(one).decode() for one in signed} == {made["secret"], *given}


def test_secrets_are_encrypted_at_rest(api: Any, context: Context) -> None:
    secret = api.post("/v1/webhooks", json=NEW).json()["secret"]
    with context.database.reading() as connection:
        kept = connection.scalar(sa.select(webhook.c.secret)) or b""
    assert secret.encode() not in kept
    assert decode_secret(secret) not in kept
