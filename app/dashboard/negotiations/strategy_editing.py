"""Forms by which a person changes what a negotiation is held to: its numbers, its offers, its letters."""

from collections.abc import Sequence

import streamlit as st

from app.client import ActingClient
from app.contract.negotiation import (
    NegotiationMail,
    StrategyShown,
    TimelineEntry,
)
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.reporting import report_button
from app.dashboard.session_values import form_faults, is_form_saved
from components.negotiations.offer_correction import (
    clear_offer_correction,
    draw_offer_correction,
    read_offer_correction,
    validate_correction,
)
from components.negotiations.strategy_form import (
    clear_strategy_form,
    draw_strategy_form,
    read_strategy_form,
    validate_numbers,
)

NUMBERS_FORM, CORRECTION_FORM = "numbers", "correction"
REPORT_OPERATION = "POST /v1/negotiation/{}/external-update"


def empty_saved_forms() -> None:
    """Called before a page draws: empties the forms whose content is on record."""
    if is_form_saved(NUMBERS_FORM).pop():
        clear_strategy_form(key=NUMBERS_FORM)
    if is_form_saved(CORRECTION_FORM).pop():
        clear_offer_correction(key=CORRECTION_FORM)


def draw_numbers_editor(
    deployment: Deployment, negotiation_id: str, now: StrategyShown, currency: str
) -> None:
    """Type numbers of one's own, or make them anew from the evidence."""
    with st.expander("Set the numbers yourself", expanded=now.target is None):
        draw_strategy_form(key=NUMBERS_FORM, faults=form_faults(NUMBERS_FORM).get())
        report_button(
            deployment,
            negotiation_id,
            "Set the numbers",
            form=NUMBERS_FORM,
            read=lambda: validate_numbers(read_strategy_form(key=NUMBERS_FORM), now, currency),
            what="Setting the numbers",
            saved="The numbers are set.",
            type="primary",
        )
    if queries.has_operation(deployment, "POST /v1/negotiation/{}/strategy"):
        _draw_recompute_button(deployment, negotiation_id)


def _draw_recompute_button(deployment: Deployment, negotiation_id: str) -> None:
    def make(client: ActingClient, idempotency_key: str) -> StrategyShown:
        return client.negotiations.plan_anew(negotiation_id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        "Make them anew from the evidence",
        name="plan-anew",
        what="Making the numbers anew",
        write=make,
        icon=":material/refresh:",
        help="After an import or a second quote. Numbers that you typed stay.",
    )


def draw_offer_corrections(
    deployment: Deployment, negotiation_id: str, offers: Sequence[TimelineEntry], currency: str
) -> None:
    """Correct or withdraw an offer that stands; nothing where there is none."""
    if not offers:
        return
    with st.expander("An offer was wrong"):
        draw_offer_correction(
            offers, currency, key=CORRECTION_FORM, faults=form_faults(CORRECTION_FORM).get()
        )
        report_button(
            deployment,
            negotiation_id,
            "Save the correction",
            form=CORRECTION_FORM,
            read=lambda: validate_correction(read_offer_correction(key=CORRECTION_FORM)),
            what="Correcting the offer",
            saved="Corrected.",
        )


def draw_sent_button(deployment: Deployment, negotiation_id: str, mail: NegotiationMail) -> None:
    """The button that says that a person has sent this draft."""
    if not queries.has_operation(deployment, "POST /v1/negotiation/{}/mails/{}/sent"):
        return

    def mark(client: ActingClient, idempotency_key: str) -> NegotiationMail:
        return client.negotiations.mark_sent(negotiation_id, mail.id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        "I have sent it",
        name=f"sent-{mail.id}",
        what="Marking it as sent",
        write=mark,
        icon=":material/mark_email_read:",
        type="primary",
    )
