"""All agreements: what must be decided in the next twelve months, the list, and the form for a new one."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, NewAgreement
from app.dashboard import navigation
from app.dashboard.agreements.agreement_listing import draw_agreement_listing
from app.dashboard.agreements.agreement_validation import validate_agreement
from app.dashboard.agreements.calendar_subscription import draw_calendar_subscription
from app.dashboard.agreements.market_listing import draw_market
from app.dashboard.agreements.missing_details import draw_missing_details
from app.dashboard.agreements.spend_view import draw_spend
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.form_button import form_button
from app.dashboard.failure_panel import failure_panel
from app.dashboard.session_values import form_faults
from app.dashboard.signing_in import identity
from components.agreements.agreement_form import draw_agreement_form, read_agreement_form
from components.agreements.agreement_table import draw_agreement_table
from components.agreements.deadline_timeline import draw_deadline_timeline
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs, open_tab

CALENDAR, ALL, MISSING = "Next twelve months", "All agreements", "Missing details"
MARKET, SPEND = "Against the market", "Spend"
ADD = "Add an agreement"
TABS = "agreements-tab"
FORM = "agreement"
YEAR = 365

deployment = identity.require_deployment()
can_add = queries.has_operation(deployment, "POST /v1/agreements")


def draw_calendar() -> None:
    with failure_panel("The calendar"):
        page = agreement_queries.load_renewals(deployment, YEAR)
        if page.data:
            draw_deadline_timeline(page.data, datetime.now(UTC).date(), key="timeline")
            draw_agreement_table(page.data)
            draw_calendar_subscription(deployment)
            draw_settings_link()
            if page.pagination.total > len(page.data):
                st.caption(f"The first {len(page.data)} of {page.pagination.total:,}.")
        elif agreement_queries.load_agreements(deployment, limit=1).pagination.total:
            draw_empty_state(
                "Nothing to decide in the next twelve months",
                "Agreements whose dates are not known are in the list of all agreements.",
                icon="event_available",
                action="Show all agreements",
                on_action=partial(open_tab, ALL, key=TABS),
                key="to-all",
            )
        else:
            draw_nothing_yet()


def draw_settings_link() -> None:
    if queries.has_operation(deployment, "PATCH /v1/working-days"):
        navigation.draw_link(
            "working_days", "Working days, holidays and mail to owners", icon=":material/calendar_month:"
        )


def draw_all() -> None:
    with failure_panel("The list of agreements"):
        if agreement_queries.load_agreements(deployment, limit=1).pagination.total:
            draw_agreement_listing(deployment)
        else:
            draw_nothing_yet()


def draw_missing() -> None:
    with failure_panel("What is missing"):
        if agreement_queries.load_agreements(deployment, limit=1).pagination.total:
            draw_missing_details(deployment)
        else:
            draw_nothing_yet()


def draw_market_tab() -> None:
    with failure_panel("The market"):
        draw_market(deployment)


def draw_spend_tab() -> None:
    with failure_panel("Spend"):
        draw_spend(deployment)


def draw_nothing_yet() -> None:
    draw_empty_state(
        "No agreements yet",
        "A negotiation becomes one when its price is agreed, and a confirmed quote in one click. What"
        " was agreed elsewhere is entered in a form, or imported from a file.",
        icon="contract",
        action="Add an agreement" if can_add else None,
        on_action=partial(open_tab, ADD, key=TABS),
        key="first-agreement",
    )


def draw_form() -> None:
    faults = form_faults(FORM).get()
    if faults.get(""):
        st.error(faults[""], icon=":material/error:")
    draw_agreement_form(key=FORM, faults=faults)
    form_button(
        deployment,
        "Put it on record",
        form=FORM,
        check=lambda: validate_agreement(read_agreement_form(key=FORM)),
        send=send_agreement,
        what="Putting the agreement on record",
        on_success=open_agreement,
        icon=":material/add:",
    )


def send_agreement(client: ScopedClient, agreement: NewAgreement, idempotency_key: str) -> Agreement:
    return client.agreements.create(agreement, idempotency_key=idempotency_key)


def open_agreement(agreement: Agreement) -> None:
    navigation.open_page("agreement", id=agreement.id)


draw_page_header("Agreements", caption="What was agreed, until when, and by when somebody must act.")
if queries.has_operation(deployment, "GET /v1/agreements"):
    tabs = {CALENDAR: draw_calendar, ALL: draw_all}
    if queries.has_operation(deployment, "GET /v1/market"):
        tabs[MARKET] = draw_market_tab
    if queries.has_operation(deployment, "GET /v1/spend"):
        tabs[SPEND] = draw_spend_tab
    if queries.has_operation(deployment, "GET /v1/missing-details"):
        tabs[MISSING] = draw_missing
    if can_add:
        tabs[ADD] = draw_form
    draw_tabs(tabs, key=TABS)
else:
    draw_empty_state(
        "This deployment keeps no agreements", "Negotiations show what was agreed.", icon="cloud_off"
    )
