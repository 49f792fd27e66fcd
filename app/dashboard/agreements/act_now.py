"""What must be done about contracts: the most urgent first, each with its money and the buttons for it."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import streamlit as st

from app.client import ScopedClient
from app.contract.agreements import Agreement, AgreementPage, NewDecision
from app.dashboard import navigation
from app.dashboard.agreements.calendar_subscription import draw_calendar_subscription
from app.dashboard.agreements.decision import draw_decision_popover
from app.dashboard.agreements.renewal import draw_renewal
from app.dashboard.api import agreement_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.session_values import SessionValue
from components.agreements.agreement_words import label_due
from components.elements.empty_state import draw_empty_state
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.counts import format_date
from components.formatting.escape_markdown import escape_markdown

ROWS = 10
PAGE = "act-page"
HORIZONS = {"30 days": 30, "90 days": 90, "12 months": 365}
HORIZON = SessionValue("act-within", "30 days")
PUT_OFF = timedelta(days=7)


def draw_act_now(deployment: Deployment) -> None:
    """Draw what must be done within the chosen time. Needs `GET /v1/renewals`."""
    st.segmented_control(
        "To act on within",
        list(HORIZONS),
        key=HORIZON.key,
        default=HORIZON.default,
        bind="query-params",
        required=True,
        on_change=partial(go_to_first_page, PAGE),
    )
    page = load_list_page(PAGE, ROWS, partial(_load_page, deployment))
    today = datetime.now(UTC).date()
    for one in page.data:
        with st.container(border=True, gap="xsmall", key=f"act-{one.id}"):
            _draw_row(deployment, one, today)
    if page.data:
        draw_pagination_bar(page.pagination, PAGE, "contract")
    else:
        _draw_nothing_due()
    draw_calendar_subscription(deployment)


def _load_page(deployment: Deployment, offset: int) -> AgreementPage:
    within = HORIZONS[HORIZON.get()]
    return agreement_queries.load_renewals(deployment, within=within, limit=ROWS, offset=offset)


def _draw_nothing_due() -> None:
    longest = list(HORIZONS)[-1]
    is_longest = HORIZON.get() == longest
    draw_empty_state(
        f"Nothing to do within {HORIZON.get()}",
        "What is decided, put off, or without a known end is in the list of all contracts.",
        icon="event_available",
        action=None if is_longest else f"Look {longest} ahead",
        on_action=partial(HORIZON.set, longest),
        key="look-ahead",
    )


def _draw_row(deployment: Deployment, one: Agreement, today: date) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        navigation.draw_link("agreement", f"**{escape_markdown(one.name)}**", id=one.id)
        label, colour = label_due(one, today)
        st.badge(label, color=colour)
        if one.supplier_name:
            st.caption(escape_markdown(one.supplier_name), width="content")
    st.markdown(escape_markdown(one.action or one.statement))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_renewal(deployment, one)
        if queries.has_operation(deployment, "POST /v1/agreements/{}/decision"):
            draw_decision_popover(deployment, one)
            _draw_put_off(deployment, one, today)
        if one.status == "unknown":
            navigation.draw_link(
                "agreement",
                "Add what is not known",
                icon=":material/edit:",
                id=one.id,
                **{"agreement-tab": "Change"},
            )


def _draw_put_off(deployment: Deployment, one: Agreement, today: date) -> None:
    """Draw the button that puts it off for a week, and at most to the last day to act."""
    until = today + PUT_OFF
    if one.act_by is not None and one.act_by >= today:
        until = min(until, one.act_by)
    if until <= today:
        return

    def put_off(client: ScopedClient, idempotency_key: str) -> Agreement:
        decision = NewDecision(decision="put_off", until=until)
        return client.agreements.decide(one.id, decision, idempotency_key=idempotency_key)

    write_button(
        deployment,
        f"Put off to {format_date(until)}",
        name=f"put-off-{one.id}",
        what="Putting it off",
        write=put_off,
        on_success=lambda _: st.toast(f"{escape_markdown(one.name)} comes back on {format_date(until)}."),
        icon=":material/snooze:",
        type="tertiary",
    )
