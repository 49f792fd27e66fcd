"""A sign-in outlives a refresh and a restart, and no longer than it may."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.dashboard.deployment import Deployment
from app.dashboard.signing_in.one_time_link import OneTimeLink
from app.dashboard.signing_in.sessions import (
    ABSOLUTE_SECONDS,
    IDLE_SECONDS,
    TICKET_SECONDS,
    SessionStore,
    session_key,
)
from app.settings import Settings

HERE = Deployment("http://service.test", "parley_secret", end_user="u-1", end_user_email="u@example.com")


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
def open_store(clock: Clock, tmp_path: Path) -> OpenStore:
    """Each call is what another process, or the same one after a restart, does."""
    return lambda key=b"key": SessionStore(tmp_path / "dashboard.sqlite3", key, clock)


def sign_in(store: SessionStore) -> str:
    """The cookie of a browser that signs in now."""
    token = store.exchange_ticket(store.start(HERE)[1])
    assert token
    return token


def test_another_process_finds_who_a_cookie_is_of(open_store: OpenStore) -> None:
    found = open_store().find(sign_in(open_store()))
    assert found is not None
    assert replace(found, session="") == HERE


def test_neither_the_cookie_nor_the_data_folder_tells_the_key(open_store: OpenStore, tmp_path: Path) -> None:
    cookie = sign_in(open_store())
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"parley_secret" not in stored
    assert cookie.encode() not in stored
    assert "secret" not in cookie + repr(HERE)
    assert (tmp_path / "dashboard.sqlite3").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("value", [None, "", "x", "gAAAAA", "é", "a" * 5000])
def test_what_is_no_cookie_of_ours_opens_nothing(value: str | None, open_store: OpenStore) -> None:
    assert open_store().find(value) is None


def test_a_session_sealed_with_another_key_opens_nothing(open_store: OpenStore) -> None:
    assert open_store(b"other").find(sign_in(open_store())) is None


def test_signing_out_ends_the_session_in_every_process(open_store: OpenStore) -> None:
    cookie = sign_in(open_store())
    elsewhere = open_store()
    found = elsewhere.find(cookie)
    assert found is not None
    open_store().end(found.session)
    assert elsewhere.find(cookie) is None
    assert not elsewhere.is_live(found.session)


def test_every_sign_in_is_a_session_of_its_own(open_store: OpenStore) -> None:
    store = open_store()
    first, second = sign_in(store), sign_in(store)
    found = store.find(first)
    assert found is not None
    store.end(found.session)
    assert store.find(second) is not None


def test_a_session_ends_when_nobody_was_around(clock: Clock, open_store: OpenStore) -> None:
    cookie = sign_in(open_store())
    clock.now += IDLE_SECONDS + 1
    assert open_store().find(cookie) is None


def test_a_session_that_is_used_still_ends_in_the_end(clock: Clock, open_store: OpenStore) -> None:
    store = open_store()
    cookie = sign_in(store)
    start = clock.now
    while store.find(cookie) is not None:
        clock.now += IDLE_SECONDS / 2
    assert ABSOLUTE_SECONDS <= clock.now - start <= ABSOLUTE_SECONDS + IDLE_SECONDS


def test_expired_sessions_leave_the_file(clock: Clock, open_store: OpenStore, tmp_path: Path) -> None:
    store = open_store()
    for _ in range(3):
        sign_in(store)
    clock.now += IDLE_SECONDS + 1
    sign_in(store)
    with sqlite3.connect(tmp_path / "dashboard.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM session").fetchone() == (1,)
    connection.close()


def test_a_ticket_is_good_once_in_whichever_process(open_store: OpenStore) -> None:
    _, ticket = open_store().start(HERE)
    stores = [open_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        tokens = list(threads.map(lambda store: store.exchange_ticket(ticket), stores))
    assert len([token for token in tokens if token]) == 1


def test_a_ticket_is_good_for_a_minute_and_is_no_cookie(clock: Clock, open_store: OpenStore) -> None:
    store = open_store()
    _, ticket = store.start(HERE)
    assert store.find(ticket) is None
    clock.now += TICKET_SECONDS
    assert store.exchange_ticket(ticket) is None


def test_a_full_disk_signs_nobody_out(clock: Clock, open_store: OpenStore, tmp_path: Path) -> None:
    store = open_store()
    cookie = sign_in(store)
    clock.now += IDLE_SECONDS / 2
    with sqlite3.connect(tmp_path / "dashboard.sqlite3") as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    connection.close()
    assert store.find(cookie) is not None


def test_a_file_that_holds_no_sessions_is_named(open_store: OpenStore, tmp_path: Path) -> None:
    (tmp_path / "dashboard.sqlite3").write_bytes(b"something else" * 100)
    with pytest.raises(OSError, match="not a database") as refused:
        open_store()
    assert refused.value.filename == str(tmp_path / "dashboard.sqlite3")


def test_a_link_signs_in_once_and_a_wrong_token_does_not_use_it_up(open_store: OpenStore) -> None:
    link = OneTimeLink("token", HERE)
    assert link.use("wrong", open_store()) is None
    assert link.use("tokén", open_store()) is None
    stores = [open_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        used = list(threads.map(lambda store: link.use("token", store), stores))
    assert [deployment for deployment in used if deployment] == [HERE]
    assert OneTimeLink("next", HERE).use("next", open_store()) == HERE


def test_the_key_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new", secret_key=None)
    assert session_key(settings) == session_key(settings)
    assert (tmp_path / "new" / "dashboard.key").stat().st_mode & 0o077 == 0


def test_replicas_share_the_key_of_the_settings(tmp_path: Path) -> None:
    one, other = (
        Settings(data_dir=tmp_path / name, secret_key=SecretStr("shared-secret")) for name in ("a", "b")
    )
    assert session_key(one) == session_key(other)
    assert not (tmp_path / "a").exists()
