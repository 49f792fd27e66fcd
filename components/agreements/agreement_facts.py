"""Agreements: what their states and fields are called, and what is on record."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import streamlit as st

from app.contract.agreements import (
    Agreement,
    AgreementDecision,
    AgreementOccurrence,
    MissingField,
    MovedDeadlines,
    NoticePeriod,
    find_last_day,
)
from app.contract.renewals import AgreementRenewal
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.page_header import Colour
from components.elements.record_table import ColouredWord, Column, draw_record_table
from components.formatting import (
    NO_VALUE,
    escape_markdown,
    format_count,
    format_date,
    format_known_money,
    format_local_time,
    format_months,
    format_units,
)
from components.scopes import describe_part


def draw_statement(one: Agreement, renewal: AgreementRenewal | None) -> None:
    """Draw what must be done, and how its day was computed. What the `renewal` that was begun says of itself
    takes the place of what must be done: as a warning where the deadline had passed."""
    text = one.action or one.statement
    if renewal is not None:
        by = f" Started on behalf of {renewal.started_by}." if renewal.started_by else ""
        text = renewal.statement + by
        if renewal.deadline_missed:
            panel, icon = st.warning, "event_busy"
        else:
            panel, icon = st.info, "autorenew"
    elif one.status == "deadline_missed":
        panel, icon = st.error, "event_busy"
    elif one.status in ("in_notice_window", "unknown"):
        panel, icon = st.warning, "event_upcoming"
    elif one.action:
        panel, icon = st.info, "event_note"
    else:
        panel, icon = st.success, "event_available"
    panel(escape_markdown(text), icon=f":material/{icon}:")
    if one.action or renewal is not None:
        put_off = f" Put off until {format_date(one.put_off_until)}." if one.put_off_until else ""
        st.caption(escape_markdown(one.statement + put_off))
    if renewal is not None and renewal.left_out:
        left_out = "\n".join(f"- {escape_markdown(line)}" for line in renewal.left_out)
        st.caption(f"Left out of the new quote:\n{left_out}")


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
    yearly, whole = (format_value(one, amount) for amount in (one.annualized_value, one.total_value))
    draw_metric_row(
        [
            Metric(
                "Last day to act",
                format_last_day(one),
                "The last working day on which something can still be done",
            ),
            Metric("Term ends", format_date(one.current_term_end), "The last day of the current term"),
            Metric(
                "Per year",
                yearly or NO_VALUE,
                "The average of the first term, before tax, without what is paid once",
            ),
            Metric("First term", whole or NO_VALUE, "The total before tax"),
        ]
    )


def draw_terms(one: Agreement) -> None:
    """Draw what was agreed, with the page of the document where each value was read."""
    months, days = one.auto_renewal_term_months, one.payment_terms_days
    facts = (
        ("First day", "termStart", format_date(one.term_start)),
        ("Last day of the first term", "termEnd", format_date(one.term_end)),
        ("At the end", "renewalType", RENEWAL_LABELS.get(one.renewal_type or "")),
        ("Renewal term", "autoRenewalTermMonths", None if months is None else format_months(months)),
        ("Notice period", "noticePeriod", format_notice(one.notice_period) if one.notice_period else None),
        ("Notice given on", "noticeGivenOn", format_date(one.notice_given_on)),
        ("Last possible day", "maxExtentDate", format_date(one.max_extent_date)),
        ("Total value", "totalValue", format_value(one, one.total_value)),
        ("Of it paid once", "oneTimeValue", format_value(one, one.one_time_value or None)),
        ("Payment within", "paymentTermsDays", days and format_count(days, "day")),
        ("Billing", "billingFrequency", BILLING_LABELS.get(one.billing_frequency or "")),
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
    if not one.lines:
        return
    draw_record_table(
        one.lines,
        {
            "Bought": Column(lambda line: line.description),
            "Part of the term": Column(
                lambda line: describe_part(line.first_month, line.months), optional=True
            ),
            "Quantity": Column(
                lambda line: None if line.quantity is None else format_units(line.quantity, line.unit),
                "right",
                optional=True,
            ),
            "Amount": Column(
                lambda line: format_known_money(line.amount, one.currency), "right", optional=True
            ),
        },
        alt="What was bought",
    )


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


def draw_decisions(decisions: Sequence[AgreementDecision]) -> None:
    """Draw what was decided, by whom, when and why."""
    for each in decisions:
        label = DECISION_LABELS.get(each.decision, each.decision)
        by = f" by {each.decided_by}" if each.decided_by else ""
        with st.container(gap=None):
            st.markdown(f"**{escape_markdown(label)}**")
            st.caption(escape_markdown(f"{format_local_time(each.decided_at)}{by}"))
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


STATUS_LABELS: dict[str, tuple[str, Colour]] = {
    "deadline_missed": ("deadline missed", "red"),
    "in_notice_window": ("decide soon", "orange"),
    "active": ("active", "green"),
    "upcoming": ("not begun", "blue"),
    "unknown": ("last day not known", "violet"),
    "expired": ("expired", "gray"),
    "ended": ("ended", "gray"),
}
"""Label and colour of each status, the most urgent first."""

STAGE_LABELS = {
    "not_started": "no decision yet",
    "in_progress": "being renegotiated",
    "will_renew": "will renew",
    "will_not_renew": "will not renew",
    "replaced": "replaced",
}
DECISION_LABELS = {
    "renew": "Let it renew",
    "end": "End it",
    "renegotiate": "Renegotiate",
    "replace": "Replace it",
    "put_off": "Put it off",
}
RENEWAL_LABELS = {
    "auto_renew": "Renews by itself unless notice is given",
    "none": "Ends by itself",
    "option": "Renews if we take the option",
    "evergreen": "Runs until notice is given",
}
BILLING_LABELS = {
    "monthly": "each month",
    "quarterly": "each quarter",
    "semiannual": "each half year",
    "annual": "each year",
    "upfront": "for the whole term, in advance",
    "once": "once",
}
UNIT_LABELS = {"month": "months", "day": "days", "business_day": "business days"}
FIELD_LABELS = {
    "supplierName": "Supplier",
    "owners": "Owner",
    "currency": "Currency",
    "totalValue": "Total value",
    "termStart": "First day",
    "termEnd": "Last day of the first term",
    "renewalType": "What happens at the end",
    "autoRenewalTermMonths": "Renewal term",
    "noticePeriod": "Notice period",
    "uplift": "Price rise",
    "paymentTermsDays": "Payment within",
    "billingFrequency": "Billing",
}
"""Fields by their names on the wire, as the form calls them."""


def label_status(status: str) -> tuple[str, Colour]:
    """Return label and colour of a status; an unknown one as it is."""
    return STATUS_LABELS.get(status, (status.replace("_", " "), "gray"))


def label_due(one: Agreement, today: date) -> tuple[str, Colour]:
    """Return how urgent an agreement is, and its colour: that of its status, or the days that are left."""
    last_day = find_last_day(one.status, one.act_by)
    if last_day is None or one.status == "deadline_missed":
        return label_status(one.status)
    left = (last_day - today).days
    words = {0: "today", 1: "tomorrow"}.get(left, f"in {left:,} days")
    return words, "red" if left <= _URGENT_DAYS else "orange" if left <= _SOON_DAYS else "gray"


_URGENT_DAYS, _SOON_DAYS = 7, 30


def label_stage(stage: str) -> str:
    return STAGE_LABELS.get(stage, stage.replace("_", " "))


def label_field(name: str) -> str:
    return FIELD_LABELS.get(name, name)


def format_notice(period: NoticePeriod) -> str:
    """Return `3 months` or `1 day`."""
    unit = UNIT_LABELS.get(period.unit, period.unit)
    return f"{period.value} {unit.removesuffix('s') if period.value == 1 else unit}"


def format_last_day(one: Agreement) -> str:
    """Return the last day on which somebody can act, a dash where it is not known."""
    return format_date(find_last_day(one.status, one.act_by))


def format_value(one: Agreement, amount: Decimal | None) -> str | None:
    """Return an amount of an agreement with its currency, where it is known."""
    return format_known_money(amount, one.currency)
