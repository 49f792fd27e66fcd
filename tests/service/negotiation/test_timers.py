"""Timers fire once, when they are due; a restart loses none."""

import pytest

from app.service.database.tables import negotiation
from app.service.negotiation import timers
from tests.service.negotiation.negotiation_driver import NegotiationDriver


def reasons(driver: NegotiationDriver, negotiation_id: str) -> list[str]:
    return sorted(one["reason"] for one in driver.escalations(negotiation_id))


def test_a_silent_supplier_is_escalated_once_after_five_days(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.clock.advance(days=5, seconds=-1)
    assert driver.fire_timers() == 0
    driver.clock.advance(seconds=1)
    assert driver.fire_timers() == 1
    assert driver.fire_timers() == 0
    assert reasons(driver, negotiation_id) == ["supplier_silent"]


def test_a_message_of_the_supplier_restarts_the_silence_timer(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.clock.advance(days=4)
    driver.message(negotiation_id, "y")
    driver.clock.advance(days=4)
    assert driver.fire_timers() == 0
    driver.clock.advance(days=1)
    assert driver.fire_timers() == 1
    assert reasons(driver, negotiation_id) == ["supplier_silent"]
    driver.message(negotiation_id, "z")
    assert reasons(driver, negotiation_id) == []
    driver.clock.advance(days=5)
    assert driver.fire_timers() == 1
    assert reasons(driver, negotiation_id) == ["supplier_silent"]


@pytest.mark.campaign
def test_an_expiring_quote_is_escalated_three_days_before_unless_a_newer_one_came(
    driver: NegotiationDriver,
) -> None:
    one, other = driver.start_planned(), driver.start_planned()
    driver.quote(one, 1100, validUntil="2026-11-25")
    driver.quote(other, 1100, validUntil="2026-11-25T15:00:00Z")
    driver.quote(other, 1090)
    driver.clock.now = driver.clock.now.replace(day=21, hour=23)
    assert driver.fire_timers() == 0
    driver.clock.advance(hours=1)
    assert driver.fire_timers() == 1
    assert "quote_expiring" in reasons(driver, one)
    assert "quote_expiring" not in reasons(driver, other)
    (expiring,) = (row for row in driver.escalations(one) if row["reason"] == "quote_expiring")
    assert expiring["dueAt"] == "2026-11-26T00:00:00.000Z"


@pytest.mark.campaign
def test_a_quote_that_expires_tomorrow_is_escalated_at_once_and_an_expired_one_is_not(
    driver: NegotiationDriver,
) -> None:
    one, other = driver.start_planned(), driver.start_planned()
    driver.quote(one, 1100, validUntil="2026-11-21")
    driver.quote(other, 1100, validUntil="2020-01-01")
    assert driver.fire_timers() == 1
    assert "quote_expiring" in reasons(driver, one)


@pytest.mark.campaign
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_last_days_of_the_calendar_are_accepted(driver: NegotiationDriver, day: str) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 1100, validUntil=day, at=f"{day}T12:00:00Z")
    assert driver.status(negotiation_id) == "active"
    assert driver.fire_timers() == 0


def test_after_the_end_no_timer_fires(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 1100, validUntil="2026-11-25")
    driver.update(negotiation_id, "cancellation")
    driver.clock.advance(days=30)
    assert driver.fire_timers() == 0


@pytest.mark.campaign
def test_many_timers_at_once_all_fire(driver: NegotiationDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "BATCH_SIZE", 3)
    ids = [driver.start_planned() for _ in range(7)]
    driver.clock.advance(days=5)
    assert driver.fire_timers() == 7
    assert all(reasons(driver, one) == ["supplier_silent"] for one in ids)


def test_the_silence_is_a_setting(driver: NegotiationDriver) -> None:
    driver.context.settings.supplier_silence_days = 1.5
    driver.start_planned()
    driver.clock.advance(days=1.4)
    assert driver.fire_timers() == 0
    driver.clock.advance(days=0.1)
    assert driver.fire_timers() == 1


@pytest.mark.campaign
def test_failing_timers_do_not_delay_the_others(
    driver: NegotiationDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "BATCH_SIZE", 2)
    broken = [driver.start_planned() for _ in range(3)]
    with driver.context.database.writing() as connection:
        of_broken = negotiation.c.id.in_(broken)
        connection.execute(negotiation.update().where(of_broken).values(strategy={"not": "a strategy"}))
    driver.clock.advance(seconds=1)
    sound = [driver.start_planned() for _ in range(2)]
    driver.clock.advance(days=5)
    assert driver.fire_timers() == 2
    assert all(reasons(driver, one) == ["supplier_silent"] for one in sound)
