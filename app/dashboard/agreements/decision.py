"""The decision on what becomes of an agreement: its form, on its page and behind a button of a list."""

from app.client import ScopedClient
from app.contract.agreements import Agreement, NewDecision
from app.dashboard.agreements.agreement_validation import validate_decision
from app.dashboard.deployment import Deployment
from app.dashboard.form_popover import close_form, form_popover
from app.dashboard.kit.form import form_button
from app.dashboard.session_values import form_faults
from components.agreements.decision_form import FIELDS, draw_decision_form, read_decision_form


def draw_decision(deployment: Deployment, one: Agreement) -> None:
    """Draw the form and its button. Needs `POST /v1/agreements/{}/decision`."""
    form = f"decision-{one.id}"

    def send(client: ScopedClient, decision: NewDecision, idempotency_key: str) -> Agreement:
        return client.agreements.decide(one.id, decision, idempotency_key=idempotency_key)

    takes_notice = one.renewal_type in ("auto_renew", "evergreen")
    draw_decision_form(key=form, takes_notice=takes_notice, faults=form_faults(form).get())
    form_button(
        deployment,
        "Store the decision",
        form=form,
        check=lambda: validate_decision(read_decision_form(key=form)),
        send=send,
        what="Storing the decision",
        on_success=lambda _: close_form(form, FIELDS),
        icon=":material/gavel:",
    )


def draw_decision_popover(deployment: Deployment, one: Agreement) -> None:
    """Draw the button that opens the form."""
    place = form_popover("Decide", form=f"decision-{one.id}", icon=":material/gavel:", type="secondary")
    if place.open:
        with place:
            draw_decision(deployment, one)
