"""The state of a negotiation: figures, strategy, decisions that wait, summaries and documents."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import (
    Escalation,
    EscalationOption,
    ExecutiveSummary,
    Figures,
    NegotiationDocument,
    NegotiationMail,
    Timeline,
    TimelineEntry,
)
from app.contract.strategy import Lever, Position, StrategyShown
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    draw_time,
    escape_markdown,
    format_count,
    format_deadline,
    format_local_time,
    format_percent,
    format_total_per_unit,
)

DrawButton = Callable[[EscalationOption, str], None]
"""Draws the button that takes an option, with the given key."""

_REASON_LABELS = {
    "quote_above_walk_away": "above the walk-away",
    "quote_above_target": "above the target",
    "quote_within_target": "within the target",
    "evidence_thin": "little evidence",
    "scope_mismatch": "differs from what is asked",
    "supplier_silent": "no reply",
    "quote_expiring": "quote expires",
    "no_estimate": "no estimate",
    "scope_needed": "request needed",
    "contract_clause": "contract clause",
}


def draw_escalation_card(escalation: Escalation, *, now: datetime, draw_button: DrawButton) -> None:
    """Draw an open escalation with its options, whose buttons the caller draws, or a closed one with its
    outcome."""
    with st.container(border=True, key=f"escalation-{escalation.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(escalation.title)}**", width="content")
            st.badge(
                _REASON_LABELS.get(escalation.reason, escalation.reason.replace("_", " ")), color="orange"
            )
            if escalation.due_at and escalation.status == "open":
                draw_time(format_deadline(escalation.due_at, now), escalation.due_at)
        if escalation.description:
            st.markdown(escape_markdown(escalation.description))
        if escalation.status != "open":
            when = format_local_time(escalation.resolved_at or escalation.updated_at)
            if escalation.status == "expired":
                st.caption(f"No longer needed since {when}.")
            else:
                what = (escalation.resolution or "decided").replace("_", " ")
                st.caption(f"Decided: {escape_markdown(what)}, {when}.")
            return
        grid = st.grid(max(1, len(escalation.options)), min_column_width=190)
        for option in escalation.options:
            with grid.cell():
                draw_button(option, f"decide-{escalation.id}-{option.decision}")
                recommended = "**Recommended.** " if is_recommended(escalation, option) else ""
                st.caption(f"{recommended}{escape_markdown(option.consequence)}")


def is_recommended(escalation: Escalation, option: EscalationOption) -> bool:
    """Return whether the service recommends this option."""
    return escalation.recommended == option.decision


_SHOWN = 3


def draw_executive_summaries(summaries: Sequence[ExecutiveSummary], *, key: str) -> None:
    """Draw the newest three summaries, with the older ones folded away."""
    if not summaries:
        st.caption("No summaries yet.")
        return
    for at, summary in enumerate(summaries[:_SHOWN]):
        _draw_summary(summary, f"{key}-{at}")
    if len(summaries) > _SHOWN:
        with st.expander(format_count(len(summaries) - _SHOWN, "earlier summary", "earlier summaries")):
            for at, summary in enumerate(summaries[_SHOWN:], _SHOWN):
                _draw_summary(summary, f"{key}-{at}")


def format_for_mail(summary: ExecutiveSummary) -> str:
    """Return the summary as plain text: subject, date, body."""
    return f"{summary.title}\n{format_local_time(summary.created_at)}\n\n{summary.text.strip()}\n"


def _draw_summary(summary: ExecutiveSummary, key: str) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(summary.title)}**", width="content")
            draw_time(format_local_time(summary.created_at), summary.created_at)
            with st.popover("Copy for an email", icon=":material/mail:", type="tertiary", key=key):
                st.code(format_for_mail(summary), language=None, wrap_lines=True)
        for paragraph in summary.text.split("\n"):
            if paragraph.strip():
                st.markdown(escape_markdown(paragraph))


_READING_STATES = {"pending": "is being read", "completed": "read", "failed": "no quote read"}
_MAIL_STYLES = {
    "draft": (":material/draft: ready to send", "orange"),
    "queued": (":material/outbox: waiting for the mail server", "blue"),
    "sent": (":material/mark_email_read: sent", "green"),
    "failed": (":material/error: could not be sent", "red"),
}


def draw_documents(documents: Sequence[NegotiationDocument]) -> None:
    """Draw the files with the progress of reading each."""
    if not documents:
        st.caption("No files yet.")
        return
    draw_record_table(
        documents,
        {
            "File": Column(lambda one: one.filename),
            "State": Column(lambda one: _READING_STATES.get(one.status, one.status)),
            "Added": Column(lambda one: format_local_time(one.created_at)),
        },
        alt="Files of the negotiation",
    )


def is_unsent(mail: NegotiationMail) -> bool:
    """Return whether somebody is to copy the letter and send it."""
    return mail.status in {"draft", "failed"}


def draw_mails(
    mails: Sequence[NegotiationMail], *, draw_sent_button: Callable[[NegotiationMail], object] | None = None
) -> None:
    """Draw the letters to the supplier, newest first. One that is unsent is open, to be copied;
    `draw_sent_button` draws the button to confirm that it was sent."""
    for mail in reversed(mails):
        word, colour = _MAIL_STYLES.get(mail.status, (mail.status, "gray"))
        with st.expander(f"{escape_markdown(mail.subject)} :{colour}[{word}]", expanded=is_unsent(mail)):
            to = f"To {escape_markdown(mail.recipient)}, " if mail.recipient else ""
            st.caption(f"{to}{format_local_time(mail.sent_at or mail.created_at)}")
            if mail.error:
                st.error(escape_markdown(mail.error), icon=":material/error:")
            st.code(f"{mail.subject}\n\n{mail.body}", language=None, wrap_lines=True)
            if draw_sent_button is not None:
                draw_sent_button(mail)


STATES = ("planning", "pending", "active", "complete")
STATE_STYLES: dict[str, tuple[str, str, str]] = {
    "planning": ("planning", "edit_note", "blue"),
    "pending": ("ready to open", "hourglass_top", "orange"),
    "active": ("under way", "forum", "violet"),
    "complete": ("agreed", "task_alt", "green"),
    "cancelled": ("cancelled", "block", "gray"),
}
"""Label, icon and colour of each state."""

_STATE_MEANINGS = {
    "planning": "The strategy is being prepared.",
    "pending": "The strategy is ready. Talks start with the supplier's next message or quote, or at your"
    " go-ahead.",
    "active": "Talks go on until a price is agreed, or somebody walks away.",
    "complete": "Agreed; the savings are final.",
    "cancelled": "Ended without an agreed price.",
}


def format_state(status: str) -> str:
    """Return the label of a state; an unknown state as it is."""
    return STATE_STYLES.get(status, (status.replace("_", " "), "", ""))[0]


def describe_state(status: str, open_decisions: int) -> str:
    """Return the state, its meaning and how many decisions wait, as sentences."""
    waiting = format_count(open_decisions, "decision waits", "decisions wait") if open_decisions else ""
    label = format_state(status)
    return " ".join(
        filter(
            None, (f"{label[:1].upper()}{label[1:]}.", _STATE_MEANINGS.get(status), waiting and f"{waiting}.")
        )
    )


def find_cancelled_state(entries: Sequence[TimelineEntry]) -> str | None:
    """Return the state in which a negotiation was cancelled, None where its timeline does not say it."""
    moves = (str(entry.text).partition(":")[0].split(" → ") for entry in entries if entry.kind == "state")
    return next((move[0] for move in moves if move[0] in STATES and move[1:] == ["cancelled"]), None)


def draw_negotiation_state(status: str, *, cancelled_state: str | None = None) -> None:
    """Draw all states with the present one marked, and its meaning; of a cancelled negotiation the states
    that it went through, up to `cancelled_state`, as far as that is known."""
    states = STATES
    if status == "cancelled":
        states = (*STATES[: STATES.index(cancelled_state) + 1 if cancelled_state else 0], status)
    reached = states.index(status) if status in states else -1
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for at, state in enumerate(states):
            word, icon, colour = STATE_STYLES[state]
            if at == reached:
                st.badge(word, icon=f":material/{icon}:", color=colour)  # pyright: ignore[reportArgumentType]
            else:
                mark = "check" if at < reached else "radio_button_unchecked"
                st.markdown(f":gray[:material/{mark}: {word}]", width="content")
            if at < len(states) - 1:
                st.markdown(":gray[:material/chevron_right:]", width="content")
    if status in _STATE_MEANINGS:
        st.caption(_STATE_MEANINGS[status])


def draw_figures(
    figures: Figures, currency: str, timeline: Timeline | None = None, newest: TimelineEntry | None = None
) -> None:
    """Draw the figures that are known: quote, best offer, the three numbers, what was agreed and saved. With
    the quantity and the term of a timeline, also each price per unit and month: of the `newest` offer for
    those that it states, and of what was agreed where that is for the same."""
    best_offer = timeline.best_offer if timeline else None
    figures_shown = [
        ("Quoted", figures.quoted, "The supplier's latest offer"),
        ("Best offer", best_offer, "The lowest offer for what is asked that is still valid"),
        ("Opening", figures.opening, "What to ask for first"),
        ("Target", figures.target, "What to aim at"),
        ("Walk-away", figures.walk_away, "Above this it is better to walk away"),
        ("Agreed", figures.agreed, "The final price"),
        ("Saved", figures.savings, "Against the first offer, or the median where there was none"),
    ]

    def describe_share(name: str, amount: Decimal) -> str:
        if name == "Saved":
            return "" if figures.savings_rate is None else format_percent(figures.savings_rate)
        if name == "Quoted" and newest is not None:
            return format_entry_unit_price(newest, currency, timeline)
        if name == "Agreed" and timeline is not None and timeline.unmeasured:
            return ""
        return describe_per_unit(amount, currency, timeline)

    known = [
        Metric(
            name,
            format_money(amount, currency),
            f"{explanation}. Before tax, for the whole term.",
            describe_share(name, amount),
        )
        for name, amount, explanation in figures_shown
        if amount is not None
    ]
    if known:
        draw_metric_row(known)
    else:
        st.caption("No figures yet.")


ORIGIN_STYLES = {
    "estimate": ("from the estimate", "blue"),
    "quote": ("from the quote", "orange"),
    "typed": ("entered by you", "violet"),
}


def describe_per_unit(amount: Decimal, currency: str, timeline: Timeline | None) -> str:
    """Return the price of a unit and month by the quantity and term of a timeline; "" without a quantity."""
    if timeline is None or not timeline.quantity:
        return ""
    return format_total_per_unit(amount, timeline.quantity, timeline.term_months, None, currency)


def format_entry_unit_price(entry: TimelineEntry, currency: str, timeline: Timeline | None) -> str:
    """Return an offered or agreed price per unit and month, for its own term and quantity where it
    states them; "" where they are not known."""
    if entry.kind not in {"quote", "agreement"} or entry.amount is None or timeline is None:
        return ""
    if entry.kind == "agreement" and timeline.unmeasured:  # it is for something else
        return ""
    payload = entry.payload or {}
    months: int | None = payload.get("termLength") or timeline.term_months
    lines: list[dict[str, Any]] = payload.get("lines") or []
    stated: list[float | None] = [line.get("quantity") for line in lines]
    quantity = Decimal(str(stated[0])) if len(stated) == 1 and stated[0] else timeline.quantity
    if not quantity or not months or len(stated) > 1:
        return ""
    return format_total_per_unit(entry.amount, quantity, months, None, entry.currency or currency)


def draw_strategy(strategy: StrategyShown, currency: str, timeline: Timeline | None = None) -> None:
    """Draw each number with its origin, reason and number of purchases, or why there is none. With the
    quantity and the term of a timeline, also each price per unit and month."""
    positions = [
        ("Opening", strategy.opening),
        ("Target", strategy.target),
        ("Walk-away", strategy.walk_away),
    ]
    known = [(name, position) for name, position in positions if position is not None]
    if strategy.unavailable:
        st.info(escape_markdown(strategy.unavailable), icon=":material/help:")
    if strategy.coverage:
        st.info(escape_markdown(strategy.coverage), icon=":material/pie_chart:")
    if known:
        for column, (name, position) in zip(st.columns(len(known), border=True), known, strict=True):
            with column:
                _draw_position(name, position, currency)
                if per := describe_per_unit(position.amount, currency, timeline):
                    st.caption(escape_markdown(per))
        st.caption("Offers do not change these numbers; only you or new evidence can.")
    if strategy.levers:
        levers = "\n".join(f"- {describe_lever(lever, currency)}" for lever in strategy.levers)
        st.markdown(f"**Levers**\n{levers}")


def _draw_position(name: str, position: Position, currency: str) -> None:
    st.metric(name, format_money(position.amount, currency))
    word, colour = ORIGIN_STYLES.get(position.origin, (position.origin, "gray"))
    st.markdown(f":{colour}-badge[{escape_markdown(word)}]")
    evidence = "" if position.origin == "typed" else f" ({format_count(position.purchases, 'purchase')})"
    st.caption(f"{escape_markdown(position.reason)}{evidence}")


def describe_lever(lever: Lever, currency: str) -> str:
    """Return what a lever says, what it is worth, and where it is known from."""
    mark = " :green-badge[applies now]" if lever.tightens else ""
    basis = escape_markdown(lever.basis or "")
    worth = f" {basis}" if basis else ""
    if lever.worth is not None:
        amount = escape_markdown(format_money(lever.worth, currency))
        worth = f" Worth **{amount}**: {basis}" if basis else f" Worth **{amount}**."
    shown = format_count(lever.purchases, "purchase") if lever.purchases else _READ_IN.get(lever.kind)
    evidence = f" :gray[({shown})]" if shown else ""
    return f"{escape_markdown(lever.statement)}{worth}{evidence}{mark}"


_READ_IN: Mapping[str, str] = dict.fromkeys(("uplift", "uplift_cap", "auto_renewal"), "read in the document")
"""Where a lever comes from that no purchase shows, by its kind."""


NUMBER_LABELS = {"opening": "Opening", "target": "Target", "walk_away": "Walk-away"}
