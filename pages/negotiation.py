"""One negotiation: its state and figures, the decisions, its history, and the way to report an event."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from functools import partial

import streamlit as st

from app.contract.dates import format_day
from app.contract.money import format_exact_money, format_money
from app.contract.negotiation import FINAL_STATUSES, NegotiationSummary, Timeline
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.comments import COMMENTS, HISTORY, draw_owners, list_comment_tabs
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import list_offered
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.negotiations.board import combine_figures, count_open_escalations, find_currency
from app.dashboard.negotiations.decisions import draw_decisions, draw_go_ahead_button
from app.dashboard.negotiations.update_reports import (
    REPORT_OPERATION,
    draw_numbers_editor,
    draw_sent_button,
    draw_update_reports,
    list_points_of_entries,
    list_points_of_summaries,
    list_valid_offers,
)
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from components.catalog import draw_faq_list
from components.elements.page_header import draw_heading, draw_page_header
from components.elements.tabs import draw_folds, draw_tabs
from components.formatting import (
    draw_timestamp,
    escape_markdown,
    format_count,
    format_months,
    get_reader_zone,
)
from components.negotiations.board import name_supplier
from components.negotiations.negotiation_state import (
    draw_documents,
    draw_executive_summaries,
    draw_figures,
    draw_mails,
    draw_negotiation_state,
    draw_strategy,
    find_cancelled_state,
    is_unsent,
)
from components.negotiations.timeline import (
    draw_offer_timeline,
    draw_timeline_entries,
    find_unanswered_counter,
)
from components.savings import draw_savings_measures

FOLLOW_SECONDS = 3.0

deployment = identity.require_deployment()


def follow(negotiation_id: str, known_update: datetime | None) -> None:
    """Load the negotiation again, and draw the whole page anew if it was updated since `known_update`."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_live = st.toggle("Follow live", value=True, key="live")
        state = "Last checked" if is_live else "Paused, last checked"
        st.caption(f"{state} {datetime.now(get_reader_zone()):%H:%M:%S}", width="content")
    if not is_live:
        return
    with failure_panel("Following the negotiation"):
        queries.load_negotiation.clear(deployment, negotiation_id)
        if queries.load_negotiation(deployment, negotiation_id).updated_at != known_update:
            for load in (queries.load_escalations, queries.load_timeline):
                load.clear()
            st.rerun()


def draw_links(negotiation: NegotiationSummary, timeline: Timeline | None) -> None:
    """Draw what is bought for how long, the links to quote and supplier, who looks after it, and what is
    renewed by when."""
    with st.container(horizontal=True, vertical_alignment="center"):
        months = timeline.term_months if timeline is not None else None
        bought = [*(negotiation.scope.product_names or []), *([format_months(months)] if months else [])]
        if bought:
            st.caption(escape_markdown(", ".join(bought)), width="content")
        if scope_id := negotiation.scope.id:
            navigation.draw_link("scope", "Open the quote", icon="description", id=scope_id)
        if company_id := negotiation.supplier.company_id:
            navigation.draw_link("company", "Open the supplier", icon="apartment", id=company_id)
        if timeline is not None and timeline.renews_agreement_id is not None:
            renewed = timeline.renews_agreement_id
            navigation.draw_link("agreement", "Open the contract", icon="contract", id=renewed)
            if timeline.act_by is not None and timeline.status != "complete":
                st.caption(f"Its renewal must be decided by {format_day(timeline.act_by)}.", width="content")
        if timeline is not None:
            draw_owners(deployment, "negotiation", negotiation.id, timeline.owners)


def draw_header(negotiation: NegotiationSummary, timeline: Timeline | None, currency: str) -> None:
    open_decisions = count_open_escalations(negotiation)
    draw_page_header(
        name_supplier(negotiation.supplier),
        badges=[(format_count(open_decisions, "open decision"), "orange")] if open_decisions else [],
    )
    draw_sample_notice(deployment, [negotiation.id])
    draw_links(negotiation, timeline)
    cancelled_state = find_cancelled_state(timeline.entries) if timeline else None
    draw_negotiation_state(negotiation.status, cancelled_state=cancelled_state)
    asked = find_unanswered_counter(timeline.entries) if timeline else None
    if asked is not None and negotiation.status not in FINAL_STATUSES:
        amount = escape_markdown(format_exact_money(asked.amount or Decimal(0), asked.currency or currency))
        st.markdown(f"You asked for **{amount}**: the supplier's answer is next.")
    elif negotiation.status == "pending":
        draw_go_ahead_button(deployment, negotiation.id)
    elif timeline is not None and timeline.agreement_id is not None:
        navigation.draw_link("agreement", "Open its contract", icon="contract", id=timeline.agreement_id)
    offers = list_valid_offers(timeline.entries) if timeline else []
    newest = offers[-1] if offers else None
    draw_figures(combine_figures(negotiation, timeline), currency, timeline, newest)
    if timeline:
        draw_savings_measures(timeline.measures, currency)
        if timeline.unmeasured:
            st.caption(escape_markdown(timeline.unmeasured))


def draw_updates_tab(
    negotiation: NegotiationSummary,
    timeline: Timeline | None,
    currency: str,
    comments: Callable[[], object] | None,
) -> None:
    """Draw the forms that report what happened, what has happened, and what people said of it."""
    if queries.has_operation(deployment, REPORT_OPERATION):
        draw_update_reports(deployment, negotiation, timeline, currency)
    if timeline:
        st.markdown("**What happened**")
        draw_timeline_entries(timeline.entries, currency, timeline=timeline)
    else:
        draw_executive_summaries(negotiation.executive_summaries, key="summary")
    if comments is not None:
        draw_folds({COMMENTS: comments}, key="updates")


def draw_background_tab(
    negotiation: NegotiationSummary, timeline: Timeline, currency: str, history: Callable[[], object] | None
) -> None:
    """Draw what the three numbers rest on, and behind a click what else is known."""
    draw_strategy(timeline.strategy, currency, timeline)
    if timeline.previous:
        price = escape_markdown(format_money(timeline.previous.amount, currency))
        st.markdown(f"**Previous price: {price}.** {escape_markdown(timeline.previous.basis)}")
    if negotiation.status not in FINAL_STATUSES and queries.has_operation(deployment, REPORT_OPERATION):
        draw_numbers_editor(deployment, negotiation.id, timeline.strategy, currency)
    summaries = negotiation.executive_summaries
    folds: dict[str, Callable[[], object]] = {
        "Summaries to send on": partial(draw_executive_summaries, summaries, key="summary"),
        "Letters, files and people": partial(draw_files_and_people, timeline),
    }
    company_id = negotiation.supplier.company_id
    if company_id and queries.has_operation(deployment, "GET /v1/negotiation/faqs/{}"):
        folds["Questions about the supplier"] = partial(draw_questions, company_id)
    if history is not None:
        folds[HISTORY] = history
    draw_folds(folds, key="background")


def draw_files_and_people(timeline: Timeline) -> None:
    st.markdown("**Letters**")
    if sent := [mail for mail in timeline.mails if not is_unsent(mail)]:
        draw_mails(sent)
    else:
        st.caption("No letters were sent yet.")
    st.markdown("**Files**")
    draw_documents(timeline.documents)
    st.markdown("**People**")
    name, email = escape_markdown(timeline.contact_name), escape_markdown(timeline.contact_email)
    st.markdown(f"- Our contact: {name}, {email}")
    for person in timeline.participants:
        role = f", {escape_markdown(person.role)}" if person.role else ""
        st.markdown(f"- {escape_markdown(person.name)}{role}: {escape_markdown(person.email)}")


def draw_questions(company_id: str) -> None:
    with failure_panel("The questions about the supplier"):
        draw_faq_list(queries.load_faqs(deployment, company_id))


def draw_negotiation(negotiation: NegotiationSummary) -> None:
    recently_opened.remember(deployment, "negotiation", negotiation.id)
    timeline = None
    if queries.has_operation(deployment, "GET /v1/negotiation/{}/timeline"):
        with failure_panel("The timeline"):
            timeline = queries.load_timeline(deployment, negotiation.id)
    currency = find_currency(deployment, negotiation, timeline)
    draw_header(negotiation, timeline, currency)
    with failure_panel("The list of decisions"):
        if negotiation.escalations:
            entries = timeline.entries if timeline else ()
            is_over = negotiation.status in FINAL_STATUSES
            draw_decisions(deployment, negotiation.id, currency, entries, is_over=is_over)
    if timeline and (unsent := [mail for mail in timeline.mails if is_unsent(mail)]):
        draw_heading("Ready to send")
        draw_mails(unsent, draw_sent_button=partial(draw_sent_button, deployment, negotiation.id))
    points = list_points_of_entries(timeline.entries) if timeline else []
    draw_offer_timeline(
        points or list_points_of_summaries(negotiation.executive_summaries), currency, key="offers"
    )
    spoken = list_offered(deployment, list_comment_tabs(deployment, "negotiation", negotiation.id))
    tabs: dict[str, Callable[[], None]] = {
        "Updates": partial(draw_updates_tab, negotiation, timeline, currency, spoken.get(COMMENTS))
    }
    if timeline:
        tabs["Background"] = partial(
            draw_background_tab, negotiation, timeline, currency, spoken.get(HISTORY)
        )
    draw_tabs(tabs, key="negotiation-tab")
    if negotiation.status not in FINAL_STATUSES:
        st.fragment(follow, run_every=FOLLOW_SECONDS)(negotiation.id, negotiation.updated_at)


draw_record_page(
    "negotiation",
    icon="forum",
    list_page="negotiations",
    load=partial(queries.load_negotiation, deployment),
    draw=draw_negotiation,
    moment=lambda negotiation: ("Started", negotiation.created_at),
    draw_last=lambda negotiation: draw_timestamp("Updated", negotiation.updated_at),
)
