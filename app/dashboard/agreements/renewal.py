"""What becomes of an agreement: the decision, the renewal, or its deletion."""

from datetime import timedelta

import streamlit as st

from app.client import NotFound
from app.contract.agreements import PAST_STATUSES, Agreement
from app.contract.dates import format_day
from app.contract.money import format_exact_money
from app.contract.price_level import format_next_step
from app.contract.pricing import NextStep
from app.contract.renewals import AgreementRenewal
from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import make_decision_form, make_renewal_form
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel


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


START = "Renew"
_MONTHS_DIFFER = timedelta(days=3)
"""By how much as many months may differ."""
EXPLANATION = "Makes a request of its lines, or of its value, for the next term and opens the negotiation."


def draw_renewal(deployment: Deployment, one: Agreement) -> AgreementRenewal | None:
    """Draw the button for an agreement that is not over and that no other follows. Return the renewal that
    was begun, whose negotiation the button then opens."""
    if not queries.has_operation(deployment, "POST /v1/agreements/{}/renewal"):
        return None
    if one.next_agreement_id is not None or one.status in PAST_STATUSES:
        return None
    begun = None
    with failure_panel("The renewal of this contract"):
        begun = _find_renewal(deployment, one)
        if begun is not None:
            navigation.draw_link(
                "negotiation", "Open the negotiation", icon=":material/handshake:", id=begun.negotiation_id
            )
            return begun
        step = _find_next_step(deployment, one.id) if _costs_the_same_again(one) else None
        label, explanation = _describe_start(one, step)
        if any(owner.email for owner in one.owners or ()) and _knows_supplier(one):
            _draw_start(deployment, one, label, explanation)
        else:
            _draw_start_with_questions(deployment, one, label, explanation)
    return begun


def _costs_the_same_again(one: Agreement) -> bool:
    """Whether what its lines cost for the first term is what they cost for the next, but for a rise."""
    following = one.next_term
    if following is None or following.start is None or following.end is None:
        return False
    if one.term_start is None or one.term_end is None or one.one_time_value:
        return False
    if any(line.months is not None or line.recurring is False for line in one.lines or ()):
        return False
    return abs((one.term_end - one.term_start) - (following.end - following.start)) <= _MONTHS_DIFFER


def _find_next_step(deployment: Deployment, agreement_id: str) -> NextStep | None:
    """What the market says about its price; None where the deployment does not say it, or not yet."""
    if not queries.has_operation(deployment, "GET /v1/market"):
        return None
    with failure_panel("The price of this agreement against the market"):
        priced = agreement_queries.load_market(deployment, limit=1, agreement_id=agreement_id).data
        return priced[0].next_step if priced and priced[0].agreement_id == agreement_id else None
    return None


def _describe_start(one: Agreement, step: NextStep | None) -> tuple[str, str]:
    """The label of the button, with what the next term costs where that is known, and what to ask for
    instead where the market says it; and what the button does."""
    forecast, currency = one.next_term, one.currency
    if forecast is None:
        return START, EXPLANATION
    if not forecast.amount or currency is None:
        return START, f"{EXPLANATION} What a next term costs is not known. {forecast.statement}"
    costs = format_exact_money(forecast.amount, currency)
    span = ""
    if forecast.start is not None and forecast.end is not None:
        span = f", {format_day(forecast.start)} to {format_day(forecast.end)},"
    explanation = (
        f"{EXPLANATION} If nobody acts, the next term{span} costs {costs} before tax. {forecast.statement}"
    )
    if step is None or step.amount is None or step.action != "ask" or step.amount >= forecast.amount:
        return f"{START}: {costs} if nobody acts", explanation
    words = format_next_step(step.action, step.amount, currency)
    return f"{START}: {words[:1].lower()}{words[1:]}, not {costs}", explanation


def _draw_start(deployment: Deployment, one: Agreement, label: str, explanation: str) -> None:
    write_button(
        deployment,
        label,
        name=f"renewal-{one.id}",
        what="Starting the renewal",
        write=lambda client, key: client.renewals.start(one.id, idempotency_key=key),
        on_success=_open_negotiation,
        icon=":material/autorenew:",
        type="primary",
        help=explanation,
    )


def _draw_start_with_questions(deployment: Deployment, one: Agreement, label: str, explanation: str) -> None:
    """Draw the button behind what is not known: who negotiates, or with whom."""
    form = make_renewal_form(
        deployment, one, _suggest_contact(deployment, one), asks_supplier=not _knows_supplier(one)
    )
    place = form.draw_popover(label, icon=":material/autorenew:", type="primary")
    if not place.open:
        return
    with place:
        st.caption(explanation)
        form.draw()
        form.draw_button(
            "Start the renewal",
            send=lambda client, answers, key: client.renewals.start(one.id, answers, idempotency_key=key),
            what="Starting the renewal",
            on_success=_open_negotiation,
            icon=":material/autorenew:",
        )


def _knows_supplier(one: Agreement) -> bool:
    return bool(one.company_id or one.supplier_name)


def _suggest_contact(deployment: Deployment, one: Agreement) -> tuple[str, str]:
    """Return the name and address that the form begins with, for the person to check: the owner's, the
    person's own, or those of the latest negotiation."""
    for owner in one.owners or ():
        if owner.email:
            return owner.name, owner.email
    if deployment.end_user_email:
        return deployment.user_name or deployment.end_user_email, deployment.end_user_email
    if queries.has_operation(deployment, "GET /v1/negotiation/{}/timeline"):
        for latest in queries.load_negotiations(deployment, limit=1).data:
            timeline = queries.load_timeline(deployment, latest.id)
            return timeline.contact_name, timeline.contact_email
    return "", ""


def _open_negotiation(begun: AgreementRenewal) -> None:
    navigation.open_page("negotiation", id=begun.negotiation_id)


def _find_renewal(deployment: Deployment, one: Agreement) -> AgreementRenewal | None:
    if one.stage != "in_progress":
        return None
    try:
        return agreement_queries.load_renewal(deployment, one.id)
    except NotFound:
        return None


def draw_agreement_deletion(deployment: Deployment, one: Agreement) -> None:
    """Draw a button that says what is lost, and asks before it is."""
    if not queries.has_operation(deployment, "DELETE /v1/agreements/{}"):
        return

    with st.popover("Delete", icon=":material/delete:"):
        st.markdown(
            "The contract is gone for good, with the decisions on it, its alerts and the purchases that"
            " estimates learned from it. Its quote, document and negotiation stay."
        )
        write_button(
            deployment,
            "Delete it for good",
            name=f"delete-{one.id}",
            what="Deleting the contract",
            write=lambda client, _: client.agreements.delete(one.id),
            on_success=lambda _: navigation.open_page("agreements"),
            icon=":material/delete_forever:",
        )
