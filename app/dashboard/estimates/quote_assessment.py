"""A quote beside an estimate: what was typed, the verdict on it, and its place in the distribution."""

import streamlit as st

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.next_step import draw_next_step
from app.dashboard.estimates.scope_estimates import find_explanation, parse_quote
from app.dashboard.session_values import typed_quotes
from components.estimates.price_distribution import draw_price_distribution, draw_quartiles
from components.estimates.price_factors import describe_warnings
from components.estimates.verdict import (
    draw_no_verdict,
    draw_product_verdicts,
    draw_verdict,
    get_judged_amount,
)
from components.scopes.scope_card import get_quoted_total


@st.fragment
def draw_quote_assessment(
    deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, axis: tuple[float, float] | None
) -> None:
    """Draw the field for the quote, at first the one on record, and what it means; redrawn alone at each
    change. The quote is in the address and in `typed_quotes`."""
    on_record = get_quoted_total(scope)
    typed = st.number_input(
        f"Quote in {estimate.currency}",
        value=float(on_record) if on_record is not None else None,
        step=0.01,
        format="%g",
        key=f"quote-{scope.id}",
        bind="query-params",
        placeholder="The supplier's offer",
        help="Before tax, for the whole term.",
    )
    typed_quotes()[scope.id] = typed
    quote = parse_quote(typed)
    if typed is not None and quote is None:
        st.caption(":red[:material/error: A quote must be more than 0 and less than one trillion.]")
    explanation = find_explanation(deployment, scope, quote)
    verdict = explanation.verdict if explanation is not None else None
    if quote is not None and (explanation is None or verdict is None):
        draw_no_verdict(is_offered=queries.has_operation(deployment, "GET /v1/pricing/explanation/{}"))
    elif quote is not None and explanation is not None and verdict is not None:
        draw_verdict(verdict, explanation.currency, explanation.coverage)
        if verdict.next_step is not None:
            draw_next_step(deployment, scope, verdict.next_step, quote, explanation.currency)
    if explanation is not None:
        draw_product_verdicts(explanation.products, explanation.currency)
    amount, label = get_judged_amount(verdict, quote)
    draw_price_distribution(
        estimate.estimate,
        estimate.currency,
        key=f"distribution-{scope.id}",
        quote=amount,
        quote_label=label,
        axis=axis,
        height=220,
    )
    draw_quartiles(estimate.estimate, estimate.currency)
    if explanation is None:
        return
    asked_at = explanation.timestamp
    warnings = [one for product in explanation.products for one in describe_warnings(product, asked_at)]
    for warning in dict.fromkeys(warnings):
        st.caption(f":orange[:material/warning:] {warning}")
