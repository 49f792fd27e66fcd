"""One negotiation: where it stands, what to decide, what happened, and telling it what happened outside."""

from datetime import UTC, datetime, tzinfo
from decimal import Decimal

import streamlit as st

from app.client import ActingClient, Unprocessable
from app.contract.negotiation import (
    AttachedFile,
    Escalation,
    EscalationOption,
    Figures,
    NegotiationSummary,
    Timeline,
)
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.failure_panel import failure_panel
from app.dashboard.negotiations.reporting import report_button, report_update
from app.dashboard.negotiations.strategy_editing import (
    REPORT_OPERATION,
    draw_numbers_editor,
    draw_offer_corrections,
    draw_sent_button,
    empty_saved_forms,
)
from app.dashboard.session_values import form_faults, is_form_saved, upload_count
from app.dashboard.signing_in import identity
from components.catalog.faq_list import draw_faq_list
from components.elements.empty_state import draw_empty_state
from components.elements.identifier import draw_identifier
from components.elements.page_header import Colour, draw_page_header
from components.formatting.counts import format_count
from components.formatting.datetimes import draw_timestamp, format_local_time, get_reader_zone
from components.formatting.escape_markdown import escape_markdown
from components.formatting.money import format_money
from components.negotiations import external_updates
from components.negotiations.escalation_card import draw_escalation_card, is_recommended
from components.negotiations.executive_summaries import draw_executive_summaries
from components.negotiations.external_updates import Envelope
from components.negotiations.negotiation_documents import draw_documents, draw_mails, draw_participants
from components.negotiations.negotiation_state import (
    FINAL_STATES,
    count_open_escalations,
    draw_figures,
    draw_negotiation_state,
    get_latest_figures,
)
from components.negotiations.offer_timeline import (
    draw_offer_timeline,
    list_points_of_entries,
    list_points_of_summaries,
    list_valid_offers,
)
from components.negotiations.strategy import draw_strategy
from components.negotiations.timeline_entries import draw_timeline_entries
from components.negotiations.update_form import clear_update_form, draw_update_form, read_update_form
from components.savings.savings_measures import draw_savings_measures

FOLLOW_SECONDS = 3.0
STORY, TELL, TIMELINE, STRATEGY, PAPERS, QUESTIONS = (
    "Summaries",
    "Tell what happened",
    "Timeline",
    "Strategy",
    "Files and people",
    "Questions",
)
FORM = "update"

deployment = identity.require_deployment()


def offers(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def currency_of(negotiation: NegotiationSummary, timeline: Timeline | None) -> str:
    """That of the timeline, else the one in which its scope is priced, else unknown."""
    if timeline and timeline.currency:
        return timeline.currency
    if negotiation.scope.id:
        try:
            return queries.load_basic_estimate(deployment, negotiation.scope.id).currency
        except Unprocessable:
            return ""
    return ""


def figures_of(negotiation: NegotiationSummary, timeline: Timeline | None) -> Figures:
    """Those of the summaries; the three numbers as they stand now where the timeline has them."""
    figures = get_latest_figures(negotiation.executive_summaries)
    if timeline is None:
        return figures
    standing = list_valid_offers(timeline.entries)
    figures = figures.model_copy(update={"quoted": standing[-1].amount if standing else None})
    now = timeline.strategy
    positions = {"opening": now.opening, "target": now.target, "walk_away": now.walk_away}
    known = {name: position.amount for name, position in positions.items() if position is not None}
    return figures.model_copy(update=known)


def follow(negotiation_id: str, seen: datetime | None) -> None:
    """Look again, and draw the whole page anew when something changed since `seen`."""
    with st.container(horizontal=True, vertical_alignment="center"):
        live = st.toggle("Follow live", value=True, key="live")
        said = "looked at" if live else "paused; looked at"
        st.caption(f"{said} {datetime.now(get_reader_zone()):%H:%M:%S}", width="content")
    if not live:
        return
    changed = False
    with failure_panel("Following the negotiation"):
        queries.load_negotiation.clear(deployment, negotiation_id)
        changed = queries.load_negotiation(deployment, negotiation_id).updated_at != seen
    if changed:
        for read in (queries.load_escalations, queries.load_timeline):
            read.clear()
        st.rerun()


# --- decisions ---


def decisions(negotiation: NegotiationSummary, currency: str, zone: tzinfo) -> None:
    if not negotiation.escalations:
        return
    escalations = queries.load_escalations(deployment, negotiation.id)
    open_ones = [escalation for escalation in escalations if escalation.status == "open"]
    settled = [escalation for escalation in escalations if escalation.status != "open"]
    if open_ones:
        st.subheader("For you to decide", anchor=False)
        for escalation in open_ones:
            draw_one(negotiation.id, escalation, currency, zone)
    if settled:
        with st.expander(f"{format_count(len(settled), 'settled matter')}"):
            for escalation in settled:
                draw_one(negotiation.id, escalation, currency, zone)


def draw_one(negotiation_id: str, escalation: Escalation, currency: str, zone: tzinfo) -> None:
    def button(option: EscalationOption, name: str) -> None:
        decide(negotiation_id, escalation, option, currency, name)

    draw_escalation_card(escalation, now=datetime.now(UTC), zone=zone, draw_button=button)


def decide(
    negotiation_id: str, escalation: Escalation, option: EscalationOption, currency: str, name: str
) -> None:
    """The button of an option; the amount of a counter may be changed before."""
    amount, label = option.amount, escape_markdown(option.label)
    changes_amount = option.decision == "counter" and option.amount is not None
    if changes_amount:
        typed = st.number_input(
            "Counter with",
            value=float(option.amount or 0),
            step=0.01,
            format="%g",
            key=f"{name}-amount",
            label_visibility="collapsed",
        )
        amount = Decimal(str(typed)) if typed > 0 else None
        label = escape_markdown(f"Counter with {format_money(amount, currency)}") if amount else "Counter"

    def make(envelope: Envelope) -> external_updates.ExternalUpdate:
        return external_updates.decision(
            envelope, escalation.id, option.decision, amount if option.decision == "counter" else None
        )

    if offers("POST /v1/negotiation/{}/external-update"):
        write_button(
            deployment,
            label,
            name=name,
            what="Deciding",
            write=report_update(negotiation_id, make),
            type="primary" if is_recommended(escalation, option) else "secondary",
            disabled=changes_amount and amount is None,
        )


def go_ahead(negotiation_id: str) -> None:
    """The buyer's word that the talks begin, whether or not the supplier has said anything."""
    if offers("POST /v1/negotiation/{}/external-update"):
        write_button(
            deployment,
            "Go ahead",
            name="go-ahead",
            what="Going ahead",
            write=report_update(
                negotiation_id, lambda made: external_updates.decision(made, None, "go_ahead")
            ),
            icon=":material/play_arrow:",
        )


# --- tabs ---


def tell_tab(negotiation: NegotiationSummary, timeline: Timeline | None, currency: str) -> None:
    if negotiation.status in FINAL_STATES:
        st.caption("This negotiation is over: its record takes nothing more.")
        return
    happened, attached = st.columns([3, 2], gap="large")
    with happened:
        st.markdown("**What the supplier said, or what was agreed**")
        tell_form(negotiation.id, currency)
        if timeline:
            draw_offer_corrections(deployment, negotiation.id, list_valid_offers(timeline.entries), currency)
    with attached:
        st.markdown("**A file, such as a new quote**")
        attach(negotiation.id)


@st.fragment
def tell_form(negotiation_id: str, currency: str) -> None:
    draw_update_form(currency, key=FORM, faults=form_faults(FORM).get())
    report_button(
        deployment,
        negotiation_id,
        "Put it on record",
        form=FORM,
        read=lambda: read_update_form(key=FORM),
        what="Telling the negotiation",
        saved="On record.",
        type="primary",
    )


def attach(negotiation_id: str) -> None:
    uploads = upload_count("negotiation-file")
    file = st.file_uploader("File", key=f"file-{uploads.get()}", max_upload_size=50)

    def send(client: ActingClient, idempotency_key: str) -> AttachedFile:
        assert file is not None
        return client.negotiations.attach_upload(
            negotiation_id,
            file.getvalue(),
            filename=file.name,
            mime_type=file.type,
            idempotency_key=idempotency_key,
        )

    def done(_: AttachedFile) -> None:
        uploads.set(uploads.get() + 1)
        st.toast("Attached. A quote in it becomes an offer once it is read.", icon=":material/attach_file:")

    write_button(
        deployment,
        "Attach it",
        name=f"attach-{file.file_id if file else ''}",
        what="Attaching the file",
        write=send,
        on_success=done,
        icon=":material/attach_file:",
        disabled=file is None,
    )


def questions_tab(company_id: str) -> None:
    with failure_panel("The questions about the supplier"):
        answers = queries.load_faqs(deployment, company_id)
        if answers.faqs:
            draw_faq_list(answers)
        else:
            draw_empty_state(
                "No questions yet", "Too few purchases are on record to answer any.", icon="help"
            )


def strategy_tab(negotiation: NegotiationSummary, timeline: Timeline, currency: str) -> None:
    draw_strategy(timeline.strategy, currency, quantity=timeline.quantity, months=timeline.term_months)
    if timeline.previous:
        paid = format_money(timeline.previous.amount, currency)
        st.markdown(
            f"**Previous price: {escape_markdown(paid)}.** {escape_markdown(timeline.previous.basis)}"
        )
    if negotiation.status not in FINAL_STATES and offers(REPORT_OPERATION):
        draw_numbers_editor(deployment, negotiation.id, timeline.strategy, currency)


def papers_tab(timeline: Timeline, zone: tzinfo) -> None:
    st.markdown("**Letters to the supplier**")
    draw_mails(
        timeline.mails,
        zone,
        draw_sent_button=lambda mail: draw_sent_button(deployment, timeline.negotiation_id, mail),
    )
    st.markdown("**Files**")
    draw_documents(timeline.documents, zone, key="documents")
    st.markdown("**People**")
    st.markdown(
        f"- For us: {escape_markdown(timeline.contact_name)}, {escape_markdown(timeline.contact_email)}"
    )
    draw_participants(timeline.participants)


def draw_tabs(
    negotiation: NegotiationSummary, timeline: Timeline | None, currency: str, zone: tzinfo
) -> None:
    tabs = [STORY]
    if offers("POST /v1/negotiation/{}/external-update"):
        tabs.append(TELL)
    if timeline:
        tabs += [TIMELINE, STRATEGY, PAPERS]
    if negotiation.supplier.company_id and offers("GET /v1/negotiation/faqs/{}"):
        tabs.append(QUESTIONS)
    for tab, name in zip(st.tabs(tabs, key="tab", bind="query-params"), tabs, strict=True):
        with tab:
            if not tab.open:
                continue
            if name == STORY:
                draw_executive_summaries(negotiation.executive_summaries, zone, key="summary")
            elif name == TELL:
                tell_tab(negotiation, timeline, currency)
            elif name == QUESTIONS:
                questions_tab(negotiation.supplier.company_id or "")
            elif timeline and name == TIMELINE:
                draw_timeline_entries(timeline.entries, currency, zone, timeline=timeline)
            elif timeline and name == STRATEGY:
                strategy_tab(negotiation, timeline, currency)
            elif timeline:
                papers_tab(timeline, zone)


def marks(negotiation: NegotiationSummary) -> list[tuple[str, Colour]]:
    open_ones = count_open_escalations(negotiation)
    return [(format_count(open_ones, "decision waits", "decisions wait"), "orange")] if open_ones else []


def draw(negotiation: NegotiationSummary) -> None:
    recently_opened.remember(deployment, "negotiation", negotiation.id)
    zone = get_reader_zone()
    timeline = None
    if offers("GET /v1/negotiation/{}/timeline"):
        with failure_panel("The timeline"):
            timeline = queries.load_timeline(deployment, negotiation.id)
    currency = currency_of(negotiation, timeline)
    supplier = negotiation.supplier.name or negotiation.supplier.domain or "Supplier not known yet"
    draw_page_header(supplier, badges=marks(negotiation))
    about(negotiation)
    draw_negotiation_state(negotiation.status)
    if negotiation.status == "pending":
        go_ahead(negotiation.id)
    draw_figures(
        figures_of(negotiation, timeline),
        currency,
        best_offer=timeline.best_offer if timeline else None,
        quantity=timeline.quantity if timeline else None,
        months=timeline.term_months if timeline else None,
    )
    if timeline:
        draw_savings_measures(timeline.measures, currency)
    with failure_panel("What there is to decide"):
        decisions(negotiation, currency, zone)
    entries = list_points_of_entries(timeline.entries) if timeline else []
    draw_offer_timeline(
        entries or list_points_of_summaries(negotiation.executive_summaries), currency, key="offers"
    )
    draw_tabs(negotiation, timeline, currency, zone)
    if negotiation.status not in FINAL_STATES:
        st.fragment(follow, run_every=FOLLOW_SECONDS)(negotiation.id, negotiation.updated_at)
    with st.container(horizontal=True, vertical_alignment="center", gap="large"):
        draw_identifier("Negotiation", negotiation.id)
        draw_timestamp("Started", negotiation.created_at)
        st.caption(f"Changed {format_local_time(negotiation.updated_at, zone)}", width="content")


def about(negotiation: NegotiationSummary) -> None:
    """What is bought, and the ways to the scope and the supplier."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if negotiation.scope.product_names:
            st.caption(escape_markdown(", ".join(negotiation.scope.product_names)), width="content")
        if negotiation.scope.id:
            navigation.draw_link("scope", "The scope", icon=":material/description:", id=negotiation.scope.id)
        if negotiation.supplier.company_id:
            navigation.draw_link(
                "company", "The supplier", icon=":material/apartment:", id=negotiation.supplier.company_id
            )


if is_form_saved(FORM).pop():
    clear_update_form(key=FORM)
empty_saved_forms()
asked = navigation.requested_id()
if asked is None:
    draw_page_header("Negotiation")
    if draw_empty_state(
        "Which negotiation?",
        "The address names none.",
        icon="forum",
        action="Open the negotiations",
        key="to-negotiations",
    ):
        navigation.open_page("negotiations")
else:
    with failure_panel("This negotiation"):
        draw(queries.load_negotiation(deployment, asked))
