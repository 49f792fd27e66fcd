"""The deployment: its health, its interface, and the calls that this dashboard made."""

from functools import partial
from statistics import median

import streamlit as st

from app.contract.agent_calls import AgentCallPage
from app.dashboard.api import queries
from app.dashboard.api.interface_operations import (
    INTERFACE_OPERATIONS,
    find_extensions,
    find_missing_operations,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.sample_data import draw_sample_removal
from app.dashboard.scopes.second_opinion_settings import draw_second_opinion_settings
from app.dashboard.signing_in import identity
from components.deployment import (
    draw_agent_calls,
    draw_agent_counts,
    draw_health_report,
    draw_interface_coverage,
    draw_stored_bytes,
)
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_heading, draw_page_header
from components.elements.record_table import Column, draw_record_table
from components.formatting import format_count, get_reader_zone

deployment = identity.require_deployment()


@st.fragment
def draw_health() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_heading("Health")
        st.button("Check again", key="check-health", icon=":material/refresh:", type="tertiary")
    with failure_panel("The health report"):
        draw_health_report(queries.client_for(deployment).health.report())


def draw_interface() -> None:
    operations = queries.load_operations(deployment)
    if not operations:
        draw_empty_state(
            "No description", "This workspace does not publish a description of its interface.", "description"
        )
        return
    missing = find_missing_operations(operations)
    extensions = find_extensions(operations)
    beyond = format_count(len(extensions), "extension")
    st.caption(
        f"{format_count(len(missing), 'operation')} of the interface missing; {beyond}."
        if missing
        else f"All operations of the interface, and {beyond}."
    )
    draw_interface_coverage(
        {operation: operation not in missing for operation in INTERFACE_OPERATIONS}, sorted(extensions)
    )


def draw_calls_tab() -> None:
    calls = queries.list_calls(deployment)
    if not calls:
        draw_empty_state(
            "No calls yet", "Calls made with your key since the dashboard started appear here.", "swap_vert"
        )
        return
    failed = sum(1 for call in calls if call.status is None or call.status >= 400)
    typical = median(call.seconds for call in calls) * 1000
    st.caption(
        f"The latest {format_count(len(calls), 'call')} with your key: median {typical:,.0f} ms, "
        f"{failed} failed. Reads that the dashboard answers from its cache are not listed."
    )
    draw_record_table(
        calls,
        {
            "Time": Column(
                lambda one: f"{one.started_at.astimezone(get_reader_zone()):%H:%M:%S}",
                help="In your time zone.",
            ),
            "Method": Column(lambda one: one.method),
            "Path": Column(lambda one: one.template.replace("{}", "{id}")),
            "Status": Column(lambda one: str(one.status) if one.status else one.error, "right"),
            "Duration (ms)": Column(lambda one: f"{one.seconds * 1000:,.1f}", "right"),
            "Attempts": Column(lambda one: one.tries, "right"),
            "Bytes": Column(lambda one: one.bytes, "right"),
            "Not modified": Column(lambda one: "yes" if one.unchanged else None, help="Answered with 304."),
            "Request ID": Column(lambda one: one.request_id),
        },
        alt=f"{format_count(len(calls), 'call')}, newest first, with status and time",
        scrolls=True,
    )


def draw_agent_page(page: AgentCallPage) -> None:
    draw_agent_counts(page.tools)
    draw_agent_calls(page.data)


AGENT_CALLS = FilteredList(
    key="agent-calls-page",
    noun="call",
    load=partial(queries.load_agent_calls, deployment),
    draw=draw_agent_page,
    rows=10,  # as many as a table shows without a bar of its own
    empty=Empty(
        "No agent has called a tool yet",
        "Calls that agents make with your organisation's keys appear here.",
        "smart_toy",
    ),
)
draw_page_header("System status", caption="The state of the service, its interface and recent calls.")
with st.container(border=True, horizontal=True, vertical_alignment="center", gap="medium"):
    st.markdown(f"`{deployment.base_url}`", width="content")
    st.caption(f"on behalf of {deployment.person}" if deployment.person else "no end user", width="content")
    st.space("stretch")
    st.button("Sign out", key="sign-out", icon=":material/logout:", on_click=identity.sign_out)
draw_health()
if queries.has_operation(deployment, "GET /v1/usage"):
    draw_heading("Storage")
    with failure_panel("What is stored"):
        draw_stored_bytes(queries.load_usage(deployment).bytes)
with failure_panel("The sample data"):
    draw_sample_removal(deployment)
tabs = {
    "Interface": Tab(draw_interface, what="The description of the interface"),
    "Calls": Tab(draw_calls_tab),
    **({"Agents": Tab(AGENT_CALLS.show, "GET /v1/agents/calls")} if deployment.is_admin else {}),
    "Second opinion": Tab(partial(draw_second_opinion_settings, deployment), "PATCH /v1/second-opinion"),
}
draw_offered_tabs(deployment, tabs, key="deployment-tab")
