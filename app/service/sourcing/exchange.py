"""What a quote's currency is worth in that of its requirement."""

from datetime import date
from decimal import Decimal

from app.service.pricing.rates.exchange import ExchangeRates
from app.service.sourcing.columns import Rate


def find_rate(rates: ExchangeRates, source: str, target: str, today: date) -> Rate | None:
    """Return the rate of today, or of the last day before it that counts; None where there is none."""
    day = rates.rate_day(source, target, today)
    if day is None:
        return None
    factor = rates.factor(source, target, today)
    return Rate(Decimal(1) if source == target else Decimal(f"{factor:.10g}"), day)
