"""Estimates of several quotes side by side, with what differs between them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

from app.client import ApiError
from app.contract.pricing import AdvancedEstimate
from app.contract.scope import ProductTerm, Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.scope_estimates import find_explanation, parse_quote
from app.dashboard.session_values import typed_quotes
from components.estimates.scope_comparison import ComparedScope
from components.scopes.scope_card import (
    format_dimension_value,
    get_main_quantity,
    get_option_labels,
    get_quoted_total,
    make_scope_title,
)

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


def load_compared_scope(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> ComparedScope:
    """Load what is compared of a scope. Unit and term are those of the estimate where the deployment explains
    it, else those of the scope."""
    quote = parse_quote(typed_quotes().get(scope.id))
    term = scope.scope_terms[0].term_length if scope.scope_terms else None
    name = make_scope_title(scope)
    if len(scope.product_terms) != 1:
        return ComparedScope(scope.id, name, estimate.estimate, estimate.currency, months=term, quote=quote)
    bought = scope.product_terms[0]
    counted = get_main_quantity(bought)
    quantity, unit = (counted[1], counted[0].name) if counted else (Decimal(1), None)
    explanation = find_explanation(deployment, scope, quote)
    explained = explanation.products[0] if explanation and explanation.products else None
    if explained is not None:
        quantity, unit = explained.quantity or quantity, explained.unit or unit
        term = (explained.months or term) if explained.recurring else None
    return ComparedScope(
        scope.id,
        name,
        estimate.estimate,
        estimate.currency,
        describe_edition(deployment, bought),
        quantity,
        unit,
        term,
        quote,
    )


def describe_edition(deployment: Deployment, term: ProductTerm) -> str:
    """Return the dimensions of a product term beside its main quantity: `Edition Team, Storage 50`."""
    labels: dict[str, str] = {}
    with suppress(ApiError):
        labels = {**get_option_labels(term, queries.load_product(deployment, term.product_id))}
    counted = get_main_quantity(term)
    return ", ".join(
        f"{one.name} {labels.get(one.id) or format_dimension_value(one)}"
        for one in term.pricing_dimensions
        if one.value is not None and (counted is None or one.id != counted[0].id)
    )
