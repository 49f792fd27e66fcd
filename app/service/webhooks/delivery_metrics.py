"""How a webhook's deliveries fared, from its attempts. Pure."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from app.contract.webhooks import DeliveryHealth, DeliveryHour
from app.service.webhooks.attempt_result import Outcome

HOURS = 25
"""Those in which the past 24 hours lie: they begin within the first of them."""

MeasuredAttempt = tuple[datetime, int, str]
"""When an attempt began, its milliseconds, its outcome."""


def compute_health(attempts: Sequence[MeasuredAttempt], *, waiting: int, now: datetime) -> DeliveryHealth:
    """The health of the past 24 hours."""
    durations = sorted(duration for _, duration, _ in attempts)
    succeeded = [began for began, _, outcome in attempts if outcome == Outcome.SUCCEEDED]
    failed = [(began, outcome) for began, _, outcome in attempts if outcome != Outcome.SUCCEEDED]
    last_failure = max(failed, default=None)
    return DeliveryHealth(
        attempts=len(attempts),
        success_rate=len(succeeded) / len(attempts) if attempts else None,
        median_ms=_quantile(durations, 0.5),
        p95_ms=_quantile(durations, 0.95),
        waiting=waiting,
        last_success_at=max(succeeded, default=None),
        last_failure_at=last_failure[0] if last_failure else None,
        last_failure=last_failure[1] if last_failure else None,
        hours=_by_hour(succeeded, [began for began, _ in failed], now),
    )


def _quantile(ordered: Sequence[int], share: float) -> int | None:
    """The nearest rank, so that it is a time that was measured."""
    return ordered[ceil(share * len(ordered)) - 1] if ordered else None


def _by_hour(succeeded: Sequence[datetime], failed: Sequence[datetime], now: datetime) -> list[DeliveryHour]:
    last = _hour(now)
    hours = [last - timedelta(hours=HOURS - 1 - number) for number in range(HOURS)]
    good, bad = Counter(map(_hour, succeeded)), Counter(map(_hour, failed))
    return [DeliveryHour(began_at=hour, succeeded=good[hour], failed=bad[hour]) for hour in hours]


def _hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)
