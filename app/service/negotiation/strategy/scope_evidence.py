"""The evidence behind a strategy: an estimate of what purchases cover, with the rest of the quote
unchanged."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection

from app.contract.money import format_exact_money, lower_first
from app.contract.pricing import PERCENTILES
from app.service.negotiation.strategy.strategy import NoEvidence, PriceEvidence
from app.service.pricing.estimator.distribution import NotEstimable, PriceDistribution
from app.service.pricing.quote_comparison import find_estimate_doubts
from app.service.pricing.scope_estimate import UNSTATED_TERM, PricedScope, estimate_scope
from app.service.scopes.quote import ScopeQuote, compute_coverage, describe_coverage
from app.service.scopes.store import StoredScope
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm
from app.service.values.rounding import round_to_cents

MIN_COVERED_SHARE = Decimal("0.8")
"""Of a quote's money; below it, numbers for the whole would rest on little."""
MAX_DOUBTFUL_SHARE = 0.2
"""The share of an estimate that may rest on doubtful evidence, or on other articles."""


def gather_evidence(
    connection: Connection, organisation_id: str, scope: StoredScope, quote: ScopeQuote | None, now: datetime
) -> tuple[PriceEvidence | NoEvidence, str]:
    """Estimate what a scope should cost. Where a quote is behind it, the estimate covers the lines that are
    products of the scope; for the other lines the quote's own amounts are taken, as long as they are a small
    part. The second part of the result says how much of the quote the estimate covers and which options are
    not known; it is empty where the estimate covers all."""
    priced = estimate_scope(
        connection,
        organisation_id=organisation_id,
        scope_terms=scope.scope_terms,
        product_terms=scope.product_terms,
        currency=scope.currency,
        today=now.date(),
    )
    whole = _judge_estimate(priced, scope.scope_terms, now)
    unknown = _describe_unknown_options(priced, scope.product_terms)
    if quote is None:
        return whole, unknown
    known = {at for at, part in enumerate(priced.products) if isinstance(part.price, PriceDistribution)}
    cover = compute_coverage(quote, known)
    note = " ".join(filter(None, [describe_coverage(cover) if cover.uncovered else "", unknown]))
    if cover.share is None:
        return whole, note
    if cover.share < MIN_COVERED_SHARE:
        return NoEvidence(note or "The estimate covers no part of this quote."), note
    if len(known) < len(scope.product_terms):
        terms = [scope.product_terms[at] for at in sorted(known)]
        whole = estimate_terms(connection, organisation_id, scope.scope_terms, terms, scope.currency, now)
    if isinstance(whole, NoEvidence) or not cover.uncovered:
        return whole, note
    rest = cover.quoted - cover.covered
    remark = (
        f"{format_exact_money(rest, scope.currency)} of it is taken unchanged from the quote:"
        f" {lower_first(describe_coverage(cover))}"
    )
    shifted = {percent: price + rest for percent, price in whole.percentiles.items()}
    return replace(whole, percentiles=shifted, quoted_part=rest, remark=remark), note


def estimate_terms(
    connection: Connection,
    organisation_id: str,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
    currency: str,
    now: datetime,
) -> PriceEvidence | NoEvidence:
    """Estimate all of these product terms; no evidence where one of them cannot be estimated."""
    priced = estimate_scope(
        connection,
        organisation_id=organisation_id,
        scope_terms=scope_terms,
        product_terms=product_terms,
        currency=currency,
        today=now.date(),
    )
    return _judge_estimate(priced, scope_terms, now)


def _judge_estimate(
    priced: PricedScope, scope_terms: Sequence[StoredScopeTerm], now: datetime
) -> PriceEvidence | NoEvidence:
    unpriced = [part.product.name for part in priced.products if isinstance(part.price, NotEstimable)]
    unstated = [
        f"{part.price.reason} for {part.product.name}"
        for part in priced.products
        if isinstance(part.price, NotEstimable) and part.price.is_unstated
    ]
    if any(term.term_assumed for term in scope_terms):
        recurring = (name for name, price in _named_prices(priced) if price.recurring)
        unstated += [f"{UNSTATED_TERM} for {name}" for name in recurring]
    if unstated:
        return NoEvidence(f"The scope leaves open what a price depends on: {'; '.join(unstated)}.")
    if priced.total is None or unpriced:
        # Numbers for a part of the scope would be compared with a quote for the whole.
        return NoEvidence(f"There are too few comparable purchases of {', '.join(unpriced)}.")
    others = [name for name, price in _named_prices(priced) if not _count_like_for_like(price)]
    if _share(priced, others) > MAX_DOUBTFUL_SHARE:
        return NoEvidence(
            f"No purchases of the same product, edition and unit are on record for {', '.join(others)}, and"
            " purchases of anything else are no basis for a negotiation."
        )
    doubtful = {
        part.product.name: found[0]
        for part in priced.products
        if (found := find_estimate_doubts(part, now.date()))
    }
    total = priced.total
    return PriceEvidence(
        {percent: round_to_cents(Decimal(repr(total.quantile(percent / 100)))) for percent in PERCENTILES},
        sum(_count_like_for_like(price) for _, price in _named_prices(priced)),
        priced.currency,
        doubts=[f"{name}: {doubt}" for name, doubt in doubtful.items()]
        if _share(priced, doubtful) > MAX_DOUBTFUL_SHARE
        else (),
    )


def _named_prices(priced: PricedScope) -> list[tuple[str, PriceDistribution]]:
    return [(product.name, price) for product, price in priced.priced]


def _count_like_for_like(price: PriceDistribution) -> int:
    """Return how many purchases of the same thing are behind a price."""
    return sum(one.like_for_like for one in price.comparables)


def _share(priced: PricedScope, names: Collection[str]) -> float:
    """Return the share that some products have in the median of the estimate."""
    middles = [(name, price.quantile(0.5)) for name, price in _named_prices(priced)]
    return sum(middle for name, middle in middles if name in names) / sum(middle for _, middle in middles)


def _describe_unknown_options(priced: PricedScope, terms: Sequence[StoredProductTerm]) -> str:
    """Name the options that affect the price and that nobody has chosen; empty where all are known."""
    unknown: list[str] = []
    for part, term in zip(priced.products, terms, strict=True):
        names = {one.id: one.name for one in part.product.dimensions}
        open_ones = [names[one.id] for one in term.dimensions if one.value is None and one.id in names]
        if open_ones:
            unknown.append(f"{' and '.join(open_ones)} of {part.product.name}")
    return f"Not known: {'; '.join(unknown)}. The estimate allows for all options." if unknown else ""
