"""What is on record of agreements: facts, lines, dates, and what is not known."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.agreements import Agreement, AgreementDecision, AgreementOccurrence, MovedDeadlines
from app.contract.missing_details import MissingField
from app.contract.money import format_money, format_quantity
from app.contract.renewals import AgreementRenewal
from components.agreements.agreement_words import (
    DECISION_LABELS,
    RENEWAL_LABELS,
    format_last_day,
    format_notice,
    format_value,
    label_field,
    label_stage,
    label_status,
)
from components.elements.record_table import (
    ColouredWord,
    Column,
    draw_record_table,
)
from components.formatting.counts import NO_VALUE, format_count, format_date
from components.formatting.datetimes import format_local_time
from components.formatting.texts import escape_markdown
from components.scopes.scope_card import describe_part


def draw_statement(one: Agreement) -> None:
    """Draw what must be done, and how its day was computed."""
    text = escape_markdown(one.action or one.statement)
    if one.status == "deadline_missed":
        st.error(text, icon=":material/event_busy:")
    elif one.status in ("in_notice_window", "unknown"):
        st.warning(text, icon=":material/event_upcoming:")
    elif one.action:
        st.info(text, icon=":material/event_note:")
    else:
        st.success(text, icon=":material/event_available:")
    if one.action:
        put_off = f" Put off until {format_date(one.put_off_until)}." if one.put_off_until else ""
        st.caption(escape_markdown(one.statement + put_off))


def draw_missing(one: Agreement) -> None:
    """Draw what is not known, which is never guessed."""
    if one.missing:
        names = ", ".join(label_field(name).lower() for name in one.missing)
        st.caption(f":material/help: Not known: {escape_markdown(names)}. Add what you know under Change.")
    for name in one.missing:
        seen = one.evidence.get(name)
        if seen is not None and seen.text:
            page = f", page {seen.page}" if seen.page else ""
            doubt = escape_markdown(f"{label_field(name)}: {seen.text} (in the document{page})")
            st.caption(f":material/warning: {doubt}")


def draw_key_figures(one: Agreement) -> None:
    """Draw the dates and the value of an agreement."""
    figures = (
        (
            "Last day to act",
            format_last_day(one),
            "The last working day on which something can still be done",
        ),
        ("Term ends", format_date(one.current_term_end), "The last day of the current term"),
        (
            "Per year",
            format_value(one, one.annualized_value) or NO_VALUE,
            "The average of the first term, before tax, without what is paid once",
        ),
        ("First term", format_value(one, one.total_value) or NO_VALUE, "The total before tax"),
    )
    with st.container(horizontal=True):
        for name, value, explanation in figures:
            st.metric(name, value, help=explanation, width="content")


def draw_terms(one: Agreement) -> None:
    """Draw what was agreed, with the page of the document where each value was read."""
    months, days = one.auto_renewal_term_months, one.payment_terms_days
    facts = (
        ("First day", "termStart", format_date(one.term_start)),
        ("Last day of the first term", "termEnd", format_date(one.term_end)),
        ("At the end", "renewalType", RENEWAL_LABELS.get(one.renewal_type or "")),
        ("Renewal term", "autoRenewalTermMonths", None if months is None else f"{months}"),
        ("Notice period", "noticePeriod", format_notice(one.notice_period) if one.notice_period else None),
        ("Notice given on", "noticeGivenOn", format_date(one.notice_given_on)),
        ("Last possible day", "maxExtentDate", format_date(one.max_extent_date)),
        ("Total value", "totalValue", format_value(one, one.total_value)),
        ("Of it paid once", "oneTimeValue", format_value(one, one.one_time_value)),
        ("Payment within days", "paymentTermsDays", days and f"{days}"),
        ("Billing", "billingFrequency", one.billing_frequency),
        ("Cost centre", "costCenter", one.cost_center),
        ("Owner", "owners", ", ".join(owner.name for owner in one.owners or ()) or None),
    )
    known = [fact for fact in facts if fact[2] and fact[2] != NO_VALUE]
    if known:
        draw_record_table(
            known,
            {
                "Term": Column(lambda fact: fact[0]),
                "Agreed": Column(lambda fact: fact[2]),
                "Read on": Column(lambda fact: _describe_place(one, fact[1]), optional=True),
            },
            alt="What was agreed",
        )


def draw_lines(one: Agreement) -> None:
    """Draw what was bought: for which part of the term, how many, and what that costs."""
    for line in one.lines or ():
        counted = (
            None if line.quantity is None else f"{format_quantity(line.quantity)} {line.unit or ''}".strip()
        )
        amount = None if line.amount is None else format_money(line.amount, one.currency or "")
        part = describe_part(line.first_month, line.months)
        facts = ", ".join(fact for fact in (part, counted, amount) if fact)
        st.markdown(f"- {escape_markdown(line.description)}{facts and f': {escape_markdown(facts)}'}")


def _describe_place(one: Agreement, field: str) -> str | None:
    seen = one.evidence.get(field)
    if seen is None:
        return None
    return "the document" if seen.page is None else f"page {seen.page}"


def draw_occurrences(occurrences: Sequence[AgreementOccurrence]) -> None:
    """Draw the terms of an agreement with the deadline of each."""
    draw_record_table(
        occurrences,
        {
            "From": Column(lambda each: format_date(each.start)),
            "To": Column(lambda each: format_date(each.end)),
            "Last day for notice": Column(lambda each: format_date(each.notice_deadline)),
        },
        alt="Terms of the contract",
    )


def draw_decisions(decisions: Sequence[AgreementDecision], zone: tzinfo) -> None:
    """Draw what was decided, by whom, when and why."""
    for each in decisions:
        label = DECISION_LABELS.get(each.decision, each.decision)
        by = f" by {each.decided_by}" if each.decided_by else ""
        with st.container(gap=None):
            st.markdown(f"**{escape_markdown(label)}**")
            st.caption(escape_markdown(f"{format_local_time(each.decided_at, zone)}{by}"))
            if each.note:
                st.markdown(escape_markdown(each.note))


def draw_agreement_table(agreements: Sequence[Agreement]) -> None:
    """Draw the agreements in their order."""
    draw_record_table(
        agreements,
        {
            "Contract": Column(lambda one: one.name),
            "Supplier": Column(lambda one: one.supplier_name),
            "Last day to act": Column(format_last_day, "right"),
            "Term ends": Column(lambda one: format_date(one.current_term_end), "right"),
            "Status": Column(lambda one: ColouredWord(*label_status(one.status))),
            "Decision": Column(_describe_decision),
            "Per year": Column(lambda one: format_value(one, one.annualized_value), "right"),
            "Missing": Column(lambda one: len(one.missing) or None, "right", optional=True),
        },
        link=lambda one: ("contract", {"id": one.id}),
        alt=f"{format_count(len(agreements), 'agreement')}, by the day by which to act",
    )


def _describe_decision(one: Agreement) -> str:
    if one.put_off_until and one.action:
        return f"put off to {format_date(one.put_off_until)}"
    return label_stage(one.stage)


def draw_renewal_state(renewal: AgreementRenewal) -> None:
    """Draw what the renewal says of itself; as a warning where the deadline had passed."""
    by = f" Started on behalf of {renewal.started_by}." if renewal.started_by else ""
    text = escape_markdown(renewal.statement + by)
    if renewal.deadline_missed:
        st.warning(text, icon=":material/event_busy:")
    else:
        st.info(text, icon=":material/autorenew:")
    if renewal.left_out:
        left_out = "\n".join(f"- {escape_markdown(line)}" for line in renewal.left_out)
        st.caption(f"Left out of the new quote:\n{left_out}")


def draw_missing_counts(fields: Sequence[MissingField], without_deadline: int) -> None:
    """Draw how many deadlines cannot be computed, and because of what."""
    if not without_deadline:
        st.caption("Every deadline can be computed; what is missing here is for reminders and comparisons.")
        return
    causes = ", ".join(
        f"{label_field(one.field).lower()} ({one.deadlines:,})" for one in fields if one.deadlines
    )
    st.warning(
        f"**{format_count(without_deadline, 'deadline')} cannot be computed.** Not known: {causes}.",
        icon=":material/event_busy:",
    )


def draw_moved_deadlines(moved: MovedDeadlines) -> None:
    """Draw which deadlines would move, each a link to its agreement."""
    if not moved.total:
        st.caption("No deadline moves.")
        return
    st.markdown(f"**{format_count(moved.total, 'deadline')} would move**")
    draw_record_table(
        moved.data,
        {
            "Contract": Column(lambda one: one.name),
            "Deadline now": Column(lambda one: format_date(one.current_deadline), "right"),
            "Deadline then": Column(lambda one: format_date(one.moved_deadline), "right"),
        },
        link=lambda one: ("contract", {"id": one.agreement_id}),
        alt=f"{format_count(len(moved.data), 'deadline')} that would move",
    )
    if moved.total > len(moved.data):
        st.caption(f"The first {len(moved.data)} of {moved.total:,}.")
