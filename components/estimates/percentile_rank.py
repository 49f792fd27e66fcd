"""The percentile of a price in an estimate."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from app.contract.pricing import PERCENTILES, Percentiles

Side = Literal["below", "within", "above"]


@dataclass(frozen=True)
class PercentileRank:
    """The percentile of a price. Below the first or above the last of the 17 known percentiles only the side
    is known: `percent` is then that percentile."""

    percent: float
    side: Side

    def __str__(self) -> str:
        if self.side == "within":
            return f"percentile {self.percent:.0f}"
        return f"{self.side} percentile {self.percent:.0f}"


def rank_price(estimate: Percentiles, price: Decimal) -> PercentileRank:
    """Return the percentile of `price`, interpolated between its neighbours. Where several percentiles have
    exactly this price, their middle."""
    known = [(percent, estimate.at(percent)) for percent in PERCENTILES]
    if price < known[0][1]:
        return PercentileRank(known[0][0], "below")
    if price > known[-1][1]:
        return PercentileRank(known[-1][0], "above")
    equal = [percent for percent, value in known if value == price]
    if equal:
        return PercentileRank((equal[0] + equal[-1]) / 2, "within")
    for (low, below), (high, above) in pairwise(known):
        if below < price < above:
            share = float((price - below) / (above - below))
            return PercentileRank(low + share * (high - low), "within")
    return PercentileRank(known[-1][0], "above")
