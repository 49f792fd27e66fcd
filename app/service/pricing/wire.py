"""A priced scope as the records of the interface."""

from collections.abc import Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypeVar

from sqlalchemy import Row

from app.contract.pricing import (
    PERCENTILES,
    AdvancedEstimate,
    BasicEstimate,
    BasicPercentiles,
    CompanyPurchaseCount,
    Percentiles,
    ProductEstimate,
    SimilarPurchase,
)
from app.service.catalog.learning_sample import learning_sample
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.estimator.scope_price import ScopePrice
from app.service.pricing.scope_estimate import PricedProduct, PricedScope

MIN_SIMILARITY = 50
"""Purchases less alike than this (per cent) carried too little to be shown."""

CENT = Decimal("0.01")
DEFAULTED_LEVELS = frozenset({"related", "coarse"})
"""Levels at which no purchase of the product or one like it stands behind its price."""

Record = TypeVar("Record", BasicPercentiles, Percentiles)


def to_basic_estimate(price: ScopePrice, now: datetime) -> BasicEstimate:
    """25 %, 50 % and 75 % of the whole."""
    return BasicEstimate(
        estimate=_to_percentiles(BasicPercentiles, price, (25, 50, 75)),
        currency=price.currency,
        timestamp=now,
    )


def to_advanced_estimate(
    scope: PricedScope,
    total: ScopePrice,
    purchases: Mapping[str, Row[Any]],
    counts: Mapping[str, int],
    now: datetime,
) -> AdvancedEstimate:
    """Everything about the whole. `purchases` holds the rows of all comparables, `counts` the purchases of
    each company."""
    companies = {part.product.company_id: part.product.company_name for part in scope.products}
    return AdvancedEstimate(
        estimate=_to_percentiles(Percentiles, total, PERCENTILES),
        product_estimates=[_to_product_estimate(part) for part in scope.products],
        currency=scope.currency,
        timestamp=now,
        real_purchase_count=[
            CompanyPurchaseCount(
                company_id=company_id, company_name=name, real_purchase_count=counts.get(company_id, 0)
            )
            for company_id, name in companies.items()
        ],
        real_similar_purchases=_to_similar_purchases(scope, purchases),
    )


def collect_comparable_ids(scope: PricedScope) -> set[str]:
    """The purchases that a priced scope shows."""
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


def _to_similar_purchases(scope: PricedScope, purchases: Mapping[str, Row[Any]]) -> list[SimilarPurchase]:
    best: dict[str, tuple[int, Mapping[str, Any]]] = {}
    for product, price in scope.priced:
        sold = row_record(product)
        for one in price.comparables:
            if one.similarity > best.get(one.id, (MIN_SIMILARITY - 1,))[0] and one.id in purchases:
                best[one.id] = one.similarity, sold
    return [
        SimilarPurchase.model_validate(
            {
                **learning_sample(_convert_price(scope, purchases[purchase_id]), sold),
                "similarityRate": similarity,
            }
        )
        for purchase_id, (similarity, sold) in sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
    ]


def row_record(row: Row[Any]) -> Mapping[str, Any]:
    return row._asdict()  # pyright: ignore[reportPrivateUsage]


def _convert_price(scope: PricedScope, row: Row[Any]) -> Mapping[str, Any]:
    """A purchase with its price in the scope's currency, at the rate of its day."""
    factor = scope.rates.factor(row.currency, scope.currency, row.purchase_date)
    return row_record(row) if factor == 1.0 else {**row_record(row), "unit_price": row.unit_price * factor}


def _to_percentiles(
    record: type[Record], price: ScopePrice | PriceDistribution, percents: tuple[int, ...]
) -> Record:
    prices = price.quantiles([percent / 100 for percent in percents])
    return record.model_validate(
        {f"percentile{percent}": round_money(value) for percent, value in zip(percents, prices, strict=True)}
    )


def round_money(value: float) -> Decimal:
    """To the cent, and finer where a unit costs less than a few."""
    return round_to_step(value, "0.01" if value >= 1 else "0.000001")


def round_to_step(value: float, step: str) -> Decimal:
    """To a multiple of `step`, half a step up."""
    return Decimal(repr(float(value))).quantize(Decimal(step), ROUND_HALF_UP)
