"""Until when somebody is let in: sessions, tickets and tokens of people and keys."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access import sessions
from app.service.context import Context
from app.service.database.tables import membership, user_session
from app.service.openid.tokens import LOGOUT_EVENT
from tests.service.access.sign_in.calls import access, begin, come_back, count, list_actions, post, sign_in
from tests.service.access.sign_in.conftest import AUDIENCE, Clock
from tests.service.conftest import key_for
from tests.service.openid.small_provider import SmallProvider


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
