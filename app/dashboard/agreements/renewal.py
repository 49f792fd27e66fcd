"""The renewal of an agreement on its page: a button that starts it, or where it stands."""

import streamlit as st

from app.client import NotFound, ScopedClient
from app.contract.agreements import PAST_STATUSES, Agreement
from app.contract.price_level import format_next_step
from app.contract.pricing import NextStep
from app.contract.renewals import AgreementRenewal, StartRenewal
from app.dashboard import navigation
from app.dashboard.agreements.agreement_validation import validate_contact
from app.dashboard.api import portfolio_queries, queries, renewal_queries
from app.dashboard.api.form_button import form_button
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import form_faults
from components.agreements.contact_form import draw_contact_form, read_contact_form
from components.agreements.renewal_state import draw_renewal_state

START = "Start the renewal"
EXPLANATION = "Makes a scope of its lines for the next term, prices it and opens the negotiation."


def draw_renewal(deployment: Deployment, one: Agreement) -> None:
    """Draw the renewal of an agreement that is not over and that no other follows."""
    if not queries.has_operation(deployment, "POST /v1/agreements/{}/renewal"):
        return
    if one.next_agreement_id is not None or one.status in PAST_STATUSES:
        return
    with failure_panel("The renewal of this agreement"):
        begun = _find_renewal(deployment, one.id)
        if begun is not None:
            draw_renewal_state(begun)
            navigation.draw_link(
                "negotiation", "Open the negotiation", icon=":material/handshake:", id=begun.negotiation_id
            )
            return

    label, explanation = _describe_start(_find_next_step(deployment, one.id), one.currency)
    if any(owner.email for owner in one.owners or ()):
        _draw_start(deployment, one, label, explanation)
    else:
        _draw_start_with_contact(deployment, one, label, explanation)


def _find_next_step(deployment: Deployment, agreement_id: str) -> NextStep | None:
    """What the market says about its price; None where the deployment does not say it, or not yet."""
    if not queries.has_operation(deployment, "GET /v1/market"):
        return None
    with failure_panel("The price of this agreement against the market"):
        priced = portfolio_queries.load_market(deployment, limit=1, agreement_id=agreement_id).data
        return priced[0].next_step if priced and priced[0].agreement_id == agreement_id else None
    return None


def _describe_start(step: NextStep | None, currency: str | None) -> tuple[str, str]:
    """The label of the button, with the amount where the market says one, and what it does."""
    if step is None or step.amount is None or currency is None:
        return START, EXPLANATION
    words = format_next_step(step.action, step.amount, currency)
    covers = "The amount is for its present lines, before tax, for as long as it runs now."
    return f"{START}: {words[:1].lower()}{words[1:]}", f"{EXPLANATION} {covers}"


def _draw_start(deployment: Deployment, one: Agreement, label: str, explanation: str) -> None:
    def start(client: ScopedClient, idempotency_key: str) -> AgreementRenewal:
        return client.renewals.start(one.id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        label,
        name=f"renewal-{one.id}",
        what="Starting the renewal",
        write=start,
        on_success=_open_negotiation,
        icon=":material/autorenew:",
        type="primary",
        help=explanation,
    )


def _draw_start_with_contact(deployment: Deployment, one: Agreement, label: str, explanation: str) -> None:
    """Draw the button behind a question: nobody is known who negotiates."""
    form = f"renewal-{one.id}"

    def send(client: ScopedClient, contact: StartRenewal, idempotency_key: str) -> AgreementRenewal:
        return client.renewals.start(one.id, contact, idempotency_key=idempotency_key)

    with st.popover(label, icon=":material/autorenew:", type="primary"):
        st.caption(explanation)
        draw_contact_form(key=form, faults=form_faults(form).get())
        form_button(
            deployment,
            "Start it",
            form=form,
            check=lambda: validate_contact(read_contact_form(key=form)),
            send=send,
            what="Starting the renewal",
            on_success=_open_negotiation,
            icon=":material/autorenew:",
        )


def _open_negotiation(begun: AgreementRenewal) -> None:
    navigation.open_page("negotiation", id=begun.negotiation_id)


def _find_renewal(deployment: Deployment, agreement_id: str) -> AgreementRenewal | None:
    try:
        return renewal_queries.load_renewal(deployment, agreement_id)
    except NotFound:
        return None
