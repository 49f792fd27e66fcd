"""Prices of other currencies made comparable, each at the rate of its own day. Nothing is converted unless
rates were imported."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats, Ints
from app.service.purchase_records.packing import code_of

MAX_AGE_DAYS = 31
"""Days for which a rate stands when there is no later one: a monthly table is enough, an old one is none."""

Series = tuple[Ints, Floats]
"""Days as proleptic ordinals, ascending, and ln of what one unit of a base was worth on each."""


@dataclass(frozen=True)
class ExchangeRates:
    """What one unit of each base was worth, by base and currency."""

    series: Mapping[tuple[str, str], Series] = field(default_factory=dict[tuple[str, str], Series])

    def convertible_currencies(self, currency: str) -> frozenset[str]:
        """The currencies that can be converted into this one."""
        bases = {base for base, other in self.series if currency in (base, other)}
        found = {one for base, other in self.series if base in bases for one in (base, other)}
        return frozenset(found - {currency})

    def log_factors(self, source: str, target: str, days: Ints) -> Floats:
        """ln of what one unit of `source` was worth in `target` on each day; NaN where no rate says so."""
        found = np.full(len(days), np.nan)
        for base in {base for base, _ in self.series}:
            factors = self._log_values(base, target, days) - self._log_values(base, source, days)
            found = np.where(np.isnan(found), factors, found)
        return found

    def factor(self, source: str, target: str, day: date) -> float:
        """What one unit of `source` was worth in `target` on a day; 1 for the same currency, else NaN where
        no rate says so."""
        if source == target:
            return 1.0
        return float(np.exp(self.log_factors(source, target, np.array([day.toordinal()]))[0]))

    def convert(self, candidates: Candidates, sources: Collection[str], target: str) -> Candidates:
        """The candidates of `target`, and those of `sources` in it; one without a rate is left out."""
        home = code_of("currency", target)
        if (candidates.currency == home).all():
            return candidates
        log_rate = candidates.log_rate.copy()
        for source in sources:
            rows = np.flatnonzero(candidates.currency == code_of("currency", source))
            if len(rows):
                log_rate[rows] += self.log_factors(source, target, candidates.day[rows])
        kept = np.flatnonzero(~np.isnan(log_rate))
        currency = np.full(len(candidates), home, dtype=np.uint32)
        return replace(candidates, log_rate=log_rate, currency=currency).take(kept)

    def _log_values(self, base: str, currency: str, days: Ints) -> Floats:
        """ln of what one unit of `base` was worth in `currency`, at the last rate on or before each day."""
        if base == currency:
            return np.zeros(len(days))
        known, worth = self.series.get((base, currency), (np.zeros(0, dtype=np.int64), np.zeros(0)))
        if not len(known):
            return np.full(len(days), np.nan)
        at = np.searchsorted(known, days, side="right") - 1
        told = (at >= 0) & (days - known[at] <= MAX_AGE_DAYS)
        return np.where(told, worth[at], np.nan)


NO_RATES = ExchangeRates()
