"""What to do about a quoted price, as one button with the amount in it."""

from decimal import Decimal
from functools import partial

import streamlit as st

from app.contract.price_level import format_next_step
from app.contract.pricing import NextStep
from app.contract.scope import Scope
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.start_form import QUOTE
from app.dashboard.scopes.agreement_button import can_put_on_record, draw_agreement_button
from app.dashboard.sourcing.quotes_together import SCOPE
from components.formatting.escape_markdown import escape_markdown
from components.scopes.scope_card import get_quoted_total

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
    elif step.action == "compare" and queries.has_operation(deployment, "POST /v1/requirements"):
        open_step = partial(navigation.open_page, "requirements", **{SCOPE: scope.id})
    elif (
        step.action == "accept" and quote == get_quoted_total(scope) and can_put_on_record(deployment, scope)
    ):
        draw_agreement_button(deployment, scope, label, name="accept", is_next_step=True)
        return
    if open_step is None:
        st.caption(f"Next step: {escape_markdown(label[:1].lower() + label[1:])}.")
    elif st.button(
        escape_markdown(label), type="primary", icon=_ICONS[step.action], key=f"next-step-{scope.id}"
    ):
        open_step()
