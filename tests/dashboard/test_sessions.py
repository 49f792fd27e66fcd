"""A sign-in outlives a refresh and a restart, at every dashboard, and lasts no longer than it may."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from app.client import ApiError
from app.dashboard.deployment import Deployment
from app.dashboard.signing_in import service_sessions
from app.dashboard.signing_in.one_time_link import OneTimeLink
from app.dashboard.signing_in.sessions import (
    ABSOLUTE_SECONDS,
    KEY_SECONDS,
    TICKET_SECONDS,
    SessionStore,
    read_dashboard_keys,
)
from app.settings import Settings
from tests.dashboard.conftest import RunningService

REMOTE = Deployment("http://service.test", "parley_secret", end_user="u-1", end_user_email="u@example.com")
"""Of a deployment that knows no sessions."""


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


OpenStore = Callable[..., SessionStore]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> OpenStore:
    """Each call is what another dashboard, or the same one after a restart, does. The service is asked each
    time."""
    monkeypatch.setattr(service_sessions, "LIVE_SECONDS", -1)
    return lambda key=b"key": SessionStore(key, clock=clock)


@pytest.fixture
def here(service: RunningService) -> Deployment:
    """Signed in with a key at our service."""
    return service_sessions.start_session(replace(REMOTE, base_url=service.address, api_key=service.key()))


def sign_in(store: SessionStore, deployment: Deployment) -> str:
    """The cookie of a browser that signs in now."""
    cookie = store.exchange_ticket(store.start(deployment)[1])
    assert cookie
    return cookie


def test_another_dashboard_finds_who_a_cookie_is_of(open_store: OpenStore, here: Deployment) -> None:
    for deployment in (here, REMOTE):
        found = open_store().find(sign_in(open_store(), deployment))
        assert found is not None
        assert replace(found, session="") == deployment


def test_a_cookie_has_a_session_in_place_of_the_key(open_store: OpenStore, here: Deployment) -> None:
    assert service_sessions.is_kept_by_service(here)
    cookie = sign_in(open_store(), REMOTE)
    assert "secret" not in cookie + repr(REMOTE)
    assert here.api_key not in repr(here)


@pytest.mark.parametrize("value", [None, "", "x", "gAAAAA", "é", "a" * 5000])
def test_what_is_no_cookie_of_ours_opens_nothing(value: str | None, open_store: OpenStore) -> None:
    assert open_store().find(value) is None
    assert open_store().exchange_ticket(value or "") is None


def test_a_session_sealed_with_another_key_opens_nothing(open_store: OpenStore) -> None:
    assert open_store(b"other").find(sign_in(open_store(), REMOTE)) is None


def test_signing_out_ends_the_session_at_every_dashboard(open_store: OpenStore, here: Deployment) -> None:
    cookie = sign_in(open_store(), here)
    elsewhere = open_store()
    found = elsewhere.find(cookie)
    assert found is not None
    open_store().end(found)
    assert elsewhere.find(cookie) is None
    assert not elsewhere.is_live(found)
    answer = httpx.get(f"{here.base_url}/v1/access", headers={"Authorization": f"Bearer {here.api_key}"})
    assert answer.json()["detail"] == "This session has ended. Sign in again."


def test_every_sign_in_is_a_session_of_its_own(open_store: OpenStore) -> None:
    store = open_store()
    first, second = sign_in(store, REMOTE), sign_in(store, REMOTE)
    found = store.find(first)
    assert found is not None
    store.end(found)
    assert store.find(first) is None
    assert store.find(second) is not None


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_cookie_is_good_for_so_long(
    is_kept: bool, clock: Clock, open_store: OpenStore, here: Deployment
) -> None:
    cookie = sign_in(open_store(), here if is_kept else REMOTE)
    clock.now += ABSOLUTE_SECONDS if is_kept else KEY_SECONDS
    assert open_store().find(cookie) is not None
    clock.now += 1
    assert open_store().find(cookie) is None


def test_a_ticket_is_good_once_at_whichever_dashboard(open_store: OpenStore, here: Deployment) -> None:
    _, ticket = open_store().start(here)
    stores = [open_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        cookies = list(threads.map(lambda store: store.exchange_ticket(ticket), stores))
    assert len([cookie for cookie in cookies if cookie]) == 1


def test_a_ticket_is_good_for_a_minute_and_is_no_cookie(clock: Clock, open_store: OpenStore) -> None:
    store = open_store()
    _, ticket = store.start(REMOTE)
    assert store.find(ticket) is None
    assert store.exchange_ticket(sign_in(store, REMOTE)) is None
    clock.now += TICKET_SECONDS
    assert store.exchange_ticket(ticket) is None


@pytest.mark.campaign
def test_a_service_that_is_away_signs_nobody_out_and_takes_no_ticket(open_store: OpenStore) -> None:
    away = Deployment("http://127.0.0.1:9", "parley_session_x")
    store = open_store()
    assert store.is_live(replace(away, session="s"))
    assert store.exchange_ticket(store.start(away)[1]) is None
    with pytest.raises(ApiError):
        service_sessions.start_session(replace(away, api_key="parley_x"))


def test_a_link_signs_in_once_and_a_wrong_token_does_not_use_it_up(service: RunningService) -> None:
    deployment = Deployment(service.address, service.key())
    link = OneTimeLink("token", deployment)
    assert link.use("wrong") is None
    assert link.use("tokén") is None
    with ThreadPoolExecutor(3) as threads:
        used = list(threads.map(lambda _: link.use("token"), range(3)))
    [signed_in] = [each for each in used if each]
    assert service_sessions.is_kept_by_service(signed_in)
    assert OneTimeLink("next", deployment).use("next")


@pytest.mark.parametrize("read_only", [False, True])
def test_a_link_signs_in_with_what_its_key_may_do(service: RunningService, read_only: bool) -> None:
    signed_in = OneTimeLink(
        "token", Deployment(service.address, service.key("Linked", read_only=read_only))
    ).use("token")
    assert signed_in
    assert signed_in.is_admin is not read_only
    assert signed_in.read_only is read_only


def test_the_key_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new", secret_key=None)
    assert read_dashboard_keys(settings) == read_dashboard_keys(settings)
    assert (tmp_path / "new" / "dashboard.key").stat().st_mode & 0o077 == 0


def test_replicas_share_the_key_of_the_settings(tmp_path: Path) -> None:
    one, other = (
        Settings(data_dir=tmp_path / name, secret_key=SecretStr("shared-secret")) for name in ("a", "b")
    )
    assert read_dashboard_keys(one) == read_dashboard_keys(other)
    assert not (tmp_path / "a").exists()
