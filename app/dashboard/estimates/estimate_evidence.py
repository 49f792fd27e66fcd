"""What an estimate rests on, and what it would be without a purchase or with other terms."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial

import streamlit as st

from app.client import ApiError, BadRequest
from app.contract.catalog import Product
from app.contract.money import format_money
from app.contract.pricing import AdvancedEstimate
from app.contract.scope import DimensionValue, Scope
from app.dashboard.api import extension_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.quantity_curve import draw_quantities
from app.dashboard.estimates.scope_estimates import (
    EstimateRefusal,
    WhatIf,
    find_explanation,
    index_comparables,
    load_changed_estimate,
    parse_quote,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.scope_creation import collect_quantities
from app.dashboard.session_values import LeftOut, left_out_purchases, typed_quotes
from components.elements.tabs import draw_tabs
from components.estimates.price_factors import draw_price_factors
from components.estimates.scope_comparison import draw_product_breakdown
from components.estimates.similar_purchases import draw_price_against_quantity, draw_similar_purchases
from components.estimates.verdict import draw_estimate_refusal
from components.estimates.what_if import TypedChanges, draw_estimate_change, draw_what_if
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown
from components.scopes.scope_card import get_quote_point


@st.fragment
def draw_what_if_tab(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> None:
    """Draw fields for another term and other dimensions, and what the purchase would cost then."""
    with failure_panel("The estimate of another purchase"):
        products = [_find_product(deployment, term.product_id) for term in scope.product_terms]
        typed = draw_what_if(scope, products, key=f"what-if-{scope.id}")
        changes, faults = check_changes(scope, products, typed)
        if faults:
            for fault in faults:
                st.caption(f":red[:material/error: {escape_markdown(fault)}]")
        elif changes == WhatIf():
            st.caption("Change the term or a dimension to see what it would cost.")
        else:
            _draw_changed(deployment, scope, estimate, changes)
        draw_quantities(deployment, scope, products)


def check_changes(
    scope: Scope, products: Sequence[Product | None], typed: TypedChanges
) -> tuple[WhatIf, list[str]]:
    """Return what differs from the scope, and what is wrong with it, each in a sentence."""
    faults: list[str] = []
    now = int(scope.scope_terms[0].term_length) if scope.scope_terms else 12
    term = typed.term_length
    if not 1 <= term <= 1200:
        faults.append("Term in months: Enter a whole number of months from 1 to 1200.")
    dimensions: dict[int, Sequence[DimensionValue]] = {}
    for at, product in enumerate(products):
        if product is None:
            continue
        values, wrong = collect_quantities(product, typed.dimensions.get(at, {}))
        names = {f"{product.id}/{one.id}": one.name for one in product.pricing_dimensions}
        faults += [f"{names.get(place, product.name)}: {fault}" for place, fault in wrong.items()]
        stated = {one.id: one.value for one in scope.product_terms[at].pricing_dimensions}
        if {one.id: Decimal(one.value) for one in values} != {
            ident: Decimal(value) for ident, value in stated.items() if value
        }:
            dimensions[at] = values
    return WhatIf(term if term != now else None, dimensions), faults


def _find_product(deployment: Deployment, product_id: str) -> Product | None:
    with suppress(ApiError):
        return queries.load_product(deployment, product_id)
    return None


def _draw_changed(deployment: Deployment, scope: Scope, before: AdvancedEstimate, changes: WhatIf) -> None:
    try:
        after = load_changed_estimate(deployment, scope, what_if=changes)
    except BadRequest as refusal:
        detail = refusal.problem.detail if refusal.problem is not None else refusal.message
        st.warning(escape_markdown(detail), icon=":material/error:")
        return
    if isinstance(after, EstimateRefusal):
        draw_estimate_refusal(after.reason, after.request_id)
        return
    draw_estimate_change(before, after)
    now = scope.scope_terms[0].term_length if scope.scope_terms else Decimal(12)
    if after.currency == before.currency and all(product.recurring for product in after.products):
        monthly, instead = (
            format_money(estimate.estimate.percentile50 / months, before.currency)
            for estimate, months in ((after, changes.term_length or now), (before, now))
        )
        st.caption(escape_markdown(f"Median per month: {monthly} instead of {instead}."))


PREVIEW_OPERATION = "POST /v1/pricing/preview"


def draw_evidence(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, *, key: str) -> None:
    tabs = {
        "Products": partial(draw_product_breakdown, estimate.product_estimates, estimate.currency),
        "Similar purchases": partial(_draw_similar_purchases, deployment, scope, estimate),
    }
    if queries.has_operation(deployment, "GET /v1/pricing/explanation/{}"):
        tabs["Price drivers"] = partial(_draw_price_factors, deployment, scope)
    if queries.has_operation(deployment, PREVIEW_OPERATION):
        tabs["What if"] = partial(draw_what_if_tab, deployment, scope, estimate)
    draw_tabs(tabs, key=key)


@st.fragment
def _draw_similar_purchases(deployment: Deployment, scope: Scope, estimate: AdvancedEstimate) -> None:
    with failure_panel("The estimate without some purchases"):
        purchases = estimate.real_similar_purchases
        left_out = draw_similar_purchases(
            purchases,
            estimate.currency,
            key=f"similar-{scope.id}",
            can_leave_out=queries.has_operation(deployment, PREVIEW_OPERATION),
            comparables=index_comparables(find_explanation(deployment, scope)),
        )
        reason = ""
        if left_out:
            reason = st.text_input(
                "Why are they left out?",
                key=f"left-out-reason-{scope.id}",
                max_chars=200,
                placeholder="Stated in the evidence report",
                persist_state="page",
            )
        left_out_purchases()[scope.id] = LeftOut(left_out, (reason or "").strip())
        if left_out:
            st.markdown(f"**Estimate without {format_count(len(left_out), 'unticked purchase')}**")
            _draw_change(estimate, load_changed_estimate(deployment, scope, leave_out=left_out))
        draw_price_against_quantity(
            purchases,
            estimate.currency,
            key=f"scatter-{scope.id}",
            left_out=left_out,
            quote=get_quote_point(scope, parse_quote(typed_quotes().get(scope.id))),
        )


def _draw_price_factors(deployment: Deployment, scope: Scope) -> None:
    with failure_panel("The explanation of the estimate"):
        explanation = extension_queries.load_explanation(deployment, scope.id)
        for position, product in enumerate(explanation.products):
            key = f"factors-{scope.id}-{position}"
            draw_price_factors(product, explanation.currency, key=key)


def _draw_change(before: AdvancedEstimate, after: AdvancedEstimate | EstimateRefusal) -> None:
    if isinstance(after, EstimateRefusal):
        draw_estimate_refusal(after.reason, after.request_id)
    else:
        draw_estimate_change(before, after)
