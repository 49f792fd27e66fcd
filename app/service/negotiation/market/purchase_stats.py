"""What a supplier's past deals show: effects on the price, and ranges. Pure; deals come in as rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import median, quantiles

FEWEST = 5
"""Fewer purchases than this say nothing, and could be recognised."""
LONG_TERM_MONTHS = 24
YEAR_END_MONTHS = 2


@dataclass(frozen=True, slots=True)
class Deal:
    """One past purchase. `rate` is the price of a unit before tax, a month's share of it where the price is
    paid for a time (`recurring`)."""

    product_id: str
    day: date
    quantity: float
    rate: float
    recurring: bool
    currency: str
    billing: str
    term_months: int | None
    renewal: bool | None
    list_rate: float | None


@dataclass(frozen=True, slots=True)
class Effect:
    """`ratio` of the typical price of one kind of deal to that of another; 0.9 is ten per cent cheaper.
    `purchases` is the number of both kinds together."""

    ratio: float
    purchases: int


@dataclass(frozen=True, slots=True)
class PriceRange:
    """The middle half of what a unit cost: quartiles, and the median."""

    name: str
    low: float
    middle: float
    high: float
    currency: str
    recurring: bool
    purchases: int


class Deals:
    """Deals of one supplier, compared with each other product by product, so that a dear product and a cheap
    one can be told of together."""

    def __init__(self, deals: Iterable[Deal], name: str = "") -> None:
        self.name = name
        every = [deal for deal in deals if deal.rate > 0 and deal.quantity > 0]
        # One currency and one way to pay: what most deals have.
        kinds = [(deal.currency, deal.recurring) for deal in every]
        common = max(set(kinds), key=kinds.count, default=("", False))
        self.all = [deal for deal in every if (deal.currency, deal.recurring) == common]
        self.currency, self.recurring = common

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def _typical(self) -> dict[str, tuple[float, float]]:
        """Median rate and median quantity of each product."""
        found: dict[str, list[Deal]] = {}
        for deal in self.all:
            found.setdefault(deal.product_id, []).append(deal)
        return {
            key: (median(deal.rate for deal in deals), median(deal.quantity for deal in deals))
            for key, deals in found.items()
        }

    def _relative(self, deal: Deal) -> float:
        return deal.rate / self._typical[deal.product_id][0]

    def _compared(
        self, one: Callable[[Deal], bool | None], deals: Sequence[Deal] | None = None
    ) -> Effect | None:
        """Deals of which `one` holds against those of which it does not; None leaves a deal out."""
        having: list[float] = []
        others: list[float] = []
        for deal in self.all if deals is None else deals:
            holds = one(deal)
            if holds is not None:
                (having if holds else others).append(self._relative(deal))
        if len(having) < FEWEST or len(others) < FEWEST:
            return None
        return Effect(median(having) / median(others), len(having) + len(others))

    def volume(self) -> Effect | None:
        """At least twice a product's usual quantity, against its usual quantity and less."""

        def large(deal: Deal) -> bool | None:
            usual = self._typical[deal.product_id][1]
            return True if deal.quantity >= 2 * usual else False if deal.quantity <= usual else None

        return self._compared(large)

    def longer_term(self) -> Effect | None:
        """Two years and more against one year and less."""

        def long(deal: Deal) -> bool | None:
            if not deal.term_months:
                return None
            return True if deal.term_months >= LONG_TERM_MONTHS else False if deal.term_months <= 12 else None

        return self._compared(long)

    def paid_up_front(self) -> Effect | None:
        """A price by the year or the term, against one by the month."""
        return self._compared(lambda deal: {"year": True, "term": True, "month": False}.get(deal.billing))

    def renewal(self) -> Effect | None:
        """Renewals against new purchases."""
        return self._compared(lambda deal: deal.renewal)

    def at_year_end(self, fiscal_year_end: str) -> Effect | None:
        """The last two months of the fiscal year against the rest. `fiscal_year_end` is `--MM-DD`."""
        last = int(fiscal_year_end[2:4])
        months = {(last - back - 1) % 12 + 1 for back in range(YEAR_END_MONTHS)}
        return self._compared(lambda deal: deal.day.month in months)

    def best_month(self) -> tuple[int, Effect] | None:
        """The month in which deals were cheapest against the other months."""
        found = [
            (month, effect)
            for month in range(1, 13)
            if (effect := self._compared(lambda deal, at=month: deal.day.month == at)) is not None
        ]
        return min(found, key=lambda one: one[1].ratio, default=None)

    def discounts(self) -> list[float]:
        """Discounts off the list price in per cent, of the deals that state one."""
        return [
            100 * (1 - deal.rate / deal.list_rate)
            for deal in self.all
            if deal.list_rate is not None and deal.list_rate >= deal.rate
        ]

    def unit_range(self) -> PriceRange | None:
        """The middle half of the unit prices; None below five deals."""
        if len(self.all) < FEWEST:
            return None
        low, middle, high = quantiles((deal.rate for deal in self.all), n=4, method="inclusive")
        return PriceRange(self.name, low, middle, high, self.currency, self.recurring, len(self.all))
