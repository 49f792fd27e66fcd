"""Another term and other dimensions of a scope, checked, and what they would cost."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal

import streamlit as st

from app.client import ApiError, BadRequest
from app.contract.catalog import Product
from app.contract.money import format_money
from app.contract.pricing import AdvancedEstimate
from app.contract.scope import DimensionValue, Scope
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.quantity_curve import draw_quantities
from app.dashboard.estimates.scope_estimates import EstimateRefusal, WhatIf, load_changed_estimate
from app.dashboard.failure_panel import failure_panel
from app.dashboard.scopes.scope_creation import collect_quantities
from components.estimates.verdict import draw_estimate_refusal
from components.estimates.what_if import TypedChanges, draw_estimate_change, draw_what_if
from components.formatting.texts import escape_markdown


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
