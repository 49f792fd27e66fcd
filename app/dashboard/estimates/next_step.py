"""What to do about a quoted price, as one link or button with the amount in it."""

from decimal import Decimal

import streamlit as st

from app.contract.price_level import format_next_step
from app.contract.pricing import NextStep
from app.contract.scope import Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.start_form import QUOTE
from app.dashboard.scopes.agreement_button import can_put_on_record, draw_agreement_button
from app.dashboard.sourcing.requirement_creation import SCOPE
from components.formatting.escape_markdown import escape_markdown
from components.scopes.scope_card import get_quoted_total


def draw_next_step(
    deployment: Deployment, scope: Scope, step: NextStep, quote: Decimal, currency: str
) -> None:
    """Draw the step after a verdict on `quote`: a negotiation that asks for the amount, an agreement at it,
    or a comparison of quotes. Where the deployment has no such page it is only said."""
    label = format_next_step(step.action, step.amount, currency)
    if step.action == "ask" and queries.has_operation(deployment, "POST /v1/negotiation/start"):
        newer = {} if quote == get_quoted_total(scope) else {QUOTE: f"{quote:f}"}
        navigation.draw_link("negotiations", label, icon=":material/handshake:", scope=scope.id, **newer)
    elif step.action == "compare" and queries.has_operation(deployment, "POST /v1/requirements"):
        navigation.draw_link("requirements", label, icon=":material/view_column:", **{SCOPE: scope.id})
    elif (
        step.action == "accept" and quote == get_quoted_total(scope) and can_put_on_record(deployment, scope)
    ):
        draw_agreement_button(deployment, scope, label)
    else:
        st.caption(f"Next step: {escape_markdown(label[:1].lower() + label[1:])}.")
