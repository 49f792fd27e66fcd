"""The calls of agents' tools: how many each tool had, and a page of them."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.agent_calls import MAX_AGENT_CALLS, OTHER_TOOL, AgentCall, AgentToolCount
from components.elements.record_table import Column, draw_record_table
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_seconds

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


def draw_agent_counts(tools: Sequence[AgentToolCount], zone: tzinfo) -> None:
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
            "Last call": Column(
                lambda one: format_local_seconds(one.last_at, zone), help="In your time zone."
            ),
        },
        alt=f"{format_count(len(tools), 'tool')} by how often agents called them",
    )


def draw_agent_calls(calls: Sequence[AgentCall], zone: tzinfo) -> None:
    """Draw calls in the order in which they come."""
    draw_record_table(
        calls,
        {
            "When": Column(
                lambda one: format_local_seconds(one.at, zone), help="When it ended, in your time zone."
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
