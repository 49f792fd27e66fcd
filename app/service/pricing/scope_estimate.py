"""From a scope's terms to the price of the whole: asks the database for comparables and the estimator for
distributions. Everything that prices a scope comes through here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row

from app.service.pricing.calibration_store import latest_calibration
from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_product
from app.service.pricing.estimator.scope_price import ScopePrice, sum_distributions
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates
from app.service.pricing.rates.store import rates_on_record
from app.service.pricing.store import ComparableFinder, load_products
from app.service.purchase_records.packing import code_of
from app.service.purchase_records.query import PriceQuery
from app.service.purchase_records.records import UNIT
from app.service.scopes.terms import ProductTerm, ScopeTerm, as_number

DAYS_IN_MONTH = 365.25 / 12


@dataclass(frozen=True)
class PricedProduct:
    """One product term of a scope with its price, or why there is none. `query` is what was asked; `unknown`
    are the pricing dimensions that move the price and that nobody has stated; `converted` the ids of the
    purchases that were paid in another currency, `own` of those that are the caller's own."""

    product: Row[Any]
    price: PriceDistribution | NotEstimable
    query: PriceQuery
    unknown: Sequence[Mapping[str, Any]] = ()
    converted: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PricedScope:
    """`total` is None when no product could be priced. `rates` are those that purchases in other currencies
    were converted at."""

    currency: str
    products: list[PricedProduct]
    total: ScopePrice | None
    rates: ExchangeRates = NO_RATES

    @property
    def priced(self) -> list[tuple[Row[Any], PriceDistribution]]:
        """The products that have a price."""
        return [
            (part.product, part.price) for part in self.products if isinstance(part.price, PriceDistribution)
        ]


def estimate_scope(
    connection: Connection,
    *,
    organisation_id: str,
    scope_terms: Sequence[ScopeTerm],
    product_terms: Sequence[ProductTerm],
    currency: str,
    today: date,
    exclude: Collection[str] = (),
) -> PricedScope:
    """Prices the terms of a scope from purchases known before `today`, without the
    purchases of the ids in `exclude`."""
    products = load_products(connection, {term.product_id for term in product_terms}, organisation_id)
    rates = rates_on_record(connection)
    finder = ComparableFinder(
        connection, organisation_id, currency, before=today, exclude=exclude, rates=rates
    )
    parts: list[PricedProduct] = []
    for term in product_terms:
        product = products[term.product_id]
        learnt = latest_calibration(connection, sample=product.company_sample)
        query = build_price_query(product, term, scope_terms, currency)
        found = finder.find(product, learnt.document_frequencies.distinctive_words(product.name))
        if query.unit is None:
            query = replace(query, unit=_unit_from_quantity_label(product, found.candidates))
        price = estimate_product(
            query, found.candidates, learnt, today, anonymity=Anonymity(own_ids=found.own)
        )
        unknown = find_unknown_dimensions(product, term)
        parts.append(PricedProduct(product, price, query, unknown, found.converted, found.own))
    prices = [part.price for part in parts if isinstance(part.price, PriceDistribution)]
    return PricedScope(currency, parts, sum_distributions(prices) if prices else None, rates)


def build_price_query(
    product: Row[Any],
    term: ProductTerm,
    scope_terms: Sequence[ScopeTerm],
    currency: str,
) -> PriceQuery:
    """What a product term asks: its quantity, its other dimensions as purchases name them, its months."""
    dimensions = {dimension["id"]: dimension for dimension in product.dimensions}
    quantity = 1.0
    attributes: dict[str, str | float] = {}
    for one in term.dimensions:
        if one.value is None:
            continue
        value = as_number(one.value)
        if one.id == product.quantity_dimension_id:
            quantity = float(value) if value else 1.0
        elif one.id in product.dimension_source and one.id in dimensions:
            column = product.dimension_source[one.id]
            attributes[column] = _to_purchased_value(dimensions[one.id]["formField"], value)
    return PriceQuery(
        product=product.name,
        quantity=quantity,
        currency=currency,
        term_months=_term_months(term, scope_terms),
        purchase_type=scope_terms[0].purchase_type,
        supplier=product.company_id,
        product_key=product.id,
        product_family=product.family_id,
        unit=_take_unit(attributes),
        attributes=attributes,
    )


def find_unknown_dimensions(product: Row[Any], term: ProductTerm) -> list[Mapping[str, Any]]:
    """The product's dimensions that nobody has stated although they decide the price: those that the term
    names without a value, and choices that are known to move it and that it does not name."""
    entries = {one.id: one.value is not None for one in term.dimensions}
    return [
        dimension
        for dimension in product.dimensions
        if not entries.get(dimension["id"], not _is_decisive(dimension))
    ]


def _is_decisive(dimension: Mapping[str, Any]) -> bool:
    """Whether a choice has to be made by everybody who buys: one that depends on another dimension does
    not."""
    return (
        dimension["formField"]["type"] == "select"
        and dimension["priceImpactKnown"]
        and not dimension["dependsOn"]
    )


def _take_unit(attributes: dict[str, str | float]) -> str | None:
    """The unit where a product is sold in several; purchases have it in a column of its own."""
    chosen = attributes.pop(UNIT, None)
    return chosen if isinstance(chosen, str) else None


def _unit_from_quantity_label(product: Row[Any], comparables: Candidates) -> str | None:
    """The unit that the label of the product's quantity names, where purchases were made in it; a product
    sold in several has a dimension to choose it by."""
    if UNIT in product.dimension_source.values():
        return None
    for dimension in product.dimensions:
        if dimension["id"] == product.quantity_dimension_id:
            label: str = dimension["formField"]["label"]
            bought = comparables.facet("unit") == code_of("unit", label)
            return label if bought.any() else None
    return None


def _to_purchased_value(field: Mapping[str, Any], value: Decimal | None) -> str | float:
    """A select's option is its label in purchases, everything else a number."""
    if field["type"] == "select":
        for option in field["options"]:
            if as_number(option["value"]) == value:
                label: str = option["label"]
                return label
    return float(value or 0)


def _term_months(term: ProductTerm, scope_terms: Sequence[ScopeTerm]) -> int:
    """A product's own dates where it has both, else the scope's terms one after the other."""
    if term.start_date and term.end_date:
        days = term.end_date - term.start_date
        return max(1, round((days.days + 1) / DAYS_IN_MONTH))
    return sum(scope_term.months for scope_term in scope_terms)
