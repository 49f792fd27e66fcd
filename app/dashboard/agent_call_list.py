"""The calls that agents made of their tools, page by page."""

from functools import partial

from app.dashboard.api import extension_queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import load_list_page
from components.deployment.agent_calls import draw_agent_calls, draw_agent_counts
from components.elements.empty_state import draw_empty_state
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.datetimes import get_reader_zone

PAGE = "agent-calls-page"
ROWS = 10
"""As many as a table shows without a bar of its own."""


def draw_agent_call_list(deployment: Deployment) -> None:
    """Draw how often each tool was called, and the calls. Needs `GET /v1/agents/calls` and an admin."""
    with failure_panel("The calls of agents"):
        page = load_list_page(PAGE, ROWS, partial(extension_queries.load_agent_calls, deployment, ROWS))
        if not page.pagination.total:
            draw_empty_state(
                "No agent has called a tool yet",
                "Calls that agents make with your organisation's keys appear here.",
                icon="smart_toy",
            )
            return
        draw_agent_counts(page.tools, get_reader_zone())
        draw_agent_calls(page.data, get_reader_zone())
        draw_pagination_bar(page.pagination, PAGE, "call")
