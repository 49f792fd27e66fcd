"""The decision on what becomes of an agreement: its form, on its page and behind a button of a list."""

from app.contract.agreements import Agreement
from app.dashboard.agreements.agreement_forms import make_decision_form
from app.dashboard.deployment import Deployment


def draw_decision(deployment: Deployment, one: Agreement) -> None:
    """Draw the form and its button. Needs `POST /v1/agreements/{}/decision`."""
    form = make_decision_form(deployment, one)
    form.begin()
    form.draw_fault()
    form.draw_fields(["decision"])
    decision = form.read()["decision"]
    takes_notice = one.renewal_type in ("auto_renew", "evergreen") and decision not in ("renew", "put_off")
    form.draw_fields(["until", "note"] if decision == "put_off" else ["note"])
    if takes_notice:
        form.draw_fields(["noticeGivenOn"])
    form.keep_draft()
    form.draw_button(
        "Store the decision",
        send=lambda client, body, key: client.agreements.decide(one.id, body, idempotency_key=key),
        what="Storing the decision",
        icon=":material/gavel:",
    )


def draw_decision_popover(deployment: Deployment, one: Agreement) -> None:
    """Draw the button that opens the form."""
    form = make_decision_form(deployment, one)
    place = form.draw_popover("Decide", icon=":material/gavel:", type="secondary")
    if place.open:
        with place:
            draw_decision(deployment, one)
