"""The calls that agents made of their tools, page by page."""

from functools import partial

from app.contract.agent_calls import AgentCallPage
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import Empty, FilteredList
from components.deployment.status import draw_agent_calls, draw_agent_counts
from components.formatting.datetimes import get_reader_zone


def draw_agent_call_list(deployment: Deployment) -> None:
    """Draw how often each tool was called, and the calls. Needs `GET /v1/agents/calls` and an admin."""
    FilteredList(
        key="agent-calls-page",
        noun="call",
        load=partial(queries.load_agent_calls, deployment),
        draw=_draw_page,
        rows=10,  # as many as a table shows without a bar of its own
        empty=Empty(
            "No agent has called a tool yet",
            "Calls that agents make with your organisation's keys appear here.",
            "smart_toy",
        ),
    ).show()


def _draw_page(page: AgentCallPage) -> None:
    draw_agent_counts(page.tools, get_reader_zone())
    draw_agent_calls(page.data, get_reader_zone())
