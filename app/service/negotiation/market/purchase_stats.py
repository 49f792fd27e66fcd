"""What a supplier's past deals show: effects on the price, and ranges. Pure; deals come in as rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import median, quantiles

from app.contract.pricing import MIN_PURCHASES

LONG_TERM_MONTHS = 24
YEAR_END_MONTHS = 2


@dataclass(frozen=True, slots=True)
class PastPurchase:
    """One past purchase. `rate` is the price of a unit before tax, a month's share of it where the price is
    paid for a time (`recurring`)."""

    product_id: str
    purchase_date: date
    quantity: float
    monthly_price: float
    recurring: bool
    currency: str
    billing: str
    term_months: int | None
    is_renewal: bool | None
    monthly_list_price: float | None


@dataclass(frozen=True, slots=True)
class PriceEffect:
    """`ratio` of the typical price of one kind of deal to that of another; 0.9 is ten per cent cheaper.
    `purchases` is the number of both kinds together."""

    ratio: float
    purchase_count: int


@dataclass(frozen=True, slots=True)
class PriceRange:
    """The middle half of what a unit cost: quartiles, and the median."""

    name: str
    low: float
    median: float
    high: float
    currency: str
    recurring: bool
    purchase_count: int


class PurchaseStats:
    """Deals of one supplier, compared with each other product by product, so that a dear product and a cheap
    one can be told of together."""

    def __init__(self, purchases: Iterable[PastPurchase], name: str = "") -> None:
        self.name = name
        usable = [deal for deal in purchases if deal.monthly_price > 0 and deal.quantity > 0]
        # One currency and one way to pay: what most deals have.
        groups = [(deal.currency, deal.recurring) for deal in usable]
        most_common = max(set(groups), key=groups.count, default=("", False))
        self.purchases = [deal for deal in usable if (deal.currency, deal.recurring) == most_common]
        self.currency, self.recurring = most_common

    def __len__(self) -> int:
        return len(self.purchases)

    @cached_property
    def _medians_by_product(self) -> dict[str, tuple[float, float]]:
        """Median rate and median quantity of each product."""
        found: dict[str, list[PastPurchase]] = {}
        for deal in self.purchases:
            found.setdefault(deal.product_id, []).append(deal)
        return {
            key: (median(deal.monthly_price for deal in deals), median(deal.quantity for deal in deals))
            for key, deals in found.items()
        }

    def _relative_price(self, purchase: PastPurchase) -> float:
        return purchase.monthly_price / self._medians_by_product[purchase.product_id][0]

    def _compare(
        self, one: Callable[[PastPurchase], bool | None], deals: Sequence[PastPurchase] | None = None
    ) -> PriceEffect | None:
        """Deals of which `one` holds against those of which it does not; None leaves a deal out."""
        having: list[float] = []
        others: list[float] = []
        for deal in self.purchases if deals is None else deals:
            holds = one(deal)
            if holds is not None:
                (having if holds else others).append(self._relative_price(deal))
        if len(having) < MIN_PURCHASES or len(others) < MIN_PURCHASES:
            return None
        return PriceEffect(median(having) / median(others), len(having) + len(others))

    def volume_effect(self) -> PriceEffect | None:
        """At least twice a product's usual quantity, against its usual quantity and less."""

        def large(deal: PastPurchase) -> bool | None:
            usual = self._medians_by_product[deal.product_id][1]
            return True if deal.quantity >= 2 * usual else False if deal.quantity <= usual else None

        return self._compare(large)

    def long_term_effect(self) -> PriceEffect | None:
        """Two years and more against one year and less."""

        def long(deal: PastPurchase) -> bool | None:
            if not deal.term_months:
                return None
            return True if deal.term_months >= LONG_TERM_MONTHS else False if deal.term_months <= 12 else None

        return self._compare(long)

    def prepayment_effect(self) -> PriceEffect | None:
        """A price by the year or the term, against one by the month."""
        return self._compare(lambda deal: {"year": True, "term": True, "month": False}.get(deal.billing))

    def renewal_effect(self) -> PriceEffect | None:
        """Renewals against new purchases."""
        return self._compare(lambda deal: deal.is_renewal)

    def year_end_effect(self, fiscal_year_end: str) -> PriceEffect | None:
        """The last two months of the fiscal year against the rest. `fiscal_year_end` is `--MM-DD`."""
        last = int(fiscal_year_end[2:4])
        months = {(last - back - 1) % 12 + 1 for back in range(YEAR_END_MONTHS)}
        return self._compare(lambda deal: deal.purchase_date.month in months)

    def cheapest_month(self) -> tuple[int, PriceEffect] | None:
        """The month in which deals were cheapest against the other months."""
        found = [
            (month, effect)
            for month in range(1, 13)
            if (effect := self._compare(lambda deal, at=month: deal.purchase_date.month == at)) is not None
        ]
        return min(found, key=lambda one: one[1].ratio, default=None)

    def discounts(self) -> list[float]:
        """Discounts off the list price in per cent, of the deals that state one."""
        return [
            100 * (1 - deal.monthly_price / deal.monthly_list_price)
            for deal in self.purchases
            if deal.monthly_list_price is not None and deal.monthly_list_price >= deal.monthly_price
        ]

    def unit_range(self) -> PriceRange | None:
        """The middle half of the unit prices; None below five deals."""
        if len(self.purchases) < MIN_PURCHASES:
            return None
        low, middle, high = quantiles(
            (deal.monthly_price for deal in self.purchases), n=4, method="inclusive"
        )
        return PriceRange(self.name, low, middle, high, self.currency, self.recurring, len(self.purchases))


def days_until(fiscal_year_end: str, today: date) -> int | None:
    """Days from `today` to the next `--MM-DD`; None when that is no date."""
    try:
        month, day = (int(part) for part in fiscal_year_end.removeprefix("--").split("-"))
        at = date(today.year, month, min(day, 28) if month == 2 else day)
        if at < today:
            at = at.replace(year=today.year + 1)
    except ValueError:
        return None
    return (at - today).days
