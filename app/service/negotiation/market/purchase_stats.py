"""What the past purchases from a supplier show: effects on the price, and price ranges. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import median, quantiles

from app.contract.money import format_money
from app.contract.pricing import MIN_PURCHASES

LONG_TERM_MONTHS = 24
YEAR_END_MONTHS = 2


@dataclass(frozen=True, slots=True)
class PastPurchase:
    """One past purchase. `unit_price` is the price of a unit before tax; where it is paid for a time
    (`recurring`), that of one month."""

    product_id: str
    purchase_date: date
    quantity: float
    unit_price: float
    recurring: bool
    currency: str
    billing: str
    term_months: int | None
    is_renewal: bool | None
    unit_list_price: float | None
    unit: str | None = None

    @property
    def kind(self) -> tuple[str, str]:
        """What is compared with nothing else: the product in its unit."""
        return self.product_id, self.unit_key

    @property
    def unit_key(self) -> str:
        return (self.unit or "").casefold()


@dataclass(frozen=True, slots=True)
class PriceEffect:
    """The typical price of one kind of purchase divided by that of another (`ratio`): 0.9 is ten per cent
    cheaper. `purchase_count` counts both kinds together."""

    ratio: float
    purchase_count: int


@dataclass(frozen=True, slots=True)
class UnitPriceRange:
    """The middle half of what a unit cost: the quartiles and the median."""

    name: str
    low: float
    median: float
    high: float
    currency: str
    recurring: bool
    purchase_count: int
    unit_key: str = ""

    def is_comparable(self, other: "UnitPriceRange") -> bool:
        """Return whether both are of the same unit, currency and way to pay."""
        mine, others = ((one.unit_key, one.currency, one.recurring) for one in (self, other))
        return mine == others

    def describe_prices(self) -> str:
        """`USD 1.50 to USD 3 per unit and month`."""
        per = "unit and month" if self.recurring else "unit"
        low, high = (format_money(price, self.currency) for price in (self.low, self.high))
        return f"{low} to {high} per {per}"


class PurchaseStats:
    """Statistics of the purchases from one supplier. Each purchase is compared with others of the same
    product and unit, so that expensive and cheap products can be counted together."""

    def __init__(self, purchases: Iterable[PastPurchase], name: str = "") -> None:
        self.name = name
        usable = [purchase for purchase in purchases if purchase.unit_price > 0 and purchase.quantity > 0]
        # Only purchases in the most common currency and way to pay can be compared.
        groups = [(purchase.currency, purchase.recurring) for purchase in usable]
        most_common = max(sorted(set(groups)), key=groups.count, default=("", False))
        self.purchases = [
            purchase for purchase in usable if (purchase.currency, purchase.recurring) == most_common
        ]
        self.currency, self.recurring = most_common

    def __len__(self) -> int:
        return len(self.purchases)

    @cached_property
    def _medians(self) -> dict[tuple[str, str], tuple[float, float]]:
        """Return the median unit price and the median quantity of each product in each unit."""
        found: dict[tuple[str, str], list[PastPurchase]] = {}
        for purchase in self.purchases:
            found.setdefault(purchase.kind, []).append(purchase)
        return {
            key: (
                median(purchase.unit_price for purchase in purchases),
                median(purchase.quantity for purchase in purchases),
            )
            for key, purchases in found.items()
        }

    def _relative_price(self, purchase: PastPurchase) -> float:
        return purchase.unit_price / self._medians[purchase.kind][0]

    def _compare(self, condition: Callable[[PastPurchase], bool | None]) -> PriceEffect | None:
        """Compare purchases for which `condition` is true with those for which it is false; None leaves a
        purchase out. Return None when there are too few of either."""
        having: list[float] = []
        others: list[float] = []
        for purchase in self.purchases:
            holds = condition(purchase)
            if holds is not None:
                (having if holds else others).append(self._relative_price(purchase))
        if len(having) < MIN_PURCHASES or len(others) < MIN_PURCHASES:
            return None
        return PriceEffect(median(having) / median(others), len(having) + len(others))

    def volume_effect(self) -> PriceEffect | None:
        """Compare at least twice a product's usual quantity with its usual quantity and less."""

        def large(purchase: PastPurchase) -> bool | None:
            usual = self._medians[purchase.kind][1]
            return True if purchase.quantity >= 2 * usual else False if purchase.quantity <= usual else None

        return self._compare(large)

    def long_term_effect(self) -> PriceEffect | None:
        """Compare terms of two years and more with terms of one year and less."""

        def long(purchase: PastPurchase) -> bool | None:
            if not purchase.term_months:
                return None
            return (
                True
                if purchase.term_months >= LONG_TERM_MONTHS
                else False
                if purchase.term_months <= 12
                else None
            )

        return self._compare(long)

    def prepayment_effect(self) -> PriceEffect | None:
        """Compare prices by the year or the term with prices by the month."""
        return self._compare(
            lambda purchase: {"year": True, "term": True, "month": False}.get(purchase.billing)
        )

    def renewal_effect(self) -> PriceEffect | None:
        """Compare renewals with new purchases."""
        return self._compare(lambda purchase: purchase.is_renewal)

    def year_end_effect(self, fiscal_year_end: str) -> PriceEffect | None:
        """Compare the last two months of the fiscal year with the rest. `fiscal_year_end` is `--MM-DD`."""
        last = int(fiscal_year_end[2:4])
        months = {(last - back - 1) % 12 + 1 for back in range(YEAR_END_MONTHS)}
        return self._compare(lambda purchase: purchase.purchase_date.month in months)

    def cheapest_month(self) -> tuple[int, PriceEffect] | None:
        """Return the month in which purchases were cheapest compared with the other months."""
        found = [
            (month, effect)
            for month in range(1, 13)
            if (effect := self._compare(lambda purchase, at=month: purchase.purchase_date.month == at))
            is not None
        ]
        return min(found, key=lambda one: one[1].ratio, default=None)

    def discounts(self) -> list[float]:
        """Return the discounts off the list price in per cent, of the purchases that state one."""
        return [
            100 * (1 - purchase.unit_price / purchase.unit_list_price)
            for purchase in self.purchases
            if purchase.unit_list_price is not None and purchase.unit_list_price >= purchase.unit_price
        ]

    def unit_range(self) -> UnitPriceRange | None:
        """Return the middle half of the prices of the most common unit; None below `MIN_PURCHASES`
        purchases."""
        units = [purchase.unit_key for purchase in self.purchases]
        unit = max(sorted(set(units)), key=units.count, default="")
        prices = [purchase.unit_price for purchase in self.purchases if purchase.unit_key == unit]
        if len(prices) < MIN_PURCHASES:
            return None
        low, middle, high = quantiles(prices, n=4, method="inclusive")
        return UnitPriceRange(self.name, low, middle, high, self.currency, self.recurring, len(prices), unit)


def find_next_year_end(fiscal_year_end: str, today: date) -> date | None:
    """Return the next `--MM-DD` from `today` on; None when that is no date."""
    try:
        month, day = (int(part) for part in fiscal_year_end.removeprefix("--").split("-"))
        at = date(today.year, month, min(day, 28) if month == 2 else day)
        if at < today:
            at = at.replace(year=today.year + 1)
    except ValueError:
        return None
    return at
