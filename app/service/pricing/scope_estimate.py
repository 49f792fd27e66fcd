"""Estimates the price of a scope from its terms: finds comparables in the database for each product,
estimates its distribution and adds the distributions up. Everything that prices a scope calls this,
and is told why nothing can be estimated, and what would help.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from math import inf

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import CheckboxField, FormField, PricingDimension, SelectField
from app.contract.dates import format_day
from app.contract.money import format_money
from app.service.access.capacity import give_way
from app.service.database.engine import memory_of
from app.service.database.tables import article, purchase
from app.service.database.visibility import visible_to
from app.service.pricing.calibration_store import load_latest_calibration
from app.service.pricing.catalog_product import CatalogProduct, load_products
from app.service.pricing.comparable_finder import ComparableFinder, FoundComparables
from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import (
    NotEstimable,
    PriceDistribution,
    ScopePrice,
    sum_distributions,
)
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.learning.hedonic_fitting import OwnModels
from app.service.pricing.price_references import EarlierQuote, load_quoted_prices
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates
from app.service.pricing.rates.store import load_rates
from app.service.purchase_records import UNIT_COLUMN, PriceQuery, encode_value
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, as_number, find_months, find_quantity


class ScopeTooLarge(Exception):
    """The estimate takes more of the processor than it may."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"{done} of {total} products were estimated")
        self.done = done
        self.total = total


UNSTATED_TERM = "for how long it is bought is not stated"


@dataclass(frozen=True)
class PricedProduct:
    """One product term of a scope with its price, or the reason why it has none. `unknown` are the pricing
    dimensions that decide the price and that nobody has stated; `converted_ids` are the purchases paid in
    another currency, `own_ids` those of the caller."""

    product: CatalogProduct
    price: PriceDistribution | NotEstimable
    query: PriceQuery
    unknown: Sequence[PricingDimension] = ()
    converted_ids: frozenset[str] = frozenset()
    own_ids: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PricedScope:
    """A scope with the price of each product and of the whole; `total` is None when no product could be
    priced. `rates` are the exchange rates that purchases in other currencies were converted at."""

    currency: str
    products: list[PricedProduct]
    total: ScopePrice | None
    rates: ExchangeRates = NO_RATES

    @property
    def priced(self) -> list[tuple[CatalogProduct, PriceDistribution]]:
        return [
            (part.product, part.price) for part in self.products if isinstance(part.price, PriceDistribution)
        ]


def estimate_scope(
    connection: Connection,
    *,
    organisation_id: str,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    currency: str,
    today: date,
    exclude: Collection[str] = (),
    processor_seconds: float = inf,
) -> PricedScope:
    """Estimate the terms of a scope from purchases made before `today`, without those of the ids in
    `exclude`. Raises ScopeTooLarge when that takes more than `processor_seconds`: the time of the processor,
    so that a busy machine refuses nothing that an idle one accepts."""
    began = time.thread_time()
    products = load_products(connection, {term.product_id for term in product_terms}, organisation_id)
    estimator = ProductEstimator(connection, organisation_id, currency, today, exclude)
    parts: list[PricedProduct] = []
    for term in product_terms:
        if time.thread_time() - began > processor_seconds:
            raise ScopeTooLarge(len(parts), len(product_terms))
        parts.append(estimator.estimate(products[term.product_id], term, scope_terms))
    prices = [part.price for part in parts if isinstance(part.price, PriceDistribution)]
    return PricedScope(currency, parts, sum_distributions(prices) if prices else None, estimator.rates)


class ProductEstimator:
    """Estimates product terms one after the other, as an organisation sees the purchases made before a day.
    What was found for a product serves all its terms that follow at once, so that many are given in the order
    of their products."""

    def __init__(
        self,
        connection: Connection,
        organisation_id: str,
        currency: str,
        today: date,
        exclude: Collection[str] = (),
    ) -> None:
        self.rates = load_rates(connection, organisation_id)
        self._connection, self._currency, self._today = connection, currency, today
        self._visible, self._own = (
            ComparableFinder(
                connection,
                organisation_id,
                currency,
                before=today,
                exclude=exclude,
                rates=self.rates,
                own_only=own_only,
            )
            for own_only in (False, True)
        )
        self._calibrations: dict[bool, Calibration] = {}
        self._found: tuple[str, FoundComparables, Calibration] | None = None

    def estimate(
        self, product: CatalogProduct, term: StoredProductTerm, scope_terms: Sequence[StoredScopeTerm]
    ) -> PricedProduct:
        return self.estimate_terms(product, [(term, scope_terms)])[0]

    def estimate_terms(
        self,
        product: CatalogProduct,
        terms: Sequence[tuple[StoredProductTerm, Sequence[StoredScopeTerm]]],
    ) -> list[PricedProduct]:
        """Estimate several terms of one product, each with the terms of its scope, at once."""
        give_way()
        shared = self._load_calibration(product.company_sample)
        words = shared.document_frequencies.distinctive_words(product.name)
        if self._found is None or self._found[0] != product.id:
            found = self._visible.find(product, words)
            self._found = product.id, found, self._learn_at_once(shared, found)
        _, found, calibration = self._found
        queries = [build_price_query(product, *each, self._currency) for each in terms]
        if any(query.unit is None for query in queries):
            unit = _unit_from_quantity_label(product, found.candidates)
            queries = [replace(query, unit=query.unit or unit) for query in queries]
        anonymity = Anonymity(own_ids=found.own_ids)
        prices = estimate_queries(queries, found.candidates, calibration, self._today, anonymity=anonymity)
        used = [found] * len(prices)
        refused = [
            at for at, price in enumerate(prices) if isinstance(price, NotEstimable) and not price.is_unstated
        ]
        if refused:
            # Where purchases of others are too few to be shown, the caller's own are enough.
            found_own = self._own.find(product, words)
            of_own = self._learn_at_once(shared, found_own)
            asked = [queries[at] for at in refused]
            of_own_prices = estimate_queries(asked, found_own.candidates, of_own, self._today)
            for at, price in zip(refused, of_own_prices, strict=True):
                if isinstance(price, PriceDistribution):
                    prices[at], used[at] = price, found_own
        return [
            PricedProduct(
                product,
                _require_term(price, query),
                query,
                find_unknown_dimensions(product, term),
                source.converted_ids,
                source.own_ids,
            )
            for price, query, (term, _), source in zip(prices, queries, terms, used, strict=True)
        ]

    def _learn_at_once(self, shared: Calibration, found: FoundComparables) -> Calibration:
        """The calibration adapted to the caller's own purchases; before anything was learnt, to all."""
        own_models = memory_of(self._connection).get(OwnModels)
        not_learnt = found.own_ids if shared.learnt_on else frozenset(found.candidates.ids)
        return own_models.adapt_calibration(shared, found.candidates, not_learnt)

    def _load_calibration(self, sample: bool) -> Calibration:
        if sample not in self._calibrations:
            self._calibrations[sample] = load_latest_calibration(self._connection, sample=sample)
        return self._calibrations[sample]


def _require_term(
    price: PriceDistribution | NotEstimable, query: PriceQuery
) -> PriceDistribution | NotEstimable:
    if isinstance(price, PriceDistribution) and price.recurring and query.term_months is None:
        return NotEstimable(UNSTATED_TERM, is_unstated=True)
    return price


def build_price_query(
    product: CatalogProduct,
    term: StoredProductTerm,
    scope_terms: Sequence[StoredScopeTerm],
    currency: str,
) -> PriceQuery:
    """Build the query of a product term: its quantity, its months, and its other dimensions as purchases name
    them."""
    dimensions = {dimension.id: dimension for dimension in product.dimensions}
    quantity = find_quantity(term, product.quantity_dimension_id)
    attributes: dict[str, str | float] = {}
    numbers = {one.id: None if one.value is None else as_number(one.value) for one in term.dimensions}
    for one in term.dimensions:
        if one.value is None:
            continue
        value = _take_quantity_of_other(dimensions.get(one.id), numbers) or numbers[one.id]
        if (
            one.id != product.quantity_dimension_id
            and one.id in product.dimension_source
            and one.id in dimensions
        ):
            column = product.dimension_source[one.id]
            attributes[column] = _to_purchased_value(dimensions[one.id].form_field, value)
    return PriceQuery(
        product=product.name,
        quantity=None if quantity is None else float(quantity),
        currency=currency,
        term_months=find_months(term, scope_terms) or None,
        purchase_type=scope_terms[0].purchase_type,
        supplier=product.company_id,
        product_key=product.id,
        item_id=product.item_id,
        product_family=product.family_id,
        brand=product.brand,
        unit=_take_unit(attributes),
        attributes=attributes,
    )


def _take_quantity_of_other(
    dimension: PricingDimension | None, numbers: Mapping[str, Decimal | None]
) -> Decimal | None:
    """The number that a ticked checkbox with a quantity dependency stands for: that of the dimension it
    depends on. None for any other dimension."""
    if dimension is None or dimension.depends_on.dependency != "quantity":
        return None
    is_ticked = isinstance(dimension.form_field, CheckboxField) and numbers.get(dimension.id) == 1
    return numbers.get(dimension.depends_on.depends_on_dimension_id or "") if is_ticked else None


def find_unknown_dimensions(product: CatalogProduct, term: StoredProductTerm) -> list[PricingDimension]:
    """Find the dimensions that decide the product's price and that nobody has stated: those that the term
    names without a value, and choices with a known effect that it does not name."""
    is_stated = {one.id: one.value is not None for one in term.dimensions}
    return [
        dimension
        for dimension in product.dimensions
        if not is_stated.get(dimension.id, not _is_decisive(dimension))
    ]


def _is_decisive(dimension: PricingDimension) -> bool:
    """Whether every buyer has to make this choice; one that depends on another dimension need not be made."""
    return (
        isinstance(dimension.form_field, SelectField)
        and dimension.price_impact_known
        and dimension.depends_on.dependency is None
    )


def _take_unit(attributes: dict[str, str | float]) -> str | None:
    """Take the unit out of the attributes of a product sold in several; a query has it in a field of its
    own."""
    chosen = attributes.pop(UNIT_COLUMN, None)
    return chosen if isinstance(chosen, str) else None


def _unit_from_quantity_label(product: CatalogProduct, candidates: Candidates) -> str | None:
    """The unit that the label of the product's quantity names, if candidates have it."""
    label = product.quantity_unit
    return label if (candidates.facet("unit") == encode_value("unit", label)).any() else None


def _to_purchased_value(field: FormField, value: Decimal | None) -> str | float:
    """The value as purchases have it: the label of a select's option, else a number."""
    if isinstance(field, SelectField):
        for option in field.options:
            if as_number(option.value) == value:
                return option.label
    return float(value or 0)


_MAX_NAMED = 3
"""How many products or suppliers a sentence names."""


def explain_missing_price(
    connection: Connection,
    organisation_id: str,
    parts: Sequence[PricedProduct],
    currency: str,
    own_scopes: Collection[str] = (),
) -> str:
    """Sentences that say what is missing for each product, what was quoted for it in other scopes than
    `own_scopes`, and what would help."""
    unpriced = [(part.product, part.price) for part in parts if isinstance(part.price, NotEstimable)]
    names_by_reason: dict[str, list[str]] = {}
    for product, price in unpriced:
        names_by_reason.setdefault(price.reason, []).append(product.name)
    missing = "; ".join(
        f"{reason} for {_join_names(list(dict.fromkeys(names)))}" for reason, names in names_by_reason.items()
    )
    if all(price.is_unstated for _, price in unpriced):
        return f"No estimate: {missing}. State it in the scope: then there may be one."
    other_currencies = _find_other_currencies(
        connection, organisation_id, [product.id for product, _ in unpriced], currency
    )
    names = {product.id: product.name for product, _ in unpriced}
    quoted = _describe_quotes(connection, organisation_id, names, currency, own_scopes)
    suppliers = _join_names(list(dict.fromkeys(product.company_name for product, _ in unpriced)))
    helps = (
        f"What would help: purchases from {suppliers} in {currency}, including your own, or a second quote "
        "to compare with."
    )
    if other_currencies:
        helps = (
            f"There are purchases in {', '.join(other_currencies)}; import exchange rates to {currency} "
            f"(parley import rates) to include them. {helps}"
        )
    return f"No estimate: {missing}. {quoted}{helps}"


def _describe_quotes(
    connection: Connection,
    organisation_id: str,
    names: Mapping[str, str],
    currency: str,
    own_scopes: Collection[str],
) -> str:
    """Return a sentence with the latest price of each product in other quotes; empty without any."""
    quotes = load_quoted_prices(connection, organisation_id, names, own_scopes)
    descriptions = [
        f"{names[product_id]} at {_format_unit_price(latest)} on {format_day(latest.quoted_on)}"
        for product_id, rows in quotes.items()
        if (latest := next((row for row in rows if row.currency == currency), None)) is not None
    ]
    return f"Quoted to you elsewhere, not paid: {_join_names(descriptions)}. " if descriptions else ""


def _format_unit_price(quote: EarlierQuote) -> str:
    """`USD 64 per unit and month`; no month's price where nothing says that it is paid by the month."""
    known = quote.assume(recurring=False)
    price = f"{format_money(known.unit_price, known.currency)} per unit"
    if known.term_months:
        return f"{price} and month"
    return f"{price} (for the whole term or once: not stated)" if quote.recurring is None else price


def _join_names(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _MAX_NAMED
    return ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _find_other_currencies(
    connection: Connection, organisation_id: str, product_ids: Sequence[str], currency: str
) -> Sequence[str]:
    """The other currencies that these products were bought in, as far as the caller may see."""
    return connection.scalars(
        sa.select(purchase.c.currency)
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            article.c.product_id.in_(product_ids),
            purchase.c.currency != currency,
            visible_to(purchase.c, organisation_id),
        )
        .distinct()
        .order_by(purchase.c.currency)
    ).all()
