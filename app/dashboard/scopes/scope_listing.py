"""The list of scopes with its filters: by name, status and source, all in the address."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from app.contract.scope_list import WAITING_STATUSES, ScopePage
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from app.dashboard.sample_data import draw_sample_notice
from components.formatting.datetimes import get_reader_zone
from components.scopes.scope_list import ARCHIVED_LABEL, STATUS_LABELS, describe_waiting, draw_recent_scopes

ARCHIVED = ARCHIVED_LABEL[0]
STATUSES: Mapping[str, Mapping[str, Any]] = {
    "Any status": {"archived": False},
    "Being read": {"archived": False, "status": "reading"},
    "Could not be read": {"archived": False, "status": "unreadable"},
    "Waiting for review": {"archived": False, "status": "review"},
    "Ready": {"archived": False, "status": "ready"},
    "In negotiation": {"archived": False, "status": "in_negotiation"},
    "Agreed": {"archived": False, "status": "agreed"},
    "Replaced": {"archived": False, "status": "replaced"},
    ARCHIVED: {"archived": True},
}
"""What the status filter offers. Archived scopes are in no other choice."""
NAME_FILTER = TextFilter("Name, supplier or file", "scope-name")
STATUS_FILTER = ChoiceFilter("Status", "scope-status", STATUSES)
SOURCE_FILTER = ChoiceFilter(
    "Source", "source", {"Any source": None, "By hand": "manual", "From a document": "document"}, "source"
)


def draw_scope_listing(deployment: Deployment) -> None:
    """Draw the filters, what waits, and one page of the scopes. Needs `GET /v1/scope`."""
    finds_by_name = queries.has_operation(deployment, "PATCH /v1/scope/{}")

    def show_status(label: str) -> None:
        listing.choose(STATUS_FILTER, label)

    listing = FilteredList(
        key="scopes-page",
        noun="quote",
        load=partial(queries.load_scopes, deployment),
        draw_above=partial(_draw_waiting, show_status),
        draw=partial(_draw_page, deployment),
        filters=(NAME_FILTER, STATUS_FILTER, SOURCE_FILTER) if finds_by_name else (SOURCE_FILTER,),
        empty=partial(_make_empty, deployment, finds_by_name, show_status),
    )
    listing.show()


def _draw_page(deployment: Deployment, page: ScopePage) -> None:
    draw_sample_notice(deployment, [scope.id for scope in page.data])
    draw_recent_scopes(page.data, zone=get_reader_zone())


def _draw_waiting(show_status: Callable[[str], None], page: ScopePage) -> None:
    """Draw how many scopes wait, as buttons that show these alone."""
    totals = {count.status: count.total for count in page.statuses}
    waiting = [status for status in WAITING_STATUSES if totals.get(status)]
    if not waiting or STATUS_FILTER.chosen != STATUS_FILTER.everything:
        return
    with st.container(horizontal=True, gap="small"):
        for status in waiting:
            st.button(
                describe_waiting(status, totals[status]),
                key=f"waiting-{status}",
                type="tertiary",
                icon=":material/filter_alt:",
                on_click=show_status,
                args=(STATUS_LABELS[status][0],),
            )


def _make_empty(deployment: Deployment, finds_by_name: bool, show_status: Callable[[str], None]) -> Empty:
    can_create = queries.has_operation(deployment, "POST /v1/scope")
    way = "Create a new one: upload a supplier's quote, or describe the purchase in a form."
    if finds_by_name and queries.load_scopes(deployment, archived=True, limit=1).pagination.total:
        return Empty(
            "All quotes are archived",
            way if can_create else "They are found by their status.",
            "archive",
            "Show archived quotes",
            partial(show_status, ARCHIVED),
        )
    return Empty(
        "No quotes yet",
        way.replace("a new one", "one") if can_create else "Quotes of your organisation appear here.",
        "request_quote",
    )
