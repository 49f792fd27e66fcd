"""One agreement: by when to act and why, what was agreed and where it was read, and the decision."""

from functools import partial

import streamlit as st

from app.contract.agreements import Agreement
from app.dashboard import navigation
from app.dashboard.agreements.agreement_forms import (
    draw_agreement_deletion,
    draw_decision,
    draw_line_changes,
    draw_renewal,
    make_change_form,
)
from app.dashboard.agreements.portfolio import HISTORY_OPERATION, draw_price_history_tab
from app.dashboard.api import queries
from app.dashboard.comments import list_comment_tabs
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from components.agreements.agreement_facts import (
    draw_decisions,
    draw_key_figures,
    draw_lines,
    draw_missing,
    draw_occurrences,
    draw_statement,
    draw_terms,
    label_stage,
    label_status,
)
from components.elements.page_header import Colour, draw_heading, draw_page_header

MOST_TERMS = 4

deployment = identity.require_deployment()


def draw_agreed(one: Agreement) -> None:
    draw_key_figures(one)
    draw_missing(one)
    draw_terms(one)
    draw_lines(one)
    with failure_panel("The terms of this contract"):
        if occurrences := queries.load_occurrences(deployment, one.id, limit=MOST_TERMS).data:
            st.markdown("**Its terms, one after the other**")
            draw_occurrences(occurrences)
            st.caption("The last day of each term, and the last working day on which notice is in time.")


def draw_decision_tab(one: Agreement) -> None:
    if queries.has_operation(deployment, "POST /v1/agreements/{}/decision"):
        draw_decision(deployment, one)
    if one.decisions:
        draw_heading("Decisions")
        draw_decisions(one.decisions)
    else:
        st.caption("Nobody has decided anything about this contract yet.")


def draw_change(one: Agreement) -> None:
    st.caption("Leave out what you do not know: it is listed as missing, and no date is made of it.")
    form = make_change_form(deployment, one)
    form.draw(columns=2)
    form.draw_button(
        "Save the changes",
        send=lambda client, change, _: client.agreements.update(one.id, change),
        what="Saving the changes",
        icon="save",
    )
    draw_heading("Lines")
    draw_line_changes(deployment, one)


def draw_links(one: Agreement) -> None:
    links = (
        ("scope", "Quote", "description", one.scope_id),
        ("negotiation", "Negotiation", "handshake", one.negotiation_id),
        ("agreement", "Earlier contract", "arrow_back", one.previous_agreement_id),
        ("agreement", "Later contract", "arrow_forward", one.next_agreement_id),
    )
    with st.container(horizontal=True):
        for page, label, icon, record_id in links:
            if record_id:
                navigation.draw_link(page, label, icon=icon, id=record_id)


def draw_agreement(one: Agreement) -> None:
    navigation.draw_link("agreements", "All contracts", icon="arrow_back")
    badges: list[tuple[str, Colour]] = [label_status(one.status)]
    if one.stage != "not_started":
        badges.append((label_stage(one.stage), "blue"))
    draw_page_header(one.name, caption=one.supplier_name, badges=badges)
    draw_sample_notice(deployment, [one.id])
    statement = st.container()
    draw_links(one)
    begun = draw_renewal(deployment, one)
    with statement:
        draw_statement(one, begun)
    tabs = {
        "Agreed": Tab(partial(draw_agreed, one)),
        "Decision": Tab(partial(draw_decision_tab, one)),
        "Prices": Tab(partial(draw_price_history_tab, deployment, agreement_id=one.id), HISTORY_OPERATION),
        "Change": Tab(partial(draw_change, one), "PATCH /v1/agreements/{}"),
        **list_comment_tabs(deployment, "agreement", one.id),
    }
    draw_offered_tabs(deployment, tabs, key="agreement-tab")


draw_record_page(
    "contract",
    icon="contract",
    list_page="agreements",
    load=partial(queries.load_agreement, deployment),
    draw=draw_agreement,
    moment=lambda one: ("On record since", one.created_at),
    draw_last=partial(draw_agreement_deletion, deployment),
)
