"""What an offer is held against: the three numbers, or, for an offer on other terms, numbers for those terms.

An offer for another term or quantity is priced again, and its price per unit and month stands beside the
numbers, so that it can be compared with what was asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection

from app.service.negotiation.amounts import in_words
from app.service.negotiation.offers.offer import Measured, Offer, Option, ScopeFacts, differences
from app.service.negotiation.session.negotiation_session import Case
from app.service.negotiation.strategy.levers import Lever
from app.service.negotiation.strategy.scope_evidence import LEAST_COVERED, price_terms
from app.service.negotiation.strategy.strategy import NoEvidence, Strategy, strategy_from
from app.service.scopes.quote import coverage
from app.service.scopes.quote_store import quote_behind
from app.service.scopes.store import ScopeProduct, products_of, scope_of
from app.service.scopes.stored_scope import StoredScope
from app.service.scopes.terms import ProductTerm, as_number

CENT = Decimal("0.01")


def measured(case: Case, offer: Offer) -> Measured:
    """What this offer is held against."""
    scope = scope_row(case)
    facts = facts_of(case.connection, scope) if scope is not None else None
    if scope is None or facts is None:
        return Measured(offer.amount, case.strategy)
    different = differences(offer, facts)
    if different:
        return _on_its_terms(case, offer, scope, facts, different)
    if case.strategy is None:
        return Measured(offer.amount, None)
    return _by_what_is_covered(offer, case.strategy)


def fits_scope(case: Case, offer: Offer) -> bool:
    """Whether an offer is for what is asked, as far as that is known."""
    scope = scope_row(case)
    return scope is None or not differences(offer, facts_of(case.connection, scope))


def scope_row(case: Case) -> StoredScope | None:
    """The scope; None while there is none with products."""
    row = scope_as_it_is(case)
    return row if row is not None and row.product_terms else None


def scope_as_it_is(case: Case) -> StoredScope | None:
    """The scope, whether or not any product of it is known."""
    return None if case.scope_id is None else scope_of(case.connection, case.organisation_id, case.scope_id)


def facts_of(connection: Connection, scope: StoredScope) -> ScopeFacts:
    """What is to be bought."""
    quantities: dict[str, Decimal] = {}
    terms = term_quantities(connection, scope)
    for term, amount in terms:
        quantities[term.product_id] = quantities.get(term.product_id, Decimal(0)) + amount
    products = known_products(connection, scope.organisation_id, quantities)
    # Of a product with several terms nobody can tell which one an offer's line is for.
    single = {term.product_id: term for term, _ in terms} if len(quantities) == len(terms) else {}
    return ScopeFacts(
        scope.months or None,
        quantities,
        {key: chosen_options(term, products.get(key)) for key, term in single.items()},
        alone=not _asks_for_more(connection, scope),
    )


def _asks_for_more(connection: Connection, scope: StoredScope) -> bool:
    """Whether the quote behind a scope has lines that cost and are none of the scope's products."""
    quote = quote_behind(connection, scope)
    return quote is not None and bool(coverage(quote, range(len(scope.product_terms))).aside)


def chosen_options(term: ProductTerm, known: ScopeProduct | None) -> dict[str, Option]:
    """What a product term chooses of the product's dimensions, besides how much is bought."""
    values = term.values
    counted = quantity_ids(known)
    chosen: dict[str, Option] = {}
    for dimension in known.dimensions if known else []:
        given = values.get(dimension["id"])
        number = None if given is None else as_number(given)
        if number is None or dimension["id"] in counted:
            continue
        words = words_of_values(dimension["formField"])
        name = dimension["name"]
        chosen[dimension["id"]] = Option(name, number, words.get(number, in_words(number)), words)
    return chosen


def words_of_values(field: Mapping[str, Any]) -> dict[Decimal, str]:
    """What a dimension's values are called; empty for one that is a number."""
    if field["type"] == "checkbox":
        return {Decimal(1): "yes", Decimal(0): "no"}
    labels = {as_number(one["value"]): str(one["label"]) for one in field.get("options", [])}
    return {value: label for value, label in labels.items() if value is not None}


def term_quantities(connection: Connection, scope: StoredScope) -> list[tuple[ProductTerm, Decimal]]:
    """Each product term of a scope with how much of the product is bought."""
    terms = scope.product_terms
    products = known_products(connection, scope.organisation_id, [term.product_id for term in terms])
    found: list[tuple[ProductTerm, Decimal]] = []
    for term in terms:
        numbers = quantity_ids(products.get(term.product_id))
        counted = [one.value for one in term.dimensions if one.id in numbers]
        values = (as_number(value) for value in counted if value is not None)
        found.append((term, sum((value or Decimal(0) for value in values), Decimal(0))))
    return found


def known_products(
    connection: Connection, organisation_id: str, product_ids: Iterable[str]
) -> dict[str, ScopeProduct]:
    """The products among these that the organisation may see."""
    return products_of(connection, product_ids, organisation_id)


def quantity_ids(known: ScopeProduct | None) -> set[str]:
    """The dimensions of a product that say how much of it is bought."""
    return {
        dimension["id"]
        for dimension in (known.dimensions if known else [])
        if dimension["formField"]["type"] == "number" and dimension["formField"]["required"]
    }


def per_unit_and_month(amount: Decimal, quantity: Decimal | None, months: int | None) -> Decimal | None:
    """A total as the price of one unit for one month; None where either is not known."""
    if not quantity or not months or quantity < 0:
        return None
    return (amount / quantity / months).quantize(CENT)


def _by_what_is_covered(offer: Offer, strategy: Strategy) -> Measured:
    """An offer whose lines were read may ask for more than the numbers are for. Numbers that a person typed
    are for the whole."""
    if offer.covered is None or strategy.rest > 0 or offer.rest <= 0 or strategy.is_typed:
        return Measured(offer.amount, strategy)
    part = _covered_in_words(offer)
    if offer.covered / offer.amount < LEAST_COVERED:
        return Measured(offer.amount, None, missing=f"The three numbers are for {part} of this offer only.")
    left = f"{in_words(offer.rest)} {offer.currency} of the offer"
    return Measured(
        offer.covered,
        strategy,
        compared=f"The numbers are for {part} of it; {left} is for what they do not cover.",
    )


def _covered_in_words(offer: Offer) -> str:
    share = 100 * (offer.covered or Decimal(0)) / offer.amount
    lines = "1 line" if offer.lines == 1 else f"{offer.lines} lines"
    return f"{share:.0f} % ({offer.lines_covered} of {lines})"


def _on_its_terms(
    case: Case, offer: Offer, scope: StoredScope, facts: ScopeFacts, different: str
) -> Measured:
    """Numbers for the offer's own term and quantities, and both prices per unit and month."""
    terms = offered_terms(case, offer, scope)
    months = offer.term_length or facts.term_length
    quantities = {
        key: facts.quantities.get(key, Decimal(0)) if value is None else value
        for key, value in offer.quantities.items()
    } or dict(facts.quantities)
    unit_price = per_unit_and_month(offer.amount, ScopeFacts(months, quantities).quantity, months)
    if terms is None:
        priced = NoEvidence("The offer does not say how much of which product it is for.")
    else:
        scope_terms = [replace(scope.scope_terms[0], months=months or 12)]
        priced = price_terms(
            case.connection, case.organisation_id, scope_terms, terms, scope.currency, case.now
        )
    per = ""
    if unit_price is not None:
        per = f"The offer is {in_words(unit_price)} {offer.currency} per unit and month"
        asked = (
            per_unit_and_month(case.strategy.target.amount, facts.quantity, facts.term_length)
            if case.strategy
            else None
        )
        per += f"; the target for what was asked is {in_words(asked)}." if asked is not None else "."
    if isinstance(priced, NoEvidence):
        return Measured(
            offer.amount, None, different, per, f"On its own terms there is no estimate: {priced.reason}"
        )
    by = strategy_from(priced, _tightening(case))
    return Measured(offer.amount, by, different, _estimated(per, by))


def _estimated(per: str, by: Strategy) -> str:
    return (
        f"{per} On the offer's own terms the estimate gives a target of {in_words(by.target.amount)} and a"
        f" walk-away of {in_words(by.walk_away.amount)} {by.currency}, from"
        f" {by.target.purchases:,} purchases."
    ).strip()


def _tightening(case: Case) -> list[Lever]:
    return [Lever.from_record(record) for record in case.levers]


def offered_terms(case: Case, offer: Offer, scope: StoredScope) -> Sequence[ProductTerm] | None:
    """The product terms that an offer is for: those read in its document, else the scope's with the offer's
    quantities. None where a product is offered that the scope has not and no document describes."""
    if offer.terms:
        return offer.terms
    if not offer.quantities:
        return scope.product_terms
    wanted = [term for term in scope.product_terms if term.product_id in offer.quantities]
    if {term.product_id for term in wanted} != set(offer.quantities):
        return None
    products = known_products(case.connection, case.organisation_id, offer.quantities)
    return [_with_quantity(term, offer.quantities[term.product_id], products) for term in wanted]


def _with_quantity(
    term: ProductTerm, quantity: Decimal | None, products: Mapping[str, ScopeProduct]
) -> ProductTerm:
    if quantity is None:
        return term
    numbers = quantity_ids(products.get(term.product_id))
    dimensions = [replace(one, value=quantity) if one.id in numbers else one for one in term.dimensions]
    return replace(term, dimensions=dimensions)
