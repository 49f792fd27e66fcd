"""The decisions that wait in a negotiation."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter

import streamlit as st

from app.contract.money import format_exact_money
from app.contract.negotiation import Escalation, EscalationOption, TimelineEntry
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations.update_reports import REPORT_OPERATION, report, write_update
from components.elements.page_header import draw_heading
from components.formatting import escape_markdown, format_count, get_reader_zone
from components.negotiations.negotiation_state import draw_escalation_card, is_recommended


def draw_decisions(
    deployment: Deployment,
    negotiation_id: str,
    currency: str,
    entries: Sequence[TimelineEntry],
    *,
    is_over: bool,
) -> None:
    """Draw the open escalations with a button for each option, and the settled ones in an expander. Where an
    offer was accepted, and the `entries` of the timeline have none that came since, one click puts its amount
    on record, unless the negotiation `is_over`."""
    escalations = queries.load_escalations(deployment, negotiation_id)
    is_allowed = queries.has_operation(deployment, REPORT_OPERATION)

    def draw_escalation(escalation: Escalation) -> None:
        def draw_button(option: EscalationOption, name: str) -> None:
            if is_allowed:
                _draw_decision_button(deployment, negotiation_id, escalation, option, currency, name)

        draw_escalation_card(escalation, now=datetime.now(UTC), draw_button=draw_button)

    open_ones = [escalation for escalation in escalations if escalation.status == "open"]
    settled = [escalation for escalation in escalations if escalation.status != "open"]
    if open_ones:
        draw_heading("Waiting for your decision")
        for escalation in open_ones:
            draw_escalation(escalation)
    accepted = None if is_over else find_accepted_amount(escalations, entries)
    if accepted is not None and currency and is_allowed:
        today = datetime.now(get_reader_zone()).date()
        made = report("agreement", amount=accepted, currency=currency, signedAt=today)
        amount = escape_markdown(format_exact_money(accepted, currency))
        st.caption(f"You accepted {amount}. Once it is signed, it is put on record as agreed.")
        write_button(
            deployment,
            f"Record {amount} as agreed today",
            name=f"record-accepted-{negotiation_id}",
            what="Recording the agreed price",
            write=write_update(negotiation_id, made),
            icon="task_alt",
            type="primary",
            help="Completes the negotiation. Another amount, term or day is logged as an update below.",
        )
    if settled:
        with st.expander(format_count(len(settled), "settled decision")):
            for escalation in settled:
                draw_escalation(escalation)


def find_accepted_amount(
    escalations: Sequence[Escalation], entries: Sequence[TimelineEntry]
) -> Decimal | None:
    """Return the amount of the offer that the latest decision accepts, besides clauses of a contract that
    were accepted; None where it decides otherwise, something was to be decided since, or an offer came, was
    corrected or withdrawn."""
    settled = [
        one
        for one in escalations
        if one.status != "open" and (one.reason, one.resolution) != ("contract_clause", "accept")
    ]
    latest = max(settled, key=attrgetter("updated_at"), default=None)
    if latest is None or latest.resolution != "accept":
        return None
    decided, since = latest.updated_at, [one.created_at for one in escalations if one.status == "open"]
    since += [one.recorded_at for one in entries if one.kind in ("quote", "correction")]
    if decided is None or any(at is None or at > decided for at in since):
        return None
    return next((option.amount for option in latest.options if option.decision == "accept"), None)


def _draw_decision_button(
    deployment: Deployment,
    negotiation_id: str,
    escalation: Escalation,
    option: EscalationOption,
    currency: str,
    name: str,
) -> None:
    """Draw the button of an option; the amount of a counter-offer can be changed first."""
    amount, label = option.amount, escape_markdown(option.label)
    can_change_amount = option.decision == "counter" and option.amount is not None
    if can_change_amount:
        typed = st.number_input(
            "Counter with",
            value=float(option.amount or 0),
            step=0.01,
            format="%g",
            key=f"amount-{name}",
            label_visibility="collapsed",
        )
        amount = Decimal(str(typed)) if typed > 0 else None
        offered = "" if amount is None else f" with {format_exact_money(amount, currency)}"
        label = escape_markdown(f"Counter{offered}")

    made = report(
        "decision",
        escalationId=escalation.id,
        decision=option.decision,
        amount=amount if option.decision == "counter" else None,
    )
    write_button(
        deployment,
        label,
        name=name,
        what="The decision",
        write=write_update(negotiation_id, made),
        type="primary" if is_recommended(escalation, option) else "secondary",
        disabled=can_change_amount and amount is None,
    )


def draw_go_ahead_button(deployment: Deployment, negotiation_id: str) -> None:
    """Draw the button by which the buyer lets the negotiation begin before the supplier has said anything."""
    write_button(
        deployment,
        "Go ahead",
        name=f"go-ahead-{negotiation_id}",
        operation=REPORT_OPERATION,
        what="Going ahead",
        write=write_update(negotiation_id, report("decision", decision="go_ahead")),
        icon="play_arrow",
    )
