"""Who is let in with the identity provider, as what, and until when."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.contract.sign_in import BROWSER_HEADER
from app.dashboard_keys import seal_address
from app.service.access import sessions
from app.service.access.guard import ACCESS_CONTROL
from app.service.access.holders import find_holder
from app.service.access.keys import hash_key
from app.service.access.limits import MAX_SIGN_INS
from app.service.context import Context
from app.service.database.clock import utc_now
from app.service.database.tables import (
    audit_entry,
    identity,
    membership,
    organisation,
    used_ticket,
    user_account,
    user_session,
)
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.openid.provider import Provider
from app.service.openid.requests import ProviderUnavailable
from app.service.openid.tokens import LOGOUT_EVENT
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.openid.small_provider import CLIENT_ID, CLIENT_SECRET, SmallProvider, small_provider
from tests.service.postgres import empty

AUDIENCE = "https://parley.example.com/api"
VAULT_KEY = "bm90LWEtc2VjcmV0LWJ1dC1hLXRlc3Qta2V5LTAxMjM="
ROLES = "readers=reader@Acme; buyers=buyer@Acme; heads=admin@Acme; others=owner@Other Ltd"


class Clock:
    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


CLOCK = Clock()


@pytest.fixture(scope="module")
def running() -> Iterator[SmallProvider]:
    with small_provider() as provider:
        yield provider


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)])
def service(
    request: pytest.FixtureRequest, running: SmallProvider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FastAPI]:
    """One service for all tests of this file: each finds nobody signed in and an hour of its own."""
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_database")
        empty(url)
    settings = Settings(
        database_url=url,
        data_dir=tmp_path_factory.mktemp("sign-in"),
        rate_limit=0,
        secret_key=SecretStr(VAULT_KEY),
        oidc_issuer=running.issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SecretStr(CLIENT_SECRET),
        oidc_roles=ROLES,
        oidc_audience=AUDIENCE,
        oidc_contact="procurement-it@acme.test",
    )
    app = create_service(settings, CLOCK)
    provide_schema(CONTEXT.get(app).database)
    yield app
    CONTEXT.get(app).close()


@pytest.fixture
def clock() -> Clock:
    CLOCK.ahead += timedelta(minutes=2)
    return CLOCK


@pytest.fixture
def provider(running: SmallProvider, clock: Clock) -> SmallProvider:
    running.__init__(running.issuer)
    running.clock = lambda: clock().timestamp()
    return running


@pytest.fixture
def app(service: FastAPI, provider: SmallProvider, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """The service, whose caches are empty: a session that ended is noticed at once, not after a second."""
    monkeypatch.setattr("app.service.access.guard.KEY_CACHE_SECONDS", 0.0)
    context = CONTEXT.get(service)
    context = replace(context, provider=Provider(context.settings))
    CONTEXT.set(service, context)
    monkeypatch.setattr(ACCESS_CONTROL.get(service), "_context", context)
    with context.database.writing() as connection:
        for table in (used_ticket, user_session, membership, identity, user_account):
            connection.execute(table.delete())
    return service


@pytest.fixture
def context(app: FastAPI) -> Context:
    return CONTEXT.get(app)


@pytest.fixture(scope="module")
def started(service: FastAPI) -> TestClient:
    return TestClient(service)


@pytest.fixture
def client(app: FastAPI, started: TestClient) -> TestClient:
    """Of nobody."""
    return started


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


def list_actions(context: Context) -> list[str]:
    """What people did, in its order; the log of this file's tests is one."""
    with context.database.reading() as connection:
        return list(connection.scalars(sa.select(audit_entry.c.action).order_by(audit_entry.c.id)))


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


@pytest.mark.campaign
def test_a_session_ends_when_it_is_ended_idle_or_old(
    client: TestClient, provider: SmallProvider, context: Context, clock: Clock
) -> None:
    token = sign_in(client, provider)
    ended = post(client, "/v1/session/end", token)
    url = urlsplit(ended.json()["signOutUrl"])
    assert url.path == "/end"
    assert parse_qs(url.query)["post_logout_redirect_uri"] == ["http://127.0.0.1:8501/"]
    assert access(client, token).json()["detail"] == "This session has ended. Sign in again."
    idle = sign_in(client, provider)
    clock.ahead += sessions.IDLE + timedelta(seconds=1)
    assert access(client, idle).status_code == 401
    used = sign_in(client, provider)
    steps = 0
    while access(client, used).status_code == 200:
        clock.ahead += sessions.IDLE / 2
        steps += 1
    assert sessions.ABSOLUTE <= steps * sessions.IDLE / 2 <= sessions.ABSOLUTE + sessions.IDLE
    sign_in(client, provider)
    assert count(context, user_session) == 1


@pytest.mark.campaign
def test_the_sessions_of_a_person_and_of_a_key_are_bounded(
    client: TestClient,
    provider: SmallProvider,
    context: Context,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions, "MOST_OF_ONE", 3)
    key = key_for(context)
    others = post(client, "/v1/session", key_for(context, "Other")).json()["token"]
    for start in (
        lambda: sign_in(client, provider),
        lambda: post(client, "/v1/session", key).json()["token"],
    ):
        tokens = [start() for _ in range(3)]
        clock.ahead += sessions.TOUCH_AFTER + timedelta(seconds=1)
        assert access(client, tokens[0]).status_code == 200, "it is used, so the second is the one that goes"
        clock.ahead += timedelta(seconds=1)
        tokens.append(start())
        assert [access(client, token).status_code for token in tokens] == [200, 401, 200, 200]
    assert access(client, others).status_code == 200


def test_removal_of_a_member_ends_their_sessions_at_once(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    token = sign_in(client, provider)
    with context.database.writing() as connection:
        connection.execute(membership.delete())
    assert access(client, token).status_code == 401


def test_a_session_of_a_key_ends_with_the_key(client: TestClient, context: Context) -> None:
    key = key_for(context, read_only=True)
    token = post(client, "/v1/session", key).json()["token"]
    reader = {"keyName": "test", "organisation": "Acme", "role": "reader", "readOnly": True}
    assert access(client, token).json() == {"holderId": access(client, key).json()["holderId"], **reader}
    assert post(client, "/v1/session", token).status_code == 409
    assert post(client, "/v1/session/end", key).status_code == 409
    with context.database.writing() as connection:
        connection.execute(sa.text("UPDATE api_key SET revoked_at = created_at"))
    assert access(client, token).status_code == 401


@pytest.mark.campaign
def test_a_ticket_is_used_once_in_whichever_process(client: TestClient, context: Context) -> None:
    key = key_for(context)
    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda _: post(client, "/v1/session/tickets", key, {"ticket": "t"}), range(8))
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(204) == 1
    assert {*statuses} <= {204, 409, 503}
    assert post(client, "/v1/session/tickets", key_for(context, "Other"), {"ticket": "t"}).status_code == 204


def test_the_tickets_of_a_key_are_bounded(
    client: TestClient, context: Context, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_TICKETS", 2)
    reader, other = key_for(context, role="reader"), key_for(context, "Other")

    def use(key: str, ticket: str) -> int:
        return post(client, "/v1/session/tickets", key, {"ticket": ticket}).status_code

    assert [use(reader, one) for one in "abc"] == [204, 204, 409]
    assert use(other, "a") == 204
    clock.ahead += sessions.TICKETS_KEPT + timedelta(seconds=1)
    assert use(reader, "c") == 204, "those of a month ago are gone"


def test_no_token_is_in_the_database(client: TestClient, provider: SmallProvider, context: Context) -> None:
    token = sign_in(client, provider)
    with context.database.reading() as connection:
        row = connection.execute(sa.select(user_session)).one()
    assert row.digest == hashlib.sha256(token.encode()).hexdigest()
    assert token not in str(row)
    assert context.vault.open(row.id_token) not in row.id_token


def logout(client: TestClient, provider: SmallProvider, **claims: Any) -> Any:
    whole = {"typ": "logout+jwt", "events": {LOGOUT_EVENT: {}}, "jti": "j-1", **claims}
    return client.post("/v1/sign-in/logout", data={"logout_token": provider.token(**whole)})


def test_the_provider_ends_sessions_by_person_and_by_its_session(
    client: TestClient, provider: SmallProvider, context: Context
) -> None:
    first = sign_in(client, provider)
    provider.claims |= {"sid": "p-2"}
    second = sign_in(client, provider)
    provider.claims |= {"sub": "u-2"}
    other = sign_in(client, provider)
    assert logout(client, provider, sub=None, sid="p-1", jti="a").status_code == 200
    assert [access(client, token).status_code for token in (first, second, other)] == [401, 200, 200]
    assert logout(client, provider, sub="u-1", sid=None, jti="b").status_code == 200
    assert [access(client, token).status_code for token in (second, other)] == [401, 200]
    assert list_actions(context)[-2:] == ["session.end", "session.end"]
    # A replayed order ends nothing of later.
    third = sign_in(client, provider)
    assert logout(client, provider, sub="u-2", sid=None, jti="b").status_code == 200
    assert access(client, third).status_code == 200


def test_an_order_that_does_not_hold_ends_nothing(client: TestClient, provider: SmallProvider) -> None:
    token = sign_in(client, provider)
    refused = logout(client, provider, events={})
    assert refused.status_code == 400
    assert "orders no logout" in refused.json()["detail"]
    assert client.post("/v1/sign-in/logout", data={}).status_code == 400
    assert client.post("/v1/sign-in/logout", data={"logout_token": "x" * 40_000}).status_code == 413
    assert access(client, token).status_code == 200


def test_a_token_of_before_brings_nobody_back_who_was_refused(
    client: TestClient, provider: SmallProvider
) -> None:
    whole: dict[str, Any] = {"typ": "at+jwt", "aud": AUDIENCE, "client_id": "tool"}
    provider.claims |= {"groups": ["heads"]}
    session, token = sign_in(client, provider), provider.token(**whole, iat=int(provider.clock()) - 5)
    provider.claims |= {"groups": []}
    assert client.post("/v1/sign-in", json=come_back(provider, begin(client))).status_code == 403
    assert [access(client, key).status_code for key in (token, session)] == [403, 401]
    provider.claims |= {"groups": ["readers"]}
    assert access(client, provider.token(**whole, iat=int(provider.clock()) + 1)).status_code == 200
    assert access(client, session).status_code == 401


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
