"""The best of several scopes side by side: the lowest quote and the lowest median."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import ProductTerm, Scope
from components.scopes.scope_card import get_main_quantity, get_quoted_total

LOWEST_QUOTE, LOWEST_MEDIAN = "lowest quote", "lowest median"


def find_highlights(
    scopes: Sequence[Scope], estimates: Mapping[str, AdvancedEstimate], quotes: Mapping[str, float | None]
) -> dict[str, list[str]]:
    """Return the highlights of each scope by its id. Only estimates of the same quantities, in one
    currency and for one term, are compared. `quotes` are as entered; the quote on
    record counts for a scope that is not among them."""
    highlights: dict[str, list[str]] = {scope.id: [] for scope in scopes}
    terms = {term.term_length for scope in scopes for term in scope.scope_terms}
    quantities = {tuple(sorted(map(_count, scope.product_terms))) for scope in scopes}
    currencies = {one.currency for one in estimates.values()}
    if len(estimates) < 2 or max(len(currencies), len(terms), len(quantities)) > 1:
        return highlights
    amounts = {
        scope.id: float(quote)
        for scope in scopes
        if scope.id in estimates and (quote := quotes.get(scope.id, get_quoted_total(scope)))
    }
    if len(amounts) > 1:
        highlights[min(amounts, key=lambda ident: amounts[ident])].append(LOWEST_QUOTE)
    highlights[min(estimates, key=lambda ident: estimates[ident].estimate.percentile50)].append(LOWEST_MEDIAN)
    return highlights


def _count(term: ProductTerm) -> tuple[str, Decimal]:
    """Return what the price is counted by, and how many."""
    counted = get_main_quantity(term)
    return ("", Decimal(1)) if counted is None else (counted[0].name.casefold(), counted[1])
