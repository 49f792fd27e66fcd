"""A sign-in outlives a refresh and a restart, and no longer than it may."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from app.dashboard.deployment import Deployment
from app.dashboard.signing_in.sessions import (
    ABSOLUTE_SECONDS,
    IDLE_SECONDS,
    RENEW_AFTER_SECONDS,
    TICKET_SECONDS,
    OneTimeLink,
    SessionSealer,
    TicketStore,
    session_key,
)
from app.settings import Settings

HERE = Deployment("http://service.test", "parley_secret", end_user="u-1", end_user_email="u@example.com")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_sealed_deployment_is_opened_by_another_process_with_the_same_key(clock: Clock) -> None:
    sealed = SessionSealer(b"key", clock).seal(HERE)
    session = SessionSealer(b"key", clock).open(sealed)
    assert session is not None
    assert session.deployment == HERE


def test_the_cookie_shows_no_key(clock: Clock) -> None:
    assert "secret" not in SessionSealer(b"key", clock).seal(HERE)
    assert "secret" not in repr(HERE)


@pytest.mark.parametrize("value", [None, "", "x", "gAAAAA", "é", "a" * 5000])
def test_what_is_no_cookie_of_ours_opens_nothing(value: str | None, clock: Clock) -> None:
    assert SessionSealer(b"key", clock).open(value) is None


def test_a_cookie_sealed_with_another_key_opens_nothing(clock: Clock) -> None:
    assert SessionSealer(b"key", clock).open(SessionSealer(b"other", clock).seal(HERE)) is None


def test_a_session_ends_when_nobody_was_around(clock: Clock) -> None:
    sessions = SessionSealer(b"key", clock)
    sealed = sessions.seal(HERE)
    clock.now += IDLE_SECONDS + 1
    assert sessions.open(sealed) is None


def test_a_session_that_is_renewed_still_ends_in_the_end(clock: Clock) -> None:
    sessions = SessionSealer(b"key", clock)
    sealed = sessions.seal(HERE)
    begun = clock.now
    while (session := sessions.open(sealed)) is not None:
        clock.now += IDLE_SECONDS / 2
        sealed = sessions.renew(session) or sealed
    assert ABSOLUTE_SECONDS <= clock.now - begun <= ABSOLUTE_SECONDS + IDLE_SECONDS


def test_a_fresh_session_needs_no_new_cookie(clock: Clock) -> None:
    sessions = SessionSealer(b"key", clock)
    session = sessions.open(sessions.seal(HERE))
    assert session is not None
    assert sessions.renew(session) is None
    clock.now += RENEW_AFTER_SECONDS
    assert sessions.renew(session) is not None


def test_a_ticket_is_good_once(clock: Clock) -> None:
    tickets = TicketStore(clock)
    ticket = tickets.issue(HERE)
    assert tickets.redeem(ticket) == HERE
    assert tickets.redeem(ticket) is None


def test_a_ticket_is_good_for_a_minute(clock: Clock) -> None:
    tickets = TicketStore(clock)
    ticket = tickets.issue(HERE)
    clock.now += TICKET_SECONDS
    assert tickets.redeem(ticket) is None


def test_a_link_signs_in_once_and_a_wrong_token_does_not_use_it_up(tmp_path: Path) -> None:
    link = OneTimeLink("token", HERE, tmp_path / "used")
    assert link.redeem("wrong") is None
    assert link.redeem("tokén") is None
    assert link.redeem("token") == HERE
    assert link.redeem("token") is None


def test_a_used_link_stays_used_over_a_restart_and_the_next_one_works(tmp_path: Path) -> None:
    used = tmp_path / "data" / "used"
    assert OneTimeLink("token", HERE, used).redeem("token") == HERE
    assert OneTimeLink("token", HERE, used).redeem("token") is None
    assert OneTimeLink("next", HERE, used).redeem("next") == HERE


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
