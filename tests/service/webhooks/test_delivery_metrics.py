"""How deliveries fared: times are those of attempts that were measured."""

from datetime import UTC, datetime, timedelta

import pytest

from app.service.webhooks.delivery_metrics import compute_health

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("durations", "median", "p95"),
    [([5], 5, 5), ([10, 900], 10, 900), (range(1, 21), 10, 19), (range(1, 101), 50, 95)],
)
def test_as_many_attempts_as_are_told_took_no_longer(durations: list[int], median: int, p95: int) -> None:
    health = compute_health([(NOW, duration, "succeeded") for duration in durations], waiting=0, now=NOW)
    assert (health.median_ms, health.p95_ms) == (median, p95)


def test_the_hours_hold_every_attempt_of_a_day() -> None:
    begins = [NOW - timedelta(minutes=minutes) for minutes in (0, 45, 23 * 60 + 59)]
    health = compute_health([(began, 10, "succeeded") for began in begins], waiting=0, now=NOW)
    assert sum(hour.succeeded for hour in health.hours) == health.attempts == 3
