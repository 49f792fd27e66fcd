"""The decisions that wait in a negotiation, and the offers that they are about."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import (
    Escalation,
    EscalationOption,
    ExecutiveSummary,
    ExternalUpdate,
    TimelineEntry,
)
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.negotiations import external_updates
from app.dashboard.negotiations.external_updates import Envelope
from app.dashboard.negotiations.update_reports import REPORT_OPERATION, write_update
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown
from components.negotiations.negotiation_state import draw_escalation_card, is_recommended
from components.negotiations.timeline import TimelinePoint


def list_points_of_summaries(summaries: Sequence[ExecutiveSummary]) -> list[TimelinePoint]:
    """Return the points of the summaries, oldest first, for a deployment without a timeline."""
    return [
        TimelinePoint(
            summary.created_at,
            offer=summary.figures.quoted,
            counter=summary.figures.counter,
            opening=summary.figures.opening,
            target=summary.figures.target,
            walk_away=summary.figures.walk_away,
            agreed=summary.figures.agreed,
        )
        for summary in reversed(summaries)
        if summary.created_at is not None
    ]


def list_points_of_entries(entries: Sequence[TimelineEntry]) -> list[TimelinePoint]:
    """Return the points of a timeline, oldest first: the offers of both sides when they were made, numbers
    when they took effect."""
    offers = [
        TimelinePoint(entry.happened_at, offer=entry.amount)
        for entry in list_valid_offers(entries)
        if entry.happened_at is not None
    ]
    offers += [
        TimelinePoint(entry.happened_at, counter=entry.amount)
        for entry in entries
        if entry.happened_at is not None and entry.kind == "decision" and entry.amount is not None
    ]
    offers += [
        TimelinePoint(entry.happened_at, agreed=entry.amount)
        for entry in entries
        if entry.happened_at is not None and entry.kind == "agreement"
    ]
    numbers = [
        TimelinePoint(
            entry.recorded_at, opening=entry.opening, target=entry.target, walk_away=entry.walk_away
        )
        for entry in sorted(entries, key=lambda entry: entry.id)
        if entry.recorded_at is not None and entry.target is not None
    ]
    # An entry that was recorded before another has the lower id; equal instants keep that order.
    return sorted(offers + numbers, key=lambda point: point.at)


def list_valid_offers(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the offers that were not withdrawn, in their order, each with its latest correction."""
    corrected: dict[str, TimelineEntry] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        if entry.kind == "correction" and entry.corrects:
            corrected[entry.corrects] = entry
    offers: list[TimelineEntry] = []
    for entry in entries:
        if entry.kind == "quote" and entry.status != "withdrawn":
            newest = corrected.get(entry.id, entry)
            offers.append(entry.model_copy(update={"amount": newest.amount, "currency": newest.currency}))
    return offers


def draw_decisions(deployment: Deployment, negotiation_id: str, currency: str, zone: tzinfo) -> None:
    """Draw the open escalations with a button for each option, and the settled ones in an expander."""
    escalations = queries.load_escalations(deployment, negotiation_id)
    is_allowed = queries.has_operation(deployment, REPORT_OPERATION)

    def draw_escalation(escalation: Escalation) -> None:
        def draw_button(option: EscalationOption, name: str) -> None:
            if is_allowed:
                _draw_decision_button(deployment, negotiation_id, escalation, option, currency, name)

        draw_escalation_card(escalation, now=datetime.now(UTC), zone=zone, draw_button=draw_button)

    open_ones = [escalation for escalation in escalations if escalation.status == "open"]
    settled = [escalation for escalation in escalations if escalation.status != "open"]
    if open_ones:
        st.subheader("Waiting for your decision", anchor=False)
        for escalation in open_ones:
            draw_escalation(escalation)
    if settled:
        with st.expander(format_count(len(settled), "settled decision")):
            for escalation in settled:
                draw_escalation(escalation)


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
        label = escape_markdown(f"Counter with {format_money(amount, currency)}") if amount else "Counter"

    def make(envelope: Envelope) -> ExternalUpdate:
        return external_updates.decision(
            envelope, escalation.id, option.decision, amount if option.decision == "counter" else None
        )

    write_button(
        deployment,
        label,
        name=name,
        what="The decision",
        write=write_update(negotiation_id, make),
        type="primary" if is_recommended(escalation, option) else "secondary",
        disabled=can_change_amount and amount is None,
    )


def draw_go_ahead_button(deployment: Deployment, negotiation_id: str) -> None:
    """Draw the button by which the buyer lets the negotiation begin before the supplier has said anything."""
    if not queries.has_operation(deployment, REPORT_OPERATION):
        return

    def make(envelope: Envelope) -> ExternalUpdate:
        return external_updates.decision(envelope, None, "go_ahead")

    write_button(
        deployment,
        "Go ahead",
        name=f"go-ahead-{negotiation_id}",
        what="Going ahead",
        write=write_update(negotiation_id, make),
        icon=":material/play_arrow:",
    )
