"""What an offer is held against: the three numbers, or, for an offer on other terms, numbers for those terms.

An offer for another term or quantity is priced again, and its price per unit and month stands beside the
numbers, so that it can be compared with what was asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from app.service.negotiation.amounts import format_amount
from app.service.negotiation.offers.offer import (
    ChosenOption,
    Offer,
    OfferBenchmark,
    ScopeRequirements,
    describe_differences,
)
from app.service.negotiation.session.negotiation_session import NegotiationSession
from app.service.negotiation.strategy.levers import Lever
from app.service.negotiation.strategy.scope_evidence import MIN_COVERED_SHARE, estimate_terms
from app.service.negotiation.strategy.strategy import NoEvidence, Strategy, build_strategy
from app.service.scopes.quote import coverage
from app.service.scopes.quote_store import quote_behind
from app.service.scopes.store import ScopeProduct, products_of, scope_of
from app.service.scopes.stored_scope import StoredScope
from app.service.scopes.terms import ProductTerm, as_number

CENT = Decimal("0.01")


def benchmark_offer(session: NegotiationSession, offer: Offer) -> OfferBenchmark:
    """What this offer is held against."""
    scope = find_scope_with_products(session)
    facts = load_requirements(session.connection, scope) if scope is not None else None
    if scope is None or facts is None:
        return OfferBenchmark(offer.amount, session.strategy)
    different = describe_differences(offer, facts)
    if different:
        return _benchmark_on_own_terms(session, offer, scope, facts, different)
    if session.strategy is None:
        return OfferBenchmark(offer.amount, None)
    return _benchmark_covered_part(offer, session.strategy)


def fits_scope(session: NegotiationSession, offer: Offer) -> bool:
    """Whether an offer is for what is asked, as far as that is known."""
    scope = find_scope_with_products(session)
    return scope is None or not describe_differences(offer, load_requirements(session.connection, scope))


def find_scope_with_products(session: NegotiationSession) -> StoredScope | None:
    """The scope; None while there is none with products."""
    row = find_scope(session)
    return row if row is not None and row.product_terms else None


def find_scope(session: NegotiationSession) -> StoredScope | None:
    """The scope, whether or not any product of it is known."""
    return (
        None
        if session.scope_id is None
        else scope_of(session.connection, session.organisation_id, session.scope_id)
    )


def load_requirements(connection: Connection, scope: StoredScope) -> ScopeRequirements:
    """What is to be bought."""
    quantities: dict[str, Decimal] = {}
    terms = load_term_quantities(connection, scope)
    for term, amount in terms:
        quantities[term.product_id] = quantities.get(term.product_id, Decimal(0)) + amount
    products = load_products(connection, scope.organisation_id, quantities)
    # Of a product with several terms nobody can emit which one an offer's line is for.
    single = {term.product_id: term for term, _ in terms} if len(quantities) == len(terms) else {}
    return ScopeRequirements(
        scope.months or None,
        quantities,
        {key: read_chosen_options(term, products.get(key)) for key, term in single.items()},
        is_exclusive=not _asks_for_more(connection, scope),
    )


def _asks_for_more(connection: Connection, scope: StoredScope) -> bool:
    """Whether the quote behind a scope has lines that cost and are none of the scope's products."""
    quote = quote_behind(connection, scope)
    return quote is not None and bool(coverage(quote, range(len(scope.product_terms))).aside)


def read_chosen_options(term: ProductTerm, known: ScopeProduct | None) -> dict[str, ChosenOption]:
    """What a product term chooses of the product's dimensions, besides how much is bought."""
    values = term.values
    counted = list_quantity_dimensions(known)
    chosen: dict[str, ChosenOption] = {}
    for dimension in known.dimensions if known else []:
        given = values.get(dimension["id"])
        number = None if given is None else as_number(given)
        if number is None or dimension["id"] in counted:
            continue
        words = label_values(dimension["formField"])
        name = dimension["name"]
        chosen[dimension["id"]] = ChosenOption(name, number, words.get(number, format_amount(number)), words)
    return chosen


def label_values(field: Mapping[str, Any]) -> dict[Decimal, str]:
    """What a dimension's values are called; empty for one that is a number."""
    if field["type"] == "checkbox":
        return {Decimal(1): "yes", Decimal(0): "no"}
    labels = {as_number(one["value"]): str(one["label"]) for one in field.get("options", [])}
    return {value: label for value, label in labels.items() if value is not None}


def load_term_quantities(connection: Connection, scope: StoredScope) -> list[tuple[ProductTerm, Decimal]]:
    """Each product term of a scope with how much of the product is bought."""
    terms = scope.product_terms
    products = load_products(connection, scope.organisation_id, [term.product_id for term in terms])
    found: list[tuple[ProductTerm, Decimal]] = []
    for term in terms:
        numbers = list_quantity_dimensions(products.get(term.product_id))
        counted = [one.value for one in term.dimensions if one.id in numbers]
        values = (as_number(value) for value in counted if value is not None)
        found.append((term, sum((value or Decimal(0) for value in values), Decimal(0))))
    return found


def load_products(
    connection: Connection, organisation_id: str, product_ids: Iterable[str]
) -> dict[str, ScopeProduct]:
    """The products among these that the organisation may see."""
    return products_of(connection, product_ids, organisation_id)


def list_quantity_dimensions(known: ScopeProduct | None) -> set[str]:
    """The dimensions of a product that say how much of it is bought."""
    return {
        dimension["id"]
        for dimension in (known.dimensions if known else [])
        if dimension["formField"]["type"] == "number" and dimension["formField"]["required"]
    }


def unit_price_per_month(amount: Decimal, quantity: Decimal | None, months: int | None) -> Decimal | None:
    """A total as the price of one unit for one month; None where either is not known."""
    if not quantity or not months or quantity < 0:
        return None
    return (amount / quantity / months).quantize(CENT)


def _benchmark_covered_part(offer: Offer, strategy: Strategy) -> OfferBenchmark:
    """An offer whose lines were read may ask for more than the numbers are for. Numbers that a person typed
    are for the whole."""
    if offer.covered is None or strategy.quoted_part > 0 or offer.uncovered <= 0 or strategy.has_typed_number:
        return OfferBenchmark(offer.amount, strategy)
    part = _describe_covered_part(offer)
    if offer.covered / offer.amount < MIN_COVERED_SHARE:
        return OfferBenchmark(
            offer.amount, None, missing_reason=f"The three numbers are for {part} of this offer only."
        )
    left = f"{format_amount(offer.uncovered)} {offer.currency} of the offer"
    return OfferBenchmark(
        offer.covered,
        strategy,
        comparison=f"The numbers are for {part} of it; {left} is for what they do not cover.",
    )


def _describe_covered_part(offer: Offer) -> str:
    share = 100 * (offer.covered or Decimal(0)) / offer.amount
    lines = "1 line" if offer.line_count == 1 else f"{offer.line_count} lines"
    return f"{share:.0f} % ({offer.covered_line_count} of {lines})"


def _benchmark_on_own_terms(
    session: NegotiationSession, offer: Offer, scope: StoredScope, facts: ScopeRequirements, different: str
) -> OfferBenchmark:
    """Numbers for the offer's own term and quantities, and both prices per unit and month."""
    terms = resolve_offered_terms(session, offer, scope)
    months = offer.term_length or facts.term_length
    quantities = {
        key: facts.quantities.get(key, Decimal(0)) if value is None else value
        for key, value in offer.quantities.items()
    } or dict(facts.quantities)
    unit_price = unit_price_per_month(offer.amount, ScopeRequirements(months, quantities).quantity, months)
    if terms is None:
        priced = NoEvidence("The offer does not say how much of which product it is for.")
    else:
        scope_terms = [replace(scope.scope_terms[0], months=months or 12)]
        priced = estimate_terms(
            session.connection, session.organisation_id, scope_terms, terms, scope.currency, session.now
        )
    per = ""
    if unit_price is not None:
        per = f"The offer is {format_amount(unit_price)} {offer.currency} per unit and month"
        asked = (
            unit_price_per_month(session.strategy.target.amount, facts.quantity, facts.term_length)
            if session.strategy
            else None
        )
        per += f"; the target for what was asked is {format_amount(asked)}." if asked is not None else "."
    if isinstance(priced, NoEvidence):
        return OfferBenchmark(
            offer.amount, None, different, per, f"On its own terms there is no estimate: {priced.reason}"
        )
    by = build_strategy(priced, _tightening(session))
    return OfferBenchmark(offer.amount, by, different, _describe_estimate(per, by))


def _describe_estimate(per: str, by: Strategy) -> str:
    return (
        f"{per} On the offer's own terms the estimate gives a target of"
        f" {format_amount(by.target.amount)} and a walk-away of {format_amount(by.walk_away.amount)}"
        f" {by.currency}, from {by.target.purchases:,} purchases."
    ).strip()


def _tightening(session: NegotiationSession) -> list[Lever]:
    return [Lever.from_record(record) for record in session.levers]


def resolve_offered_terms(
    session: NegotiationSession, offer: Offer, scope: StoredScope
) -> Sequence[ProductTerm] | None:
    """The product terms that an offer is for: those read in its document, else the scope's with the offer's
    quantities. None where a product is offered that the scope has not and no document describes."""
    if offer.product_terms:
        return offer.product_terms
    if not offer.quantities:
        return scope.product_terms
    wanted = [term for term in scope.product_terms if term.product_id in offer.quantities]
    if {term.product_id for term in wanted} != set(offer.quantities):
        return None
    products = load_products(session.connection, session.organisation_id, offer.quantities)
    return [_with_quantity(term, offer.quantities[term.product_id], products) for term in wanted]


def _with_quantity(
    term: ProductTerm, quantity: Decimal | None, products: Mapping[str, ScopeProduct]
) -> ProductTerm:
    if quantity is None:
        return term
    numbers = list_quantity_dimensions(products.get(term.product_id))
    dimensions = [replace(one, value=quantity) if one.id in numbers else one for one in term.dimensions]
    return replace(term, dimensions=dimensions)
