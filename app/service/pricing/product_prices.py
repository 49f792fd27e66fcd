"""What a product was bought for, without a scope: the prices of its latest purchases by unit and period."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from math import isnan

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.pricing import (
    MAX_PRICED_PURCHASES,
    MIN_PURCHASES,
    PERCENTILES,
    ProductPrices,
    UnitPercentiles,
    UnitPriceRange,
)
from app.service.charges.charge import price_of_month
from app.service.database.dialect import dialect_of, latest_of_each
from app.service.database.tables import article, purchase
from app.service.database.visibility import owned_by, visible_to
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.rates.exchange import ExchangeRates
from app.service.pricing.wire import round_money
from app.service.purchase_records import PricePeriod

_MAX_ARTICLES = 200
"""How many of a product's latest wordings are considered."""
_SIGNIFICANT_DIGITS = 6


@dataclass(frozen=True, slots=True)
class _BoughtUnit:
    """The price of one unit and `price_period` in a purchase; `organisation_id` is None for everybody's."""

    purchase_date: date
    organisation_id: str | None
    currency: str
    unit: str | None
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    buyer: str | None

    @property
    def recurring(self) -> bool:
        return self.price_period != "once"

    @property
    def price(self) -> float | None:
        """The price of one unit, of one month where it is paid for a time; None where that is not stated."""
        return price_of_month(self.unit_price, self.price_period, self.term_months)


_Kind = tuple[str, bool]
"""The unit in lower case, and whether it is paid for a time."""


@dataclass(frozen=True, slots=True)
class _UnitPrice:
    """The price of one unit in the currency of the answer, of one month where it is paid for a time."""

    bought: _BoughtUnit
    price: float


def load_product_prices(
    connection: Connection,
    organisation_id: str,
    product: CatalogProduct,
    *,
    currency: str,
    rates: ExchangeRates,
    now: datetime,
) -> ProductPrices:
    """Load the price ranges of a product in `currency`, from the purchases that the organisation may see.
    Where those of others are too few to be shown, its own are enough."""
    bought = _load_latest(connection, product.id, organisation_id, own_only=False)
    by_kind = _group(_convert(bought, currency, rates))
    not_converted = sum(one.price is not None for one in bought) - sum(map(len, by_kind.values()))
    if any(_refuse(prices) for prices in by_kind.values()):
        own = _load_latest(connection, product.id, organisation_id, own_only=True)
        for kind, prices in _group(_convert(own, currency, rates)).items():
            if _refuse(by_kind.get(kind, ())) and not _refuse(prices):
                by_kind[kind] = prices
    ranges = [_build_range(prices) for prices in by_kind.values()]
    return ProductPrices(
        product_id=product.id,
        currency=currency,
        timestamp=now,
        purchases_on_record=product.purchase_count,
        not_converted=not_converted,
        ranges=sorted(ranges, key=lambda one: (-one.purchases, one.unit or "", one.recurring)),
    )


def _load_latest(
    connection: Connection, product_id: str, organisation_id: str, *, own_only: bool
) -> Sequence[_BoughtUnit]:

    articles = (
        sa.select(article.c.id)
        .where(article.c.product_id == product_id, visible_to(article.c, organisation_id))
        .order_by(article.c.id.desc())
        .limit(_MAX_ARTICLES)
    )
    source, columns = latest_of_each(
        dialect_of(connection),
        purchase,
        "article_id",
        articles.subquery("wanted"),
        "purchase_date",
        lambda rows: (owned_by if own_only else visible_to)(rows, organisation_id),
        most=MAX_PRICED_PURCHASES,
    )
    latest = (
        sa.select(*(columns[field.name] for field in fields(_BoughtUnit)))
        .select_from(source)
        .order_by(columns.purchase_date.desc(), columns.id)
        .limit(MAX_PRICED_PURCHASES)
    )
    return [_BoughtUnit(*row) for row in connection.execute(latest)]


def _convert(bought: Sequence[_BoughtUnit], currency: str, rates: ExchangeRates) -> list[_UnitPrice]:
    """Convert the prices at the rate of their day, without those that have none and those for an unknown
    time."""
    factors = {
        key: rates.factor(key[0], currency, key[1])
        for key in {(line.currency, line.purchase_date) for line in bought}
    }
    prices = (
        _UnitPrice(line, line.price * factors[line.currency, line.purchase_date])
        for line in bought
        if line.price is not None
    )
    return [one for one in prices if not isnan(one.price)]


def _group(prices: Sequence[_UnitPrice]) -> dict[_Kind, list[_UnitPrice]]:
    groups: defaultdict[_Kind, list[_UnitPrice]] = defaultdict(list)
    for one in prices:
        groups[(one.bought.unit or "").casefold(), one.bought.recurring].append(one)
    return dict(groups)


def _refuse(prices: Sequence[_UnitPrice]) -> str | None:
    """Return why these prices may not be shown as a range, in a sentence; None where they may."""
    reason = None if len(prices) >= MIN_PURCHASES else f"fewer than {MIN_PURCHASES} purchases"
    others = [one.bought for one in prices if one.bought.organisation_id is None]
    if reason is None and others:
        reason = Anonymity().refuse_buyers([(one.buyer or "").casefold() for one in others])
    return reason and f"No price range: {reason}."


def _build_range(prices: Sequence[_UnitPrice]) -> UnitPriceRange:
    spellings = Counter(one.bought.unit for one in prices if one.bought.unit)
    reason = _refuse(prices)
    kind = UnitPriceRange(
        unit=spellings.most_common(1)[0][0] if spellings else None,
        recurring=prices[0].bought.recurring,
        purchases=len(prices),
        own_purchases=sum(one.bought.organisation_id is not None for one in prices),
        reason=reason,
    )
    if reason:
        return kind
    days = [one.bought.purchase_date for one in prices]
    values = np.quantile([one.price for one in prices], [percent / 100 for percent in PERCENTILES])
    named = {
        f"percentile{percent}": round_unit_price(value)
        for percent, value in zip(PERCENTILES, values.tolist(), strict=True)
    }
    return kind.model_copy(
        update={
            "first_bought": min(days),
            "last_bought": max(days),
            "prices": UnitPercentiles.model_validate(named),
        }
    )


def round_unit_price(value: float) -> Decimal:
    """Round to the cent, and below 1 to so many digits that a small price does not become 0."""
    return round_money(value) if value >= 1 else Decimal(f"{value:.{_SIGNIFICANT_DIGITS}g}")
