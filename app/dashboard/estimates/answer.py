"""What a quote or request should cost, what to do about its price, or why there is no estimate."""

from collections.abc import Sequence
from decimal import Decimal

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.quote_assessment import draw_quote_assessment
from app.dashboard.estimates.scope_estimates import EstimateRefusal, load_estimate
from app.dashboard.failure_panel import failure_panel
from components.estimates.estimate_refusal import draw_estimate_refusal
from components.estimates.price_distribution import share_axis
from components.estimates.purchase_count import draw_purchase_count


def draw_answer(
    deployment: Deployment, scope: Scope, beside: Sequence[tuple[AdvancedEstimate, Decimal | None]] = ()
) -> None:
    """Draw the verdict on its price with the next step, and the prices that comparable purchases had, on one
    axis with the estimates and quotes `beside` it that are in its currency."""
    with failure_panel("This estimate", key=f"estimate-{scope.id}"):
        estimate = load_estimate(deployment, scope.id)
        if not isinstance(estimate, EstimateRefusal):
            same = [(one.estimate, quote) for one, quote in beside if one.currency == estimate.currency]
            draw_quote_assessment(deployment, scope, estimate, share_axis(same))
            draw_purchase_count(estimate.real_purchase_count)
            return
        draw_estimate_refusal(estimate.reason, estimate.request_id)
        if queries.has_operation(deployment, "POST /v1/imports"):
            navigation.draw_link("imports", "Import past purchases", icon=":material/upload_file:")
        if queries.has_operation(deployment, "POST /v1/scope"):
            _draw_ways_on(scope)


def _draw_ways_on(scope: Scope) -> None:
    """Draw what can be done about a scope that cannot be estimated."""
    tab = {"scopes-tab": "From a quote"}
    navigation.draw_link("scopes", "Add a second quote", icon=":material/note_add:", **tab)
    navigation.draw_link(
        "negotiations",
        "Negotiate with your own target",
        icon=":material/handshake:",
        scope=scope.id,
        numbers="typed",
    )
