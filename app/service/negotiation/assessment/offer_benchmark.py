"""Finds what an offer is compared with: the three numbers, or numbers for its own terms where those differ.

An offer for another term or quantity is estimated again, and its price per unit and month is stated, so that
it can be compared with what was asked for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from app.contract.money import format_exact_money
from app.service.charges.charge import convert_price
from app.service.negotiation.offers.offer import Offer, OfferBenchmark, describe_differences
from app.service.negotiation.offers.scope_requirements import (
    ScopeRequirements,
    load_requirements,
)
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.strategy.scope_evidence import MIN_COVERED_SHARE, estimate_terms
from app.service.negotiation.strategy.strategy import NoEvidence, Strategy, build_strategy
from app.service.scopes.store import ScopeProduct, StoredScope, load_products
from app.service.scopes.terms import StoredProductTerm

CENT = Decimal("0.01")


def benchmark_offer(session: NegotiationSession, offer: Offer) -> OfferBenchmark:
    """Return what this offer is compared with."""
    scope = session.find_scope_with_products()
    requirements = load_requirements(session.connection, scope) if scope is not None else None
    if scope is None or requirements is None:
        return OfferBenchmark(offer.amount, session.strategy)
    differences = describe_differences(offer, requirements)
    if differences:
        return _benchmark_on_own_terms(session, offer, scope, requirements, differences)
    if session.strategy is None:
        return OfferBenchmark(offer.amount, None)
    return _benchmark_covered_part(offer, session.strategy)


def fits_scope(session: NegotiationSession, offer: Offer) -> bool:
    """Return whether an offer is for what was asked for, as far as that is known."""
    scope = session.find_scope_with_products()
    return scope is None or not describe_differences(offer, load_requirements(session.connection, scope))


def unit_price_per_month(amount: Decimal, quantity: Decimal | None, months: int | None) -> Decimal | None:
    """Return a total as the price of one unit for one month; None where quantity or term is not known."""
    if not quantity or not months or quantity < 0:
        return None
    return convert_price(amount / quantity, months).quantize(CENT)


def _benchmark_covered_part(offer: Offer, strategy: Strategy) -> OfferBenchmark:
    """Compare the part of an offer that the numbers cover, where its lines were read. Numbers that a person
    typed are for the whole offer."""
    if offer.covered is None or strategy.quoted_part > 0 or offer.uncovered <= 0 or strategy.has_typed_number:
        return OfferBenchmark(offer.amount, strategy)
    share = 100 * (offer.covered or Decimal(0)) / offer.amount
    lines = "1 line" if offer.line_count == 1 else f"{offer.line_count} lines"
    part = f"{share:.0f} % ({offer.covered_line_count} of {lines})"
    if offer.covered / offer.amount < MIN_COVERED_SHARE:
        return OfferBenchmark(
            offer.amount, None, missing_reason=f"The three numbers cover only {part} of this offer."
        )
    left = format_exact_money(offer.uncovered, offer.currency)
    return OfferBenchmark(
        offer.covered,
        strategy,
        comparison=f"The numbers cover {part} of the offer; {left} is for items they do not cover.",
    )


def _benchmark_on_own_terms(
    session: NegotiationSession,
    offer: Offer,
    scope: StoredScope,
    requirements: ScopeRequirements,
    differences: str,
) -> OfferBenchmark:
    """Compare an offer with an estimate for its own term and quantities, and state both prices per unit and
    month."""
    terms = resolve_offered_terms(session, offer, scope)
    months = offer.term_length or requirements.term_length
    quantities = {
        key: requirements.quantities.get(key) if value is None else value
        for key, value in offer.quantities.items()
    } or dict(requirements.quantities)
    offered = ScopeRequirements(months, quantities, is_in_parts=requirements.is_in_parts)
    unit_price = unit_price_per_month(offer.amount, offered.quantity, months)
    if terms is None:
        evidence = NoEvidence("The offer does not say how much of each product it includes.")
    elif not months:
        evidence = NoEvidence("Neither the offer nor the scope says for how long it is.")
    else:
        scope_terms = [replace(scope.scope_terms[0], months=months)]
        evidence = estimate_terms(
            session.connection, session.organisation_id, scope_terms, terms, scope.currency, session.now
        )
    comparison = ""
    if unit_price is not None:
        comparison = f"The offer is {format_exact_money(unit_price, offer.currency)} per unit and month"
        asked = (
            unit_price_per_month(
                session.strategy.target.amount, requirements.quantity, requirements.term_length
            )
            if session.strategy
            else None
        )
        comparison += (
            f"; the target for the scope is {format_exact_money(asked, offer.currency)}."
            if asked is not None
            else "."
        )
    if isinstance(evidence, NoEvidence):
        return OfferBenchmark(
            offer.amount,
            None,
            differences,
            comparison,
            f"There is no estimate on the offer's own terms: {evidence.reason}",
        )
    strategy = build_strategy(evidence)
    return OfferBenchmark(offer.amount, strategy, differences, _describe_estimate(comparison, strategy))


def _describe_estimate(comparison: str, strategy: Strategy) -> str:
    target = format_exact_money(strategy.target.amount, strategy.currency)
    walk_away = format_exact_money(strategy.walk_away.amount, strategy.currency)
    return (
        f"{comparison} On the offer's own terms, the estimate gives a target of {target} and a walk-away of"
        f" {walk_away}, from {strategy.target.purchases:,} purchases."
    ).strip()


def resolve_offered_terms(
    session: NegotiationSession, offer: Offer, scope: StoredScope
) -> Sequence[StoredProductTerm] | None:
    """Return the product terms that an offer is for: those read in its document, else the scope's with the
    offer's quantities. None where no document describes it and it offers a product that the scope does not
    have, or in several terms."""
    if offer.product_terms:
        return offer.product_terms
    if not offer.quantities:
        return scope.product_terms
    terms_of = Counter(term.product_id for term in scope.product_terms)
    for product_id, quantity in offer.quantities.items():
        if not terms_of[product_id] or (quantity is not None and terms_of[product_id] > 1):
            return None
    wanted = [term for term in scope.product_terms if term.product_id in offer.quantities]
    products = load_products(session.connection, offer.quantities, session.organisation_id)
    return [_with_quantity(term, offer.quantities[term.product_id], products) for term in wanted]


def _with_quantity(
    term: StoredProductTerm, quantity: Decimal | None, products: Mapping[str, ScopeProduct]
) -> StoredProductTerm:
    if quantity is None:
        return term
    known = products.get(term.product_id)
    counted = known.quantity_dimension_id if known is not None else None
    dimensions = [replace(one, value=quantity) if one.id == counted else one for one in term.dimensions]
    return replace(term, dimensions=dimensions)
