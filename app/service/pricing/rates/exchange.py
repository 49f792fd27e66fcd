"""Converts prices between currencies at the rate of their own day. Without imported rates nothing is
converted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats, Ints
from app.service.purchase_records import encode_value

MAX_AGE_DAYS = 31
"""For how many days a rate is valid when there is no later one: enough for a monthly table."""

Series = tuple[Ints, Floats]
"""Days as proleptic ordinals, ascending, and for each the ln of the value of one unit of a base currency."""


Pair = tuple[str, str]
"""A base and a currency."""


@dataclass(frozen=True)
class ExchangeRates:
    """Exchange rates by base and currency: the value of one unit of the base. `fallback` are those of days on
    which these have none: an organisation's own come before those of the deployment."""

    series: Mapping[Pair, Series] = field(default_factory=dict[Pair, Series])
    fallback: "ExchangeRates | None" = None

    def convertible_currencies(self, currency: str) -> frozenset[str]:
        """The currencies that can be converted into this one."""
        pairs = self._list_pairs()
        bases = {base for base, other in pairs if currency in (base, other)}
        reachable = {one for base, other in pairs if base in bases for one in (base, other)}
        return frozenset(reachable - {currency})

    def log_factors(self, source: str, target: str, days: Ints) -> Floats:
        """The ln of the value of one unit of `source` in `target` on each day; NaN without a rate."""
        log_factors = np.full(len(days), np.nan)
        for base in self._list_bases():
            factors = self._log_values(base, target, days)[1] - self._log_values(base, source, days)[1]
            log_factors = np.where(np.isnan(log_factors), factors, log_factors)
        return log_factors

    def factor(self, source: str, target: str, day: date) -> float:
        """The value of one unit of `source` in `target` on a day: 1 for the same currency, NaN without a
        rate."""
        if source == target:
            return 1.0
        return float(np.exp(self.log_factors(source, target, np.array([day.toordinal()]))[0]))

    def rate_day(self, source: str, target: str, day: date) -> date | None:
        """The day that the rate of `factor` is of, the older one of two; None without a rate."""
        if source == target:
            return day
        days = np.array([day.toordinal()])
        for base in self._list_bases():
            (of_target, value), (of_source, other) = (
                self._log_values(base, currency, days) for currency in (target, source)
            )
            if not np.isnan(value[0] - other[0]):
                return date.fromordinal(int(min(of_target[0], of_source[0])))
        return None

    def convert(self, candidates: Candidates, sources: Collection[str], target: str) -> Candidates:
        """The candidates in `target`, and those in `sources` converted to it; those without a rate are left
        out."""
        home = encode_value("currency", target)
        if (candidates.currency == home).all():
            return candidates
        log_rate = candidates.log_rate.copy()
        for source in sources:
            rows = np.flatnonzero(candidates.currency == encode_value("currency", source))
            if len(rows):
                log_rate[rows] += self.log_factors(source, target, candidates.day[rows])
        convertible = np.flatnonzero(~np.isnan(log_rate))
        currency = np.full(len(candidates), home, dtype=np.uint32)
        return replace(candidates, log_rate=log_rate, currency=currency).take(convertible)

    def _log_values(self, base: str, currency: str, days: Ints) -> Series:
        """The days of the last rates on or before each day, and the ln of the value of one unit of `base` in
        `currency` at them."""
        if base == currency:
            return days, np.zeros(len(days))
        found, found_days = np.full(len(days), np.nan), days
        known, values = self.series.get((base, currency), (np.zeros(0, dtype=np.int64), np.zeros(0)))
        if len(known):
            at = np.searchsorted(known, days, side="right") - 1
            is_valid = (at >= 0) & (days - known[at] <= MAX_AGE_DAYS)
            found, found_days = np.where(is_valid, values[at], np.nan), known[at]
        if self.fallback is None:
            return found_days, found
        is_missing = np.isnan(found)
        other_days, others = self.fallback._log_values(base, currency, days)
        return np.where(is_missing, other_days, found_days), np.where(is_missing, others, found)

    def _list_bases(self) -> list[str]:
        return list(dict.fromkeys(base for base, _ in self._list_pairs()))

    def _list_pairs(self) -> list[Pair]:
        """The pairs with a rate, the own ones first."""
        return [*self.series, *(self.fallback._list_pairs() if self.fallback else ())]


NO_RATES = ExchangeRates()
