"""The forms by which a reader changes the numbers of a negotiation, its offers and its letters."""

from collections.abc import Sequence

import streamlit as st

from app.client import ScopedClient
from app.contract.negotiation import NegotiationMail, TimelineEntry
from app.contract.strategy import StrategyShown
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.negotiations.external_updates import MakeUpdate
from app.dashboard.negotiations.reporting import report_button
from app.dashboard.negotiations.update_validation import validate_correction, validate_numbers
from app.dashboard.session_values import form_faults, is_form_saved
from components.formatting.datetimes import get_reader_zone
from components.negotiations.offer_correction import (
    clear_offer_correction,
    draw_offer_correction,
    read_offer_correction,
)
from components.negotiations.strategy_form import (
    clear_strategy_form,
    draw_strategy_form,
    read_strategy_form,
)


def name_numbers_form(negotiation_id: str) -> str:
    """Return the name of the form for the reader's own numbers, of which each negotiation has its own."""
    return f"numbers-{negotiation_id}"


def name_correction_form(negotiation_id: str) -> str:
    """Return the name of the form that corrects an offer, of which each negotiation has its own."""
    return f"correction-{negotiation_id}"


def clear_saved_forms(negotiation_id: str) -> None:
    """Empty the forms whose content is on record. To be called before anything is drawn."""
    numbers, correction = name_numbers_form(negotiation_id), name_correction_form(negotiation_id)
    if is_form_saved(numbers).pop():
        clear_strategy_form(key=numbers)
    if is_form_saved(correction).pop():
        clear_offer_correction(key=correction)


def draw_numbers_editor(
    deployment: Deployment, negotiation_id: str, now: StrategyShown, currency: str
) -> None:
    """Draw the form for the reader's own numbers, and the button that calculates them from the evidence."""
    form = name_numbers_form(negotiation_id)

    def check() -> CheckedForm[MakeUpdate]:
        return validate_numbers(read_strategy_form(key=form), now, currency)

    with st.expander("Set the numbers yourself", expanded=now.target is None):
        draw_strategy_form(key=form, faults=form_faults(form).get())
        report_button(
            deployment,
            negotiation_id,
            "Set the numbers",
            form=form,
            check=check,
            what="Setting the numbers",
            success="The numbers are set.",
            type="primary",
        )
    if queries.has_operation(deployment, "POST /v1/negotiation/{}/strategy"):
        _draw_recompute_button(deployment, negotiation_id)


def _draw_recompute_button(deployment: Deployment, negotiation_id: str) -> None:
    def recompute(client: ScopedClient, idempotency_key: str) -> StrategyShown:
        return client.negotiations.plan_anew(negotiation_id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        "Recalculate from the evidence",
        name=f"plan-anew-{negotiation_id}",
        what="Recalculating the numbers",
        write=recompute,
        icon=":material/refresh:",
        help="Use after an import or a second quote. Numbers that you entered are kept.",
    )


def draw_offer_corrections(
    deployment: Deployment, negotiation_id: str, offers: Sequence[TimelineEntry], currency: str
) -> None:
    """Draw the form that corrects or withdraws one of `offers`; nothing when there is none."""
    if not offers:
        return
    form = name_correction_form(negotiation_id)

    def check() -> CheckedForm[MakeUpdate]:
        return validate_correction(read_offer_correction(key=form), offers)

    with st.expander("Correct an offer"):
        draw_offer_correction(
            offers,
            currency,
            get_reader_zone(),
            key=form,
            faults=form_faults(form).get(),
        )
        report_button(
            deployment,
            negotiation_id,
            "Save the correction",
            form=form,
            check=check,
            what="Correcting the offer",
            success="The offer is corrected.",
        )


def draw_sent_button(deployment: Deployment, negotiation_id: str, mail: NegotiationMail) -> None:
    """Draw the button that marks a letter as sent by the reader."""
    if not queries.has_operation(deployment, "POST /v1/negotiation/{}/mails/{}/sent"):
        return

    def mark(client: ScopedClient, idempotency_key: str) -> NegotiationMail:
        return client.negotiations.mark_sent(negotiation_id, mail.id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        "Mark as sent",
        name=f"sent-{mail.id}",
        what="Marking it as sent",
        write=mark,
        icon=":material/mark_email_read:",
        type="primary",
    )
