"""Loads the estimates of scopes, of the same purchase with other terms, and what differs between several."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal

from app.client import ApiError, Refused, Unprocessable
from app.contract.pricing import AdvancedEstimate, PreviewedEstimate, PriceExplanation, PricePreview
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm, ProductTerm, Scope
from app.contract.values import MAX_AMOUNT
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.session_values import typed_quotes
from components.estimates.scope_comparison import ComparedScope
from components.scopes import (
    count_term_months,
    format_dimension_value,
    get_main_quantity,
    get_option_labels,
    get_quoted_total,
    is_currency_stated,
    is_term_assumed,
    make_scope_title,
)

MAX_SCOPES = 4
"""How many scopes are compared at once."""


@dataclass(frozen=True)
class WhatIf:
    """Changes to a purchase: another term in months, and other dimensions by the product's position."""

    term_length: int | None = None
    dimensions: Mapping[int, Sequence[DimensionValue]] = field(
        default_factory=dict[int, Sequence[DimensionValue]]
    )


def load_estimate(deployment: Deployment, scope_id: str) -> AdvancedEstimate | str:
    """Load the advanced estimate, or the sentence by which a valid scope is refused one (422). Raises the
    client's other errors."""
    try:
        return queries.load_advanced_estimate(deployment, scope_id)
    except Unprocessable as refusal:
        return explain_refusal(refusal)


def load_changed_estimate(
    deployment: Deployment, scope: Scope, *, leave_out: Collection[str] = (), what_if: WhatIf = WhatIf()
) -> PreviewedEstimate | str:
    """Load the estimate of `scope` without the purchases `leave_out` (ids), or with other terms; the sentence
    of a refusal as above. Nothing is stored."""
    body = make_preview(scope, leave_out, what_if)
    try:
        return queries.load_preview(deployment, body.model_dump_json(by_alias=True, exclude_none=True))
    except Unprocessable as refusal:
        return explain_refusal(refusal)


def find_explanation(
    deployment: Deployment, scope: Scope, quote: Decimal | None = None
) -> PriceExplanation | None:
    """Find the explanation of an estimate, with the verdict on `quote`; None where the deployment has none or
    fails, as pages work without it. The price on record of the scope is judged by its document's lines."""
    with suppress(ApiError):
        if queries.has_operation(deployment, "GET /v1/pricing/explanation/{}"):
            typed = None if quote == get_quoted_total(scope) else quote
            return queries.load_explanation(deployment, scope.id, quoted=typed)
    return None


def parse_quote(typed: float | None) -> Decimal | None:
    """Return the typed price; None where it is not above 0 and below one trillion."""
    return Decimal(str(typed)) if typed is not None and 0 < typed < MAX_AMOUNT else None


def get_quote(scope: Scope, typed: Mapping[str, float | None]) -> Decimal | None:
    """Return the quote that was typed beside the estimate of a scope, where that was on screen, else the one
    on record, unless nobody has said its currency: the estimate may be in another."""
    if scope.id in typed:
        return parse_quote(typed[scope.id])
    return get_quoted_total(scope) if is_currency_stated(scope) else None


def make_preview(scope: Scope, leave_out: Collection[str], what_if: WhatIf) -> PricePreview:
    """Make the request for an estimate of a changed copy of a scope on record."""
    return PricePreview(
        previous_scope_id=scope.id,
        scope_terms=[
            NewScopeTerm(
                term_length=what_if.term_length or int(term.term_length),
                purchase_type="renewal" if term.purchase_type == "renewal" else "new_purchase",
            )
            for term in (scope.scope_terms[:1] if what_if.term_length else scope.scope_terms)
        ],
        product_terms=[
            NewProductTerm(
                product_id=term.product_id,
                pricing_dimensions=[*what_if.dimensions[at]]
                if at in what_if.dimensions
                else [
                    DimensionValue(id=dimension.id, value=dimension.value)
                    for dimension in term.pricing_dimensions
                    if dimension.value is not None
                ],
            )
            for at, term in enumerate(scope.product_terms)
        ],
        exclude=sorted(leave_out),
    )


def explain_refusal(refusal: Refused) -> str:
    """Return the sentence of the service."""
    return refusal.problem.detail if refusal.problem is not None else refusal.message


LOWEST_QUOTE, LOWEST_MEDIAN = "lowest quote", "lowest median"


def find_paid_once(deployment: Deployment, scopes: Sequence[Scope]) -> set[str]:
    """Return the ids of the scopes whose term nobody has said, and means nothing: all is paid once."""
    explained = {scope.id: find_explanation(deployment, scope) for scope in scopes if is_term_assumed(scope)}
    return {
        ident
        for ident, one in explained.items()
        if one and one.products and not any(product.recurring for product in one.products)
    }


def find_highlights(
    scopes: Sequence[Scope],
    estimates: Mapping[str, AdvancedEstimate],
    quotes: Mapping[str, float | None],
    paid_once: Collection[str] = (),
) -> dict[str, list[str]]:
    """Return the highlights of each scope by its id. Only estimates of the same quantities, in one
    currency and for one term, are compared; none of a term that nobody has said, but for what is
    `paid_once`. `quotes` are as entered; the quote on record counts for a scope that is not among them."""
    highlights: dict[str, list[str]] = {scope.id: [] for scope in scopes}
    if any(is_term_assumed(scope) and scope.id not in paid_once for scope in scopes):
        return highlights
    terms = {None if scope.id in paid_once else count_term_months(scope) for scope in scopes}
    quantities = {tuple(sorted(map(_count, scope.product_terms))) for scope in scopes}
    currencies = {one.currency for one in estimates.values()}
    if len(estimates) < 2 or max(len(currencies), len(terms), len(quantities)) > 1:
        return highlights
    amounts = {
        scope.id: float(quote)
        for scope in scopes
        if scope.id in estimates and (quote := get_quote(scope, quotes))
    }
    medians = {ident: one.estimate.percentile50 for ident, one in estimates.items()}
    for words, figures in ((LOWEST_QUOTE, amounts), (LOWEST_MEDIAN, medians)):
        lowest = [ident for ident, figure in figures.items() if figure == min(figures.values())]
        if len(lowest) < len(figures):  # of equal ones none is lower
            for ident in lowest:
                highlights[ident].append(words)
    return highlights


def _count(term: ProductTerm) -> tuple[str, Decimal]:
    """Return what the price is counted by, and how many."""
    counted = get_main_quantity(term)
    return ("", Decimal(1)) if counted is None else (counted[0].name.casefold(), counted[1])


def load_compared_scope(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> ComparedScope:
    """Load what is compared of a scope. Unit and term are those of the estimate where the deployment explains
    it, else those of the scope."""
    quote = get_quote(scope, typed_quotes())
    compared = ComparedScope(
        scope.id,
        make_scope_title(scope),
        estimate.estimate,
        estimate.currency,
        months=count_term_months(scope),
        quote=quote,
        is_term_assumed=is_term_assumed(scope),
    )
    if len(scope.product_terms) != 1:
        return compared
    bought = scope.product_terms[0]
    counted = get_main_quantity(bought)
    quantity, unit, term = counted[1] if counted else Decimal(1), counted and counted[0].name, compared.months
    explanation = find_explanation(deployment, scope, quote)
    if explanation and explanation.products:
        explained = explanation.products[0]
        quantity, unit = explained.quantity or quantity, explained.unit or unit
        term = (explained.months or term) if explained.recurring else None
    edition = describe_edition(deployment, bought)
    return replace(compared, edition=edition, quantity=quantity, unit=unit, months=term)


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
