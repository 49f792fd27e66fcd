"""Turns a priced scope into the estimates of the interface."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeVar

from app.contract.pricing import (
    PERCENTILES,
    AdvancedEstimate,
    BasicEstimate,
    BasicPercentiles,
    CompanyPurchaseCount,
    Percentiles,
    ProductEstimate,
)
from app.service.access.capacity import giving_way
from app.service.catalog.learning_sample import build_learning_sample
from app.service.catalog.wire import Record
from app.service.pricing.catalog_product import CatalogProduct
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution, ScopePrice
from app.service.pricing.past_purchases import PurchaseDetails
from app.service.pricing.scope_estimate import PricedProduct, PricedScope

MIN_SIMILARITY = 50
"""Purchases that are less similar than this (per cent) are not shown: they carry too little weight."""

DEFAULTED_LEVELS = frozenset({"related", "coarse"})
"""The levels of estimates without a purchase of the product or of a similar one."""

SomePercentiles = TypeVar("SomePercentiles", BasicPercentiles, Percentiles)


def to_basic_estimate(price: ScopePrice, now: datetime) -> BasicEstimate:
    """Percentiles 25, 50 and 75 of the whole scope's price."""
    return BasicEstimate(
        estimate=_to_percentiles(BasicPercentiles, price, (25, 50, 75)),
        currency=price.currency,
        timestamp=now,
    )


def to_advanced_estimate(
    scope: PricedScope,
    total: ScopePrice,
    purchases: Mapping[str, PurchaseDetails],
    counts: Mapping[str, int],
    now: datetime,
) -> Record:
    """The whole scope's percentiles, each product's part and the similar purchases, as `AdvancedEstimate` is
    sent. `purchases` has the details of all comparables, `counts` the number of purchases of each company."""
    companies = {part.product.company_id: part.product.company_name for part in scope.products}
    # Similar purchases are built as they are sent: to check each one takes longer than to find it.
    without_purchases = AdvancedEstimate(
        estimate=_to_percentiles(Percentiles, total, PERCENTILES),
        product_estimates=[_to_product_estimate(part) for part in giving_way(scope.products)],
        currency=scope.currency,
        timestamp=now,
        real_purchase_count=[
            CompanyPurchaseCount(
                company_id=company_id, company_name=name, real_purchase_count=counts.get(company_id, 0)
            )
            for company_id, name in companies.items()
        ],
        real_similar_purchases=[],
    )
    similar: Record = {"realSimilarPurchases": _to_similar_purchases(scope, purchases)}
    return without_purchases.wire() | similar


def collect_comparable_ids(scope: PricedScope) -> set[str]:
    return {one.id for _, price in scope.priced for one in price.comparables}


def _to_product_estimate(part: PricedProduct) -> ProductEstimate:
    product = part.product
    if isinstance(part.price, NotEstimable):
        return ProductEstimate(
            status="error",
            code="pricing_failed",
            defaulted=False,
            message=f"No estimate: {part.price.reason}.",
            name=product.name,
            product_id=product.id,
        )
    return ProductEstimate(
        status="success",
        defaulted=part.price.level in DEFAULTED_LEVELS,
        estimate=_to_percentiles(Percentiles, part.price, PERCENTILES),
        name=product.name,
        product_id=product.id,
    )


def _to_similar_purchases(scope: PricedScope, purchases: Mapping[str, PurchaseDetails]) -> list[Record]:
    """The similar purchases, the most similar first, as `SimilarPurchase` is sent."""
    best: dict[str, tuple[int, CatalogProduct]] = {}
    for product, price in scope.priced:
        for one in price.comparables:
            if one.similarity > best.get(one.id, (MIN_SIMILARITY - 1,))[0] and one.id in purchases:
                best[one.id] = one.similarity, product
    most_similar_first = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
    return [
        _to_similar_purchase(_convert_price(scope, purchases[purchase_id]), product, similarity)
        for purchase_id, (similarity, product) in giving_way(most_similar_first)
    ]


def _to_similar_purchase(purchase: PurchaseDetails, product: CatalogProduct, similarity: int) -> Record:
    quantity = product.quantity_dimension
    sample = build_learning_sample(
        purchase,
        product_name=product.name,
        quantity_name=None if quantity is None else quantity.name,
        dimension_columns=product.dimension_source.values(),
    )
    return {**sample, "similarityRate": similarity}


def _convert_price(scope: PricedScope, purchase: PurchaseDetails) -> PurchaseDetails:
    """The purchase with its price in the scope's currency, at the rate of its day."""
    factor = scope.rates.factor(purchase.currency, scope.currency, purchase.purchase_date)
    return purchase if factor == 1.0 else replace(purchase, unit_price=purchase.unit_price * factor)


def _to_percentiles(
    record: type[SomePercentiles], price: ScopePrice | PriceDistribution, percents: tuple[int, ...]
) -> SomePercentiles:
    prices = price.quantiles([percent / 100 for percent in percents])
    return record.model_validate(
        {f"percentile{percent}": round_money(value) for percent, value in zip(percents, prices, strict=True)}
    )


def round_money(value: float) -> Decimal:
    """Round an amount to the cent, and one below 1 to six decimals."""
    return round_to_step(value, "0.01" if value >= 1 else "0.000001")


def round_to_step(value: float, step: str) -> Decimal:
    """Round to a multiple of `step`, half a step up."""
    return Decimal(repr(float(value))).quantize(Decimal(step), ROUND_HALF_UP)
