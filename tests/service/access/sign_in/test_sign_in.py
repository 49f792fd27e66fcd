"""Who is let in with the identity provider, and as what."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.contract.sign_in import BROWSER_HEADER
from app.dashboard_keys import seal_address
from app.service.access.holders import find_holder
from app.service.access.keys import hash_key
from app.service.access.limits import MAX_SIGN_INS
from app.service.context import Context
from app.service.database.tables import (
    identity,
    membership,
    organisation,
    used_ticket,
    user_account,
    user_session,
)
from app.service.http.dependencies import CONTEXT
from app.service.openid.requests import ProviderUnavailable
from app.service.openid.tokens import LOGOUT_EVENT
from app.settings import Settings
from tests.service.access.sign_in.calls import access, begin, come_back, count, list_actions, post, sign_in
from tests.service.access.sign_in.conftest import AUDIENCE, Clock
from tests.service.conftest import VAULT_KEY, key_for
from tests.service.openid.small_provider import CLIENT_ID, SmallProvider


def test_a_person_signs_in_as_what_their_groups_say(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    assert client.get("/v1/sign-in").json() == {"provider": "your company account", "keys": True}
    started = begin(client, "scope?id=1")
    asked = parse_qs(urlsplit(started["authorizationUrl"]).query)
    assert asked["redirect_uri"] == ["http://127.0.0.1:8501/session/callback"]
    assert started["attempt"] not in started["authorizationUrl"]
    session = client.post("/v1/sign-in", json=come_back(provider, started)).json()
    assert session["returnTo"] == "scope?id=1"
    with context.database.reading() as connection:
        [person] = connection.scalars(sa.select(user_account.c.id))
    assert access(client, session["token"]).json() == {
        "holderId": person,
        "keyName": "Ada",
        "person": "Ada",
        "organisation": "Acme",
        "role": "buyer",
        "readOnly": False,
    }


@pytest.mark.parametrize(
    ("claim", "stated", "shown"),
    [
        ("name", "Ada \ud83d", "Ada \ufffd"),
        ("name", "\udc00Ada\x00", "\ufffdAda\ufffd"),
        ("name", "\x00", "\ufffd"),
        ("name", "Ada \U0001f600", "Ada \U0001f600"),
        ("name", "Ada\ud83d" * 500, "Ada\ufffd" * 50),
        ("name", ["\ud800"], "u-1"),
        ("email", "a\ud800@acme.test\x00", "Ada"),
        ("sid", "p\ud800\x00" * 400, "Ada"),
        ("groups", ["\ud800", "buyers", "\x00"], "Ada"),
        ("anything", {"\ud800": ["\x00"]}, "Ada"),
    ],
)
def test_what_no_database_takes_is_replaced_in_what_is_shown(
    claim: str, stated: object, shown: str, client: TestClient, provider: SmallProvider
) -> None:
    provider.claims[claim] = stated
    token = sign_in(client, provider)
    assert access(client, token).json()["person"] == shown
    order = provider.token(typ="logout+jwt", events={LOGOUT_EVENT: {}}, jti=f"j-{claim}-\ud800")
    assert client.post("/v1/sign-in/logout", data={"logout_token": order}).status_code == 200
    assert access(client, token).status_code == 401


@pytest.mark.parametrize("subject", ["u\ud800", "u\x00", "\x00"])
def test_a_subject_that_cannot_be_stored_is_nobodys(
    subject: str, client: TestClient, provider: SmallProvider
) -> None:
    provider.claims["sub"] = subject
    answer = client.post("/v1/sign-in", json=come_back(provider, begin(client)))
    assert answer.status_code == 403
    assert "(sub)" in answer.json()["detail"]


@pytest.mark.parametrize("text", ["\ud800", "\x00", "\udc00" * 9])
def test_steps_of_a_sign_in_take_any_text(text: str, client: TestClient, provider: SmallProvider) -> None:
    for path, fields in {
        "/v1/sign-in/attempts": ("returnTo",),
        "/v1/sign-in": ("attempt", "state", "code", "iss", "error"),
    }.items():
        for field in fields:
            body = (
                come_back(provider, begin(client), **{field: text})
                if path == "/v1/sign-in"
                else {field: text}
            )
            answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
            assert answer.status_code in ({201, 400} if field == "returnTo" else {400, 403}), (
                field,
                answer.text,
            )


def test_roles_change_at_the_next_sign_in_and_a_person_is_no_email(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    provider.claims |= {"groups": ["readers"], "email": "ada@acme.test"}
    first = sign_in(client, provider)
    assert access(client, first).json()["readOnly"] is True
    assert post(client, "/v1/calendar-feeds", first).json()["detail"] == "You may only read."
    provider.claims |= {"groups": ["readers", "heads", "others"]}
    second = sign_in(client, provider)
    assert access(client, second).json()["readOnly"] is False
    assert count(context, user_account) == 1
    with context.database.reading() as connection:
        roles = connection.execute(sa.select(membership.c.role).order_by(membership.c.role)).scalars().all()
    assert roles == ["admin", "owner"]
    # The same address of another subject is another person.
    provider.claims |= {"sub": "u-2"}
    sign_in(client, provider)
    assert count(context, identity) == 2


@pytest.mark.campaign
def test_nobody_unmapped_is_let_in_and_is_told_whom_to_ask(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    for groups in ([], ["strangers"], None, {"buyers": 1}, ["Buyers"]):
        provider.claims |= {"groups": groups}
        refused = client.post("/v1/sign-in", json=come_back(provider, begin(client)))
        assert refused.status_code == 403
        assert "procurement-it@acme.test" in refused.json()["detail"]
    assert count(context, user_account) == count(context, user_session) == 0
    # Whoever loses the groups loses the sessions with the next attempt to sign in.
    provider.claims |= {"groups": ["buyers"]}
    token = sign_in(client, provider)
    provider.claims |= {"groups": []}
    for _ in range(2):
        assert client.post("/v1/sign-in", json=come_back(provider, begin(client))).status_code == 403
    assert access(client, token).status_code == 401
    # Of strangers nothing is kept; of somebody who was let in before each attempt is.
    assert list_actions(context)[-3:] == ["session.start", "session.refuse", "session.refuse"]


@pytest.mark.parametrize(
    ("change", "claims", "reason"),
    [
        ({"state": "another"}, {}, "not to the sign-in of this browser"),
        ({"attempt": "gAAAAA"}, {}, "not started in this browser"),
        ({"iss": "https://evil.example.com"}, {}, "not from"),
        ({"iss": None}, {}, "not from"),
        ({"code": "guessed"}, {}, "invalid_grant"),
        ({"code": None, "error": "access_denied"}, {}, "access_denied"),
        ({}, {"aud": "other"}, "audience"),
        ({}, {"exp": 1}, "expired"),
        ({}, {"iss": "https://evil.example.com"}, "issuer"),
        ({}, {"nonce": "replayed"}, "nonce"),
    ],
)
def test_a_sign_in_that_does_not_fit_lets_nobody_in(
    change: dict[str, Any],
    claims: dict[str, Any],
    reason: str,
    client: TestClient,
    provider: SmallProvider,
    context: Context,
) -> None:
    provider.claims |= claims
    refused = client.post("/v1/sign-in", json=come_back(provider, begin(client), **change))
    assert refused.status_code == 403
    assert reason in refused.json()["detail"]
    assert count(context, user_session) == 0


@pytest.mark.campaign
def test_an_answer_signs_in_once_in_whichever_process(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    body = come_back(provider, begin(client))
    with ThreadPoolExecutor(4) as threads:
        answers = threads.map(lambda _: client.post("/v1/sign-in", json=body), range(4))
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(201) == 1
    assert {*statuses} <= {201, 403, 503}  # a busy database lets one try again
    assert count(context, user_session) == 1
    # Two tabs at once are two attempts, and each is finished by its own answer.
    tabs = [begin(client), begin(client)]
    for tab in reversed(tabs):
        assert client.post("/v1/sign-in", json=come_back(provider, tab)).status_code == 201


def test_while_the_provider_is_away_keys_go_on(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    provider.is_away = True
    refused = client.post("/v1/sign-in/attempts", json={})
    assert refused.status_code == 503
    assert "The identity provider at 127.0.0.1 answered 502" in refused.json()["detail"]
    assert refused.headers["retry-after"] == "30"
    assert access(client, key_for(context)).status_code == 200


def test_a_repeated_call_of_a_person_is_of_one_organisation(
    client: TestClient, provider: SmallProvider
) -> None:
    made: list[Any] = []
    for group in ("heads", "heads", "others"):
        provider.claims |= {"groups": [group]}
        headers = {"Authorization": f"Bearer {sign_in(client, provider)}", "Idempotency-Key": "job-1"}
        body = {"name": "reports", "role": "reader"}
        made.append(client.post("/v1/keys", json=body, headers=headers).json())
    assert made[0] == made[1]
    assert made[0]["key"] != made[2]["key"]


def test_the_api_takes_access_tokens_of_its_audience(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    whole: dict[str, Any] = {"typ": "at+jwt", "aud": AUDIENCE, "client_id": "tool"}
    assert access(client, provider.token(**whole)).json()["person"] == "Ada"
    # Without groups it counts with the role of before, and lets nobody in who has none.
    assert access(client, provider.token(**whole, without=("groups",))).status_code == 200
    stranger = access(client, provider.token(**whole, sub="u-9", without=("groups",)))
    assert stranger.status_code == 403
    assert "procurement-it@acme.test" in stranger.json()["detail"]
    for change, reason in (
        ({"aud": CLIENT_ID}, "audience"),
        ({"typ": "JWT"}, "type"),
        ({"exp": 1}, "expired"),
        ({"iss": "https://evil.example.com"}, "issuer"),
    ):
        refused = access(client, provider.token(**{**whole, **change}))
        assert refused.status_code == 401
        assert reason in refused.json()["detail"]
        assert refused.headers["www-authenticate"] == "Bearer"
    provider.rotate("second")
    assert access(client, provider.token(**whole)).status_code == 401  # asked for a moment ago


@pytest.mark.campaign
def test_bogus_tokens_that_wait_for_the_provider_keep_no_key_waiting(
    app: FastAPI, client: TestClient, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging, released = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        hanging.set()
        released.wait(20)
        raise ProviderUnavailable("It hangs.")

    monkeypatch.setattr("app.service.access.holders.check_access_token", hang)
    key = key_for(context)
    with ThreadPoolExecutor(8) as threads:
        bogus = [threads.submit(access, client, f"eyJ{number}") for number in range(8)]
        assert hanging.wait(10)
        time.sleep(0.3)
        began = time.monotonic()
        assert access(client, key).status_code == 200
        assert time.monotonic() - began < 2
        released.set()
        assert {one.result().status_code for one in bogus} == {503}


@pytest.mark.parametrize("first", ["Acme", "Other Ltd"])
def test_an_access_token_works_where_the_sign_in_does(
    app: FastAPI, client: TestClient, provider: SmallProvider, context: Context, first: str
) -> None:
    entries = ["readers=reader@Acme", "others=owner@Other Ltd"]
    roles = "; ".join(entries if first == "Acme" else reversed(entries))
    settings = context.settings.model_copy(update={"oidc_roles": roles})
    changed = replace(context, settings=settings)
    CONTEXT.set(app, changed)
    provider.claims |= {"groups": ["readers", "others"]}
    token = sign_in(client, provider)
    bearer = provider.token(typ="at+jwt", aud=AUDIENCE, client_id="tool")
    found = [find_holder(changed, one, hash_key(one), None).organisation_id for one in (token, bearer)]
    with context.database.reading() as connection:
        [expected] = connection.scalars(sa.select(organisation.c.id).where(organisation.c.name == first))
    CONTEXT.set(app, context)
    assert found == [expected, expected]


@pytest.mark.campaign
def test_starts_are_not_counted_and_lock_nobody_out(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    for _ in range(MAX_SIGN_INS + 1):
        begin(client)
    assert count(context, used_ticket) == 0
    assert sign_in(client, provider)


def test_too_many_sign_ins_of_one_browser_lock_no_other(
    client: TestClient, provider: SmallProvider, clock: Clock
) -> None:
    keys = [VAULT_KEY.encode()]
    clock.ahead += timedelta(seconds=60 - clock().timestamp() % 60)  # a minute begins
    attempt = begin(client)["attempt"]
    for _ in range(MAX_SIGN_INS):
        answer = {"attempt": attempt, "state": "x"}
        browser = {BROWSER_HEADER: seal_address(keys, "2001:db8::1:1")}
        assert client.post("/v1/sign-in", json=answer, headers=browser).status_code == 403

    def try_from(browser: str) -> int:
        """The status of a sign-in at a browser with this address."""
        answer = come_back(provider, begin(client))
        return client.post("/v1/sign-in", json=answer, headers={BROWSER_HEADER: browser}).status_code

    assert try_from(seal_address(keys, "2001:db8::2:2")) == 429, "one browser has a whole network"
    assert try_from(seal_address(keys, "192.0.2.1")) == 201
    assert try_from(seal_address([b"of another deployment"], "2001:db8::1:1")) == 201, "nobody can state it"
    assert try_from("") == 201
    clock.ahead += timedelta(minutes=1)
    assert try_from(seal_address(keys, "2001:db8::1:1")) == 201


def test_key_sign_in_can_be_switched_off_and_keys_go_on(
    app: FastAPI, client: TestClient, context: Context
) -> None:
    headers = {"Authorization": f"Bearer {key_for(context)}"}
    assert client.post("/v1/session", headers=headers).status_code == 201
    settings = context.settings.model_copy(update={"key_sign_in": False})
    CONTEXT.set(app, replace(context, settings=settings))
    assert client.get("/v1/sign-in").json()["keys"] is False
    assert client.post("/v1/session", headers=headers).status_code == 403
    assert client.get("/v1/access", headers=headers).status_code == 200
    CONTEXT.set(app, context)
    with pytest.raises(ValueError, match="PARLEY_OIDC_ISSUER"):
        Settings(key_sign_in=False)


def test_without_a_provider_there_are_keys_alone(app: FastAPI, client: TestClient, context: Context) -> None:
    settings = context.settings.model_copy(update={"oidc_audience": None})
    CONTEXT.set(app, replace(context, provider=None, settings=settings))
    assert client.get("/v1/sign-in").json() == {"keys": True}
    assert client.post("/v1/sign-in/attempts", json={}).status_code == 404
    assert client.post("/v1/sign-in/logout", data={"logout_token": "x"}).status_code == 404
    assert access(client, key_for(context)).status_code == 200
    CONTEXT.set(app, context)
