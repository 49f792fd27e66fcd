"""The answer on a quote: the verdict, and what to do next."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial

import streamlit as st

from app.client import ApiError
from app.contract.money import lower_first
from app.contract.price_level import format_next_step
from app.contract.pricing import AdvancedEstimate, NextStep
from app.contract.savings import DealAccuracy
from app.contract.scope import Scope
from app.contract.scope_list import ListedScope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.estimates.scope_estimates import (
    find_explanation,
    get_quote,
    load_estimate,
    parse_quote,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import draw_page_button
from app.dashboard.negotiations.start_form import QUOTE
from app.dashboard.scopes.scope_listing import can_put_on_record, draw_agreement_button, draw_outcome
from app.dashboard.session_values import typed_quotes
from app.dashboard.sourcing.requirement_creation import SCOPE
from components.elements.form_fields import draw_fault, show_digits
from components.estimates.price_distribution import draw_price_distribution, draw_quartiles, share_axis
from components.estimates.sureness import describe_warnings, draw_deal_accuracy, draw_sureness
from components.estimates.verdict import (
    draw_estimate_refusal,
    draw_product_verdicts,
    draw_purchase_count,
    draw_verdict,
    get_judged_amount,
)
from components.formatting import escape_markdown
from components.scopes import get_quoted_total, is_currency_stated


@st.fragment
def draw_quote_assessment(
    deployment: Deployment, scope: Scope, estimate: AdvancedEstimate, axis: tuple[float, float] | None
) -> None:
    """Draw the field for the quote, at first the one on record, and what it means; redrawn alone at each
    change. The quote is in the address and in `typed_quotes`."""
    on_record = get_quote(scope, {})
    # The answer stands above the field, and follows from what is typed there.
    answer = st.container()
    key, recorded = f"quote-{scope.id}", float(on_record) if on_record is not None else None
    typed = st.number_input(
        show_digits(f"Quote in {estimate.currency}", st.session_state.get(key, recorded)),
        value=recorded,
        step=0.01,
        format="%g",
        key=key,
        bind="query-params",
        placeholder="The supplier's offer",
        help="Before tax, for the whole term.",
    )
    typed_quotes()[scope.id] = typed
    quote = parse_quote(typed)
    if typed is not None and quote is None:
        draw_fault("A quote must be more than 0 and less than one trillion.")
    explanation = find_explanation(deployment, scope, quote)
    verdict = explanation.verdict if explanation is not None else None
    with answer:
        step = None
        if quote is not None and (explanation is None or verdict is None):
            is_offered = queries.has_operation(deployment, "GET /v1/pricing/explanation/{}")
            why = "No verdict is available just now" if is_offered else "This workspace gives no verdicts"
            st.caption(f"{why}: compare the quote with the range below.")
        elif explanation is not None and verdict is not None and (quote or not is_currency_stated(scope)):
            draw_verdict(verdict, explanation.currency, explanation.coverage)
            step = verdict.next_step
        if not draw_outcome(deployment, scope):
            with st.container(horizontal=True):
                if step is not None and quote is not None:
                    draw_next_step(deployment, scope, step, quote, estimate.currency)
                if step is None or step.action != "ask":
                    draw_negotiation_button(deployment, scope)
        if explanation is not None:
            draw_product_verdicts(explanation.products, explanation.currency)
    judged = get_judged_amount(verdict, quote)
    draw_price_distribution(estimate.estimate, estimate.currency, *judged, axis=axis)
    draw_quartiles(estimate.estimate, estimate.currency)
    if explanation is None:
        return
    asked_at = explanation.timestamp
    warnings = [one for product in explanation.products for one in describe_warnings(product, asked_at)]
    if warnings:
        st.caption("  \n".join(f":orange[:material/warning:] {one}" for one in dict.fromkeys(warnings)))
    # Drawn once it is opened, because it asks for the organisation's deals.
    panel = st.expander(
        "How sure is this?", icon=":material/fact_check:", key=f"sureness-{scope.id}", on_change="rerun"
    )
    if panel.open:
        with panel:
            draw_sureness(explanation.products, asked_at)
            if (deals := _find_deals(deployment)) is not None:
                draw_deal_accuracy(deals)


def _find_deals(deployment: Deployment) -> DealAccuracy | None:
    """Find how right the estimates of the organisation's deals were; None where it has none, or the
    deployment fails."""
    with suppress(ApiError):
        if queries.has_operation(deployment, "GET /v1/negotiation/accuracy"):
            deals = queries.load_deal_accuracy(deployment)
            return deals if deals.compared or deals.uncounted else None
    return None


_ICONS = {"ask": ":material/handshake:", "compare": ":material/view_column:"}


def draw_next_step(
    deployment: Deployment, scope: Scope, step: NextStep, quote: Decimal, currency: str
) -> None:
    """Draw the step after a verdict on `quote`: a negotiation that asks for the amount, an agreement at it,
    or a comparison of quotes. Where the deployment has no such page it is only said."""
    label = format_next_step(step.action, step.amount, currency)
    open_step = None
    if step.action == "ask" and queries.has_operation(deployment, "POST /v1/negotiation/start"):
        newer = {} if quote == get_quoted_total(scope) else {QUOTE: f"{quote:f}"}
        open_step = partial(navigation.open_page, "negotiations", scope=scope.id, **newer)
    elif step.action == "compare" and isinstance(scope, ListedScope) and scope.requirement_id is not None:
        label = "Open the comparison"
        open_step = partial(navigation.open_page, "requirement", id=scope.requirement_id)
    elif step.action == "compare" and queries.has_operation(deployment, "POST /v1/requirements"):
        open_step = partial(navigation.open_page, "requirements", **{SCOPE: scope.id})
    elif (
        step.action == "accept" and quote == get_quoted_total(scope) and can_put_on_record(deployment, scope)
    ):
        draw_agreement_button(deployment, scope, label, name="accept", is_next_step=True)
        return
    if open_step is None:
        st.caption(f"Next step: {escape_markdown(lower_first(label))}.")
    elif st.button(
        escape_markdown(label), type="primary", icon=_ICONS[step.action], key=f"next-step-{scope.id}"
    ):
        open_step()


def draw_negotiation_button(deployment: Deployment, scope: Scope) -> None:
    """Draw the way to negotiate where the next step is another one."""
    draw_page_button(
        deployment,
        "Start a negotiation",
        "negotiations",
        icon="handshake",
        key=f"negotiate-{scope.id}",
        needs="POST /v1/negotiation/start",
        scope=scope.id,
    )


def draw_answer(
    deployment: Deployment, scope: Scope, beside: Sequence[tuple[AdvancedEstimate, Decimal | None]] = ()
) -> None:
    """Draw the verdict on its price with the next step, and the prices that comparable purchases had, on one
    axis with the estimates and quotes `beside` it that are in its currency."""
    with failure_panel("This estimate", key=f"estimate-{scope.id}"):
        estimate = load_estimate(deployment, scope.id)
        if not isinstance(estimate, str):
            same = [(one.estimate, quote) for one, quote in beside if one.currency == estimate.currency]
            draw_quote_assessment(deployment, scope, estimate, share_axis(same))
            draw_purchase_count(estimate.real_purchase_count)
            return
        draw_estimate_refusal(estimate)
        if draw_outcome(deployment, scope):
            return
        if queries.has_operation(deployment, "POST /v1/imports"):
            navigation.draw_link("imports", "Import past purchases", icon="upload_file")
        if queries.has_operation(deployment, "POST /v1/scope"):
            navigation.draw_link("scopes", "Add a second quote", icon="note_add")
            navigation.draw_link(
                "negotiations",
                "Negotiate with your own target",
                icon="handshake",
                scope=scope.id,
                numbers="typed",
            )
