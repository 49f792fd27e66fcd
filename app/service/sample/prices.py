"""The rules that make sample prices. Pure."""

from dataclasses import dataclass
from datetime import date, timedelta
from math import exp, log10
from random import Random

YEARLY_RISE = 0.04
"""The yearly increase of list prices."""
PREMIUM_SUPPORT = 0.12
"""What premium support adds to the price of a unit."""
LAST_DAYS = 14
"""The last days of a quarter, in which discounts are higher."""
MAX_DISCOUNT = 0.62


@dataclass(frozen=True, slots=True)
class DiscountPolicy:
    """The discounts of a supplier, as shares of the list price."""

    always: float
    for_ten_times_as_many: float
    for_each_further_year: float
    at_quarter_end: float
    renewal_uplift: float
    noise: float
    fiscal_year_end: str

    @classmethod
    def draw(cls, random: Random, fiscal_year_end: str) -> "DiscountPolicy":
        return cls(
            always=random.uniform(0.0, 0.2),
            for_ten_times_as_many=random.uniform(0.04, 0.13),
            for_each_further_year=random.uniform(0.02, 0.06),
            at_quarter_end=random.uniform(0.02, 0.07),
            renewal_uplift=random.uniform(0.02, 0.08),
            noise=random.uniform(0.025, 0.07),
            fiscal_year_end=fiscal_year_end,
        )

    def share_paid(
        self, random: Random, *, day: date, quantity: float, term_months: int | None, renewal: bool
    ) -> float:
        """Return the price paid as a share of the list price."""
        off = self.always
        off += self.for_ten_times_as_many * max(0.0, log10(quantity / 10))
        off += self.for_each_further_year * max(0, (term_months or 12) // 12 - 1)
        off += self.at_quarter_end * count_quarter_ends(day, self.fiscal_year_end)
        share = 1 - min(off, MAX_DISCOUNT)
        if renewal:
            share *= 1 + self.renewal_uplift
        return min(1.0, share * exp(random.gauss(0, self.noise)))


def count_quarter_ends(day: date, fiscal_year_end: str) -> int:
    """Return 2 in the last days of the fiscal year, 1 in those of another quarter, else 0."""
    month = int(fiscal_year_end[2:4])
    soon = day + timedelta(days=LAST_DAYS)
    if soon.month == day.month:
        return 0
    if day.month == month:
        return 2
    return int((day.month - month) % 3 == 0)


def list_price_on(list_price: float, day: date, today: date) -> float:
    """Return the list price on a day; it rises each January."""
    return list_price / (1 + YEARLY_RISE) ** (today.year - day.year)
