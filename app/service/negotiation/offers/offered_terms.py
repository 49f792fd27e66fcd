"""What an offer of the supplier is for, which may be something else than the scope asks for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from sqlalchemy import Connection

from app.service.negotiation.offers.offer import Offer, describe_differences
from app.service.negotiation.offers.scope_requirements import load_requirements
from app.service.scopes.store import ScopeProduct, StoredScope, load_products
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, leave_whole_dates


def find_offered_terms(
    connection: Connection, offer: Offer, scope: StoredScope
) -> Sequence[StoredProductTerm] | None:
    """Return the product terms that an offer is for: those read in its document, else the scope's with the
    offer's quantities, for its term. None where no document describes it and it offers a product that the
    scope does not have, or in several terms."""
    if offer.product_terms:
        return offer.product_terms
    asked = scope.product_terms
    if offer.term_length not in (None, scope.months):
        asked = [leave_whole_dates(term, scope.months) for term in asked]
    if not offer.quantities:
        return asked
    terms_of = Counter(term.product_id for term in asked)
    for product_id, quantity in offer.quantities.items():
        if not terms_of[product_id] or (quantity is not None and terms_of[product_id] > 1):
            return None
    wanted = [term for term in asked if term.product_id in offer.quantities]
    products = load_products(connection, offer.quantities, scope.organisation_id)
    return [_with_quantity(term, offer.quantities[term.product_id], products) for term in wanted]


def is_for_other_products(connection: Connection, offer: Offer, scope: StoredScope) -> bool:
    """Whether an offer is for other products, quantities or editions than the scope, whatever its term."""
    of_any_term = replace(offer, term_length=None)
    return bool(describe_differences(of_any_term, load_requirements(connection, scope)))


def find_offered_scope(connection: Connection, offer: Offer, scope: StoredScope) -> StoredScope | None:
    """Return what an offer is for as a scope, in the place of the one that it does not answer. None where it
    does not say how much of each product that is, or is for something besides."""
    terms = find_offered_terms(connection, offer, scope)
    if terms is None or offer.uncovered:
        return None
    whole = StoredScopeTerm(
        scope.months, scope.scope_terms[0].purchase_type, scope.stated_months is None or None
    )
    if offer.term_length is not None:
        whole = replace(whole, months=offer.term_length, term_assumed=None)
    return replace(scope, scope_terms=[whole], product_terms=terms, document_scope_id=None, quote_lines=None)


def _with_quantity(
    term: StoredProductTerm, quantity: Decimal | None, products: Mapping[str, ScopeProduct]
) -> StoredProductTerm:
    if quantity is None:
        return term
    known = products.get(term.product_id)
    counted = known.quantity_dimension_id if known is not None else None
    dimensions = [replace(one, value=quantity) if one.id == counted else one for one in term.dimensions]
    # The price in the scope is for another quantity.
    return replace(term, dimensions=dimensions, list_price=None, discount=None, final_price=None)
