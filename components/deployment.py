"""The state of a service: its health, what it stores and offers, and the calls of agents' tools."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from app.contract.access import StoredBytes
from app.contract.agent_calls import MAX_AGENT_CALLS, OTHER_TOOL, AgentCall, AgentToolCount
from app.contract.deployment import HealthReport
from components.elements.record_table import Column, draw_record_table
from components.elements.table import draw_table
from components.formatting import draw_timestamp, escape_markdown, format_count, format_local_seconds

Colour = Literal["green", "orange", "red", "gray"]

_STATUS_STYLES: dict[str, tuple[Colour, str]] = {
    "ok": ("green", "check_circle"),
    "degraded": ("orange", "warning"),
    "error": ("red", "error"),
}


def get_status_style(status: str) -> tuple[Colour, str]:
    """Return the colour and icon of a status; an unknown status is grey."""
    return _STATUS_STYLES.get(status, ("gray", "help"))


def draw_health_report(report: HealthReport) -> None:
    """Draw the overall status with version and time, then each part."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            _draw_badge(report.status)
            st.markdown(f"Version **{escape_markdown(report.version)}**", width="content")
            draw_timestamp("as of", report.timestamp)
        if report.services:
            with st.container(horizontal=True, gap="medium"):
                for service in report.services:
                    with st.container(horizontal=True, gap="small", width="content"):
                        _draw_badge(service.status)
                        st.markdown(escape_markdown(service.name), width="content")


def _draw_badge(status: str) -> None:
    colour, icon = get_status_style(status)
    st.badge(escape_markdown(status), color=colour, icon=f":material/{icon}:")


WHAT = {
    "files": "Uploaded files",
    "imports": "Text that imports brought",
    "calls": "Text that calls and pages wrote",
}
MEBIBYTE = 1024 * 1024


def draw_stored_bytes(amounts: Sequence[StoredBytes]) -> None:
    """Draw a line for each kind of bytes, with how full its quota is."""
    draw_table(
        [
            {
                "What": WHAT.get(one.kind, one.kind),
                "Stored": one.stored / MEBIBYTE,
                "Most": one.most / MEBIBYTE,
                "Full": min(1.0, one.stored / one.most),
            }
            for one in amounts
        ],
        key="stored-bytes",
        alt="what the organisation stores, by kind, with how much it may store",
        columns={
            "What": st.column_config.TextColumn(width="medium"),
            "Stored": st.column_config.NumberColumn("Stored (MiB)", format="%.1f"),
            "Most": st.column_config.NumberColumn("At most (MiB)", format="localized"),
            "Full": st.column_config.ProgressColumn("Used", format="percent"),
        },
    )


def draw_interface_coverage(interface: Mapping[str, bool], extensions: Sequence[str]) -> None:
    """Draw a row for each operation of the interface, with whether the deployment offers it, then one for
    each of its extensions."""
    rows = [(operation, "interface", offered) for operation, offered in interface.items()]
    rows += [(operation, "extension", True) for operation in extensions]
    draw_record_table(
        rows,
        {
            "Operation": Column(lambda one: one[0].replace("{}", "{id}")),
            "Part of": Column(lambda one: one[1]),
            "Offered": Column(lambda one: "yes" if one[2] else "no"),
        },
        alt=f"{len(rows)} operations and whether the deployment offers them",
        scrolls=True,
    )


OUTCOMES = {
    "answered": "Answered",
    "refused": "Refused by the tool",
    "invalid_arguments": "Arguments not valid",
    "not_offered": "Not offered to this key",
    "fault": "Fault of Parley",
    "cancelled": "Given up by the agent",
}
SERVICE_ERROR = "service_error"
NO_TOOL = "no such tool"
"""In place of a name that no tool has, which is not on record."""


def draw_agent_counts(tools: Sequence[AgentToolCount]) -> None:
    """Draw how often each tool was called, of all calls that are kept."""
    calls, failed = sum(one.calls for one in tools), sum(one.failed for one in tools)
    st.caption(
        f"{format_count(calls, 'call')} of tools with your organisation's keys, {failed:,} of them not"
        f" answered. The newest {MAX_AGENT_CALLS:,} are kept, without what was asked and answered; changes"
        " are in the audit log."
    )
    draw_record_table(
        tools,
        {
            "Tool": Column(lambda one: _name_tool(one.tool)),
            "Calls": Column(lambda one: one.calls, "right"),
            "Not answered": Column(lambda one: one.failed, "right", "Refused, failed or given up."),
            "Last call": Column(lambda one: format_local_seconds(one.last_at), help="In your time zone."),
        },
        alt=f"{format_count(len(tools), 'tool')} by how often agents called them",
    )


def draw_agent_calls(calls: Sequence[AgentCall]) -> None:
    """Draw calls in the order in which they come."""
    draw_record_table(
        calls,
        {
            "When": Column(
                lambda one: format_local_seconds(one.at), help="When it ended, in your time zone."
            ),
            "Tool": Column(lambda one: _name_tool(one.tool)),
            "Who": Column(
                lambda one: one.actor.name or "unknown", help="The API key or person, as it was called then."
            ),
            "Ended": Column(describe_outcome),
            "Duration (s)": Column(lambda one: f"{one.seconds:.3f}", "right"),
        },
        alt=f"{format_count(len(calls), 'call')} of agents' tools, newest first",
    )


def _name_tool(name: str) -> str:
    return NO_TOOL if name == OTHER_TOOL else name


def describe_outcome(call: AgentCall) -> str:
    """Return how a call ended, in words; a newer word as it is."""
    if call.outcome != SERVICE_ERROR:
        return OUTCOMES.get(call.outcome, call.outcome)
    if call.status is None:
        return "The service was away"
    return f"{'Refused by' if call.status < 500 else 'Failed in'} the service ({call.status})"
