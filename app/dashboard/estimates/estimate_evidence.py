"""What an estimate rests on, in tabs: products, similar purchases, price factors, other assumptions."""

from functools import partial

import streamlit as st

from app.contract.deal_accuracy import DealAccuracy
from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard.api import agreement_queries, extension_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.scope_estimates import (
    EstimateRefusal,
    find_explanation,
    index_comparables,
    load_changed_estimate,
    parse_quote,
)
from app.dashboard.estimates.what_if import draw_what_if_tab
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import LeftOut, left_out_purchases, typed_quotes
from components.elements.tabs import draw_tabs
from components.estimates.calibration import draw_calibration, draw_deal_accuracy
from components.estimates.price_factors import draw_price_factors
from components.estimates.scope_comparison import draw_product_breakdown
from components.estimates.similar_purchases import draw_price_against_quantity, draw_similar_purchases
from components.estimates.verdict import draw_estimate_refusal
from components.estimates.what_if import draw_estimate_change
from components.formatting.counts import format_count
from components.scopes.scope_card import get_quote_point

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
            draw_price_factors(product, explanation.currency, explanation.timestamp, key=key)


def _draw_change(before: AdvancedEstimate, after: AdvancedEstimate | EstimateRefusal) -> None:
    if isinstance(after, EstimateRefusal):
        draw_estimate_refusal(after.reason, after.request_id)
    else:
        draw_estimate_change(before, after)


def draw_estimate_accuracy(deployment: Deployment) -> None:
    """Draw how accurate the estimates of this deployment were, where it measures that."""
    if not queries.has_operation(deployment, "GET /v1/pricing/calibration"):
        return
    with failure_panel("The accuracy of the estimates"):
        calibration = extension_queries.load_calibration(deployment)
        deals = _load_deals(deployment)
        if calibration is None and not deals:
            return
        # Drawn once it is opened: a chart is the most expensive part of a page.
        accuracy = st.expander(
            "How accurate are these estimates?",
            icon=":material/fact_check:",
            key="accuracy",
            on_change="rerun",
        )
        if accuracy.open:
            with accuracy:
                if calibration is not None:
                    draw_calibration(calibration, key="calibration")
                if deals is not None:
                    draw_deal_accuracy(deals, key="deal-accuracy")


def _load_deals(deployment: Deployment) -> DealAccuracy | None:
    """Load how right the estimates of the organisation's deals were; None while it has none."""
    if not queries.has_operation(deployment, "GET /v1/negotiation/accuracy"):
        return None
    deals = agreement_queries.load_deal_accuracy(deployment)
    return deals if deals.compared or deals.uncounted else None
