"""What the purchases on record say about a supplier and its competitors, and answers to what buyers often ask
about it. An answer with fewer than `MIN_PURCHASES` purchases behind it is left out. Answers are simple HTML;
every name in them is escaped.
"""

from calendar import month_name
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from html import escape
from statistics import median, quantiles

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.money import format_count, format_money
from app.contract.negotiation import Faq
from app.contract.pricing import MIN_PURCHASES
from app.service.catalog.purchase_counts import select_newest_purchases
from app.service.charges.charge import convert_price, count_months_of_price
from app.service.database.dialect import dialect_of
from app.service.database.tables import company, product
from app.service.database.visibility import visible_to

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


MAX_PURCHASES = 5_000
"""The newest purchases of a supplier that count; older ones would cost time and say less."""
MAX_COMPETITORS = 5
MAX_COMPETITOR_PURCHASES = 500


@dataclass(frozen=True, slots=True)
class SupplierMarket:
    """A supplier, its purchases and the price ranges of its competitors. `features` are what its products
    include, each with the number of purchases of those products."""

    company_id: str
    name: str
    domain: str
    category_id: str | None
    fiscal_year_end: str | None
    last_updated_at: datetime
    purchases: PurchaseStats
    competitors: Sequence[UnitPriceRange]
    features: Sequence[tuple[str, int]]


def load_supplier_market(
    connection: Connection, organisation_id: str, company_id: str
) -> SupplierMarket | None:
    """Load a supplier's market from the purchases that the organisation may see; None for an unknown
    company."""
    visible = visible_to(company.c, organisation_id)
    row = connection.execute(sa.select(company).where(company.c.id == company_id, visible)).first()
    if row is None:
        return None
    competitor_ids: list[str] = row.details.get("competitorIds", [])[:MAX_COMPETITORS]
    competitors = connection.execute(
        sa.select(company.c.id, company.c.name)
        .where(company.c.id.in_(competitor_ids), visible)
        .order_by(company.c.name)
    ).all()
    ranges = (
        PurchaseStats(
            _load_purchases(connection, organisation_id, competitor.id, MAX_COMPETITOR_PURCHASES),
            competitor.name,
        ).unit_range()
        for competitor in competitors
    )
    purchases = PurchaseStats(
        _load_purchases(connection, organisation_id, company_id, MAX_PURCHASES), row.name
    )
    return SupplierMarket(
        company_id=company_id,
        name=row.name,
        domain=row.domain,
        category_id=row.category_id,
        fiscal_year_end=row.details.get("fiscalYearEnd"),
        last_updated_at=row.last_updated_at,
        purchases=purchases,
        competitors=[found for found in ranges if found is not None],
        features=_count_features(connection, organisation_id, company_id, purchases),
    )


def _load_purchases(
    connection: Connection, organisation_id: str, company_id: str, limit: int
) -> list[PastPurchase]:
    rows = connection.execute(
        select_newest_purchases(
            dialect_of(connection),
            company_id,
            (
                *("purchase_date", "quantity", "unit_price", "price_period", "term_months"),
                *("purchase_type", "list_price", "currency", "unit"),
            ),
            lambda row: visible_to(row, organisation_id),
            limit,
        )
    )
    purchases: list[PastPurchase] = []
    for row in rows:
        months = count_months_of_price(row.price_period, row.term_months)
        if months is None:
            continue
        purchases.append(
            PastPurchase(
                product_id=row.product_id,
                purchase_date=row.purchase_date,
                quantity=row.quantity,
                unit_price=convert_price(row.unit_price, months),
                recurring=row.price_period != "once",
                currency=row.currency,
                billing=row.price_period,
                term_months=row.term_months,
                is_renewal=None if row.purchase_type is None else row.purchase_type == "renewal",
                unit_list_price=None if row.list_price is None else convert_price(row.list_price, months),
                unit=row.unit,
            )
        )
    return purchases


def _count_features(
    connection: Connection, organisation_id: str, company_id: str, stats: PurchaseStats
) -> list[tuple[str, int]]:
    bought: dict[str, int] = {}
    for each in stats.purchases:
        bought[each.product_id] = bought.get(each.product_id, 0) + 1
    counts: dict[str, int] = {}
    rows = connection.execute(
        sa.select(product.c.id, product.c.features).where(
            product.c.company_id == company_id, visible_to(product.c, organisation_id)
        )
    )
    for row in rows:
        for name in {feature["name"] for feature in row.features}:
            counts[name] = counts.get(name, 0) + bought.get(row.id, 0)
    return sorted(counts.items(), key=lambda feature: (-feature[1], feature[0]))


MAX_FEATURES = 8


def build_faqs(market: SupplierMarket) -> Iterator[Faq]:
    """At most one answer to each question, in a fixed order."""
    purchases, name = market.purchases, market.name
    discounts = purchases.discounts()
    if len(discounts) >= MIN_PURCHASES:
        low, _, high = quantiles(discounts, n=4, method="inclusive")
        yield Faq(
            question=f"What discount does {name} usually give?",
            answer=f"<p>Half of the purchases got between <strong>{low:.0f} %</strong> and"
            f" <strong>{high:.0f} %</strong> off the list price; the median was"
            f" {median(discounts):.0f} %.</p>{_count_sentence(len(discounts))}",
        )
    for question, who, than, effect in (
        (
            "Does buying more lower the price?",
            "Large orders cost",
            "per unit than usual ones",
            purchases.volume_effect(),
        ),
        (
            "Does a longer term lower the price?",
            "Terms of two years or more cost",
            "than terms of a year or less",
            purchases.long_term_effect(),
        ),
        (
            "Is a renewal more expensive than a new purchase?",
            "Renewals cost",
            "than new purchases",
            purchases.renewal_effect(),
        ),
    ):
        if effect is not None:
            yield Faq(
                question=question,
                answer=f"<p>{_describe_effect(who, effect, than)}</p>"
                f"{_count_sentence(effect.purchase_count)}",
            )
    yield from _answer_best_month(market)
    features = [(feature, count) for feature, count in market.features if count >= MIN_PURCHASES][
        :MAX_FEATURES
    ]
    if features:
        items = "".join(f"<li>{escape(feature)} ({count} purchases)</li>" for feature, count in features)
        yield Faq(
            question="What is usually included?",
            answer=f"<p>Included at no extra charge:</p><ul>{items}</ul>{_count_sentence(features[0][1])}",
        )
    competitors = [
        competitor for competitor in market.competitors if competitor.purchase_count >= MIN_PURCHASES
    ]
    if competitors:
        items = "".join(
            f"<li>{escape(competitor.name)}: {competitor.describe_prices()}"
            f" ({competitor.purchase_count} purchases)</li>"
            for competitor in competitors
        )
        yield Faq(
            question=f"What are the alternatives to {name}, and what do they cost?",
            answer=f"<p>What the middle half of buyers paid:</p><ul>{items}</ul>"
            f"{_count_sentence(sum(competitor.purchase_count for competitor in competitors))}",
        )


def _answer_best_month(market: SupplierMarket) -> Iterator[Faq]:
    best = market.purchases.cheapest_month()
    if best is None:
        return
    month, effect = best
    who = f"Purchases in <strong>{month_name[month]}</strong> cost"
    answer = f"<p>{_describe_effect(who, effect, 'than in other months')}"
    year_end = market.fiscal_year_end
    if year_end is not None and find_next_year_end(year_end, market.last_updated_at.date()) is not None:
        ahead = (int(year_end[2:4]) - month) % 12
        gap = (
            "is the last month of"
            if ahead == 0
            else f"comes {format_count(ahead, 'month')} before the end of"
        )
        answer += f" {month_name[month]} {gap} the supplier's fiscal year."
    yield Faq(
        question="When is the best month to sign?",
        answer=f"{answer}</p>{_count_sentence(effect.purchase_count)}",
    )


def _describe_effect(who: str, effect: PriceEffect, than: str) -> str:
    share = round(100 * (effect.ratio - 1))
    if share == 0:
        return f"{who} about the same."
    return f"{who} <strong>{abs(share)} % {'more' if share > 0 else 'less'}</strong> {than}."


def _count_sentence(purchases: int) -> str:
    return f"<p>Based on {purchases} purchases.</p>"
