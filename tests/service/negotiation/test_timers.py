"""Timers fire when their time has come, once, and not before; a restart loses none."""

import pytest

from app.service.database.tables.negotiation import negotiation
from app.service.negotiation import timers
from tests.service.negotiation.negotiation_driver import Desk


def reasons(desk: Desk, negotiation_id: str) -> list[str]:
    return sorted(one["reason"] for one in desk.escalations(negotiation_id))


def test_a_silent_supplier_is_noticed_after_five_days_and_once(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.clock.step(days=5, seconds=-1)
    assert desk.fire() == 0
    desk.clock.step(seconds=1)
    assert desk.fire() == 1
    assert desk.fire() == 0
    assert reasons(desk, negotiation_id) == ["supplier_silent"]


def test_a_word_from_the_supplier_ends_the_silence_and_the_waiting_starts_anew(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.clock.step(days=4)
    desk.message(negotiation_id, "y")
    desk.clock.step(days=4)
    assert desk.fire() == 0
    desk.clock.step(days=1)
    assert desk.fire() == 1
    assert reasons(desk, negotiation_id) == ["supplier_silent"]
    desk.message(negotiation_id, "z")
    assert reasons(desk, negotiation_id) == []
    desk.clock.step(days=5)
    assert desk.fire() == 1
    assert reasons(desk, negotiation_id) == ["supplier_silent"]


def test_an_expiring_quote_is_noticed_three_days_before_and_not_when_a_newer_one_came(desk: Desk) -> None:
    one, other = desk.planned(), desk.planned()
    desk.quote(one, 1100, validUntil="2026-11-25")
    desk.quote(other, 1100, validUntil="2026-11-25T15:00:00Z")
    desk.quote(other, 1090)
    desk.clock.now = desk.clock.now.replace(day=21, hour=23)
    assert desk.fire() == 0
    desk.clock.step(hours=1)
    assert desk.fire() == 1
    assert "quote_expiring" in reasons(desk, one)
    assert "quote_expiring" not in reasons(desk, other)
    (expiring,) = (row for row in desk.escalations(one) if row["reason"] == "quote_expiring")
    assert expiring["dueAt"] == "2026-11-26T00:00:00.000Z"


def test_a_quote_that_expires_tomorrow_is_noticed_at_once_and_one_that_has_expired_is_not(
    desk: Desk,
) -> None:
    one, other = desk.planned(), desk.planned()
    desk.quote(one, 1100, validUntil="2026-11-21")
    desk.quote(other, 1100, validUntil="2020-01-01")
    assert desk.fire() == 1
    assert "quote_expiring" in reasons(desk, one)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_days_like_any_other(desk: Desk, day: str) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 1100, validUntil=day, at=f"{day}T12:00:00Z")
    assert desk.status(negotiation_id) == "active"
    assert desk.fire() == 0


def test_after_the_end_nothing_fires(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 1100, validUntil="2026-11-25")
    desk.update(negotiation_id, "cancellation")
    desk.clock.step(days=30)
    assert desk.fire() == 0


def test_many_timers_at_once_all_fire(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "TOGETHER", 3)
    ids = [desk.planned() for _ in range(7)]
    desk.clock.step(days=5)
    assert desk.fire() == 7
    assert all(reasons(desk, one) == ["supplier_silent"] for one in ids)


def test_the_silence_is_a_setting(desk: Desk) -> None:
    desk.context.settings.supplier_silence_days = 1.5
    desk.planned()
    desk.clock.step(days=1.4)
    assert desk.fire() == 0
    desk.clock.step(days=0.1)
    assert desk.fire() == 1


def test_timers_that_cannot_be_fired_do_not_hold_up_the_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "TOGETHER", 2)
    broken = [desk.planned() for _ in range(3)]
    with desk.context.database.writing() as connection:
        of_broken = negotiation.c.id.in_(broken)
        connection.execute(negotiation.update().where(of_broken).values(strategy={"not": "a strategy"}))
    desk.clock.step(seconds=1)
    sound = [desk.planned() for _ in range(2)]
    desk.clock.step(days=5)
    assert desk.fire() == 2
    assert all(reasons(desk, one) == ["supplier_silent"] for one in sound)
