"""Loads the estimate of a scope, and estimates of the same purchase with other terms."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal

from app.client import ApiError, Unprocessable
from app.contract.pricing import (
    AdvancedEstimate,
    PreviewedEstimate,
    PriceComparable,
    PriceExplanation,
    PricePreview,
)
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm, Scope
from app.contract.values import MAX_AMOUNT
from app.dashboard.api import extension_queries, queries
from app.dashboard.deployment import Deployment
from components.scopes.scope_card import get_quoted_total

MAX_SCOPES = 4
"""How many scopes are compared at once."""


@dataclass(frozen=True)
class EstimateRefusal:
    """The refusal (422) to estimate a valid scope. `reason` is a sentence for the buyer."""

    reason: str
    request_id: str | None


@dataclass(frozen=True)
class WhatIf:
    """Changes to a purchase: another term in months, and other dimensions by the product's position."""

    term_length: int | None = None
    dimensions: Mapping[int, Sequence[DimensionValue]] = field(
        default_factory=dict[int, Sequence[DimensionValue]]
    )


def load_estimate(deployment: Deployment, scope_id: str) -> AdvancedEstimate | EstimateRefusal:
    """Load the advanced estimate, or the refusal of one. Raises the client's other errors."""
    try:
        return queries.load_advanced_estimate(deployment, scope_id)
    except Unprocessable as refusal:
        return _make_refusal(refusal)


def load_changed_estimate(
    deployment: Deployment, scope: Scope, *, leave_out: Collection[str] = (), what_if: WhatIf = WhatIf()
) -> PreviewedEstimate | EstimateRefusal:
    """Load the estimate of `scope` without the purchases `leave_out` (ids), or with other terms. Nothing is
    stored."""
    body = make_preview(scope, leave_out, what_if)
    try:
        return extension_queries.load_preview(
            deployment, body.model_dump_json(by_alias=True, exclude_none=True)
        )
    except Unprocessable as refusal:
        return _make_refusal(refusal)


def find_explanation(
    deployment: Deployment, scope: Scope, quote: Decimal | None = None
) -> PriceExplanation | None:
    """Find the explanation of an estimate, with the verdict on `quote`; None where the deployment has none or
    fails, as pages work without it. The price on record of the scope is judged by its document's lines."""
    with suppress(ApiError):
        if queries.has_operation(deployment, "GET /v1/pricing/explanation/{}"):
            on_record = len(scope.scope_terms) == 1 and quote == get_quoted_total(scope)
            typed = None if on_record else quote
            return extension_queries.load_explanation(deployment, scope.id, quoted=typed)
    return None


def index_comparables(explanation: PriceExplanation | None) -> dict[str, PriceComparable]:
    """Return the purchases behind an estimate by their ids."""
    products = explanation.products if explanation else []
    return {purchase.id: purchase for product in products for purchase in product.comparables}


def parse_quote(typed: float | None) -> Decimal | None:
    """Return the typed price; None where it is not above 0 and below one trillion."""
    return Decimal(str(typed)) if typed is not None and 0 < typed < MAX_AMOUNT else None


def make_preview(scope: Scope, leave_out: Collection[str], what_if: WhatIf) -> PricePreview:
    """Make the request for an estimate of a changed copy of a scope on record."""
    return PricePreview(
        previous_scope_id=scope.id,
        scope_terms=[
            NewScopeTerm(
                term_length=what_if.term_length or int(term.term_length),
                purchase_type="renewal" if term.purchase_type == "renewal" else "new_purchase",
            )
            for term in scope.scope_terms
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


def _make_refusal(refusal: Unprocessable) -> EstimateRefusal:
    detail = refusal.problem.detail if refusal.problem is not None else refusal.message
    return EstimateRefusal(detail, refusal.request_id)
