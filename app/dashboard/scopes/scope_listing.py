"""The list of scopes with its filters: by name, status and source, all in the address."""

from functools import partial

import streamlit as st

from app.contract.scope import ScopeSource
from app.contract.scope_list import WAITING_STATUSES, ScopePage, ScopeStatus
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.session_values import SessionValue
from components.elements.empty_state import draw_empty_state
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar
from components.formatting.datetimes import get_reader_zone
from components.scopes.recent_scopes import draw_recent_scopes
from components.scopes.scope_status import ARCHIVED_LABEL, STATUS_LABELS, describe_waiting

ROWS = 25
PAGE = "scopes-page"
ANY_STATUS, ANY_SOURCE = "Any status", "Any source"
ARCHIVED = ARCHIVED_LABEL[0]
STATUSES: dict[str, ScopeStatus | None] = {
    ANY_STATUS: None,
    "Being read": "reading",
    "Could not be read": "unreadable",
    "Waiting for review": "review",
    "Ready": "ready",
    "In negotiation": "in_negotiation",
    "Agreed": "agreed",
    "Replaced": "replaced",
    ARCHIVED: None,
}
"""What the status filter offers. Archived scopes are in no other choice."""
SOURCES: dict[str, ScopeSource | None] = {
    ANY_SOURCE: None,
    "By hand": "manual",
    "From a document": "document",
}
NAME_FILTER = SessionValue("scope-name", "")
STATUS_FILTER = SessionValue("scope-status", ANY_STATUS)
SOURCE_FILTER = SessionValue("source", ANY_SOURCE)

open_first_page = partial(go_to_first_page, PAGE)


def draw_scope_listing(deployment: Deployment) -> None:
    """Draw the filters, what waits, and one page of the scopes. Needs `GET /v1/scope`."""
    finds_by_name = queries.has_operation(deployment, "PATCH /v1/scope/{}")
    with st.grid(3, min_column_width=200):
        if finds_by_name:
            _draw_name_filter()
            _draw_choice("Status", list(STATUSES), STATUS_FILTER.key)
        _draw_choice("Source", list(SOURCES), SOURCE_FILTER.key)
    page = load_list_page(PAGE, ROWS, partial(_load_page, deployment, finds_by_name))
    _draw_waiting(page)
    if page.data:
        draw_sample_notice(deployment, [scope.id for scope in page.data])
        draw_recent_scopes(page.data, zone=get_reader_zone())
        draw_pagination_bar(page.pagination, PAGE, "quote")
    else:
        _draw_reason_for_nothing(deployment, finds_by_name)


def _draw_name_filter() -> None:
    st.text_input(
        "Name, supplier or file",
        key=NAME_FILTER.key,
        bind="query-params",
        placeholder="Part of a name",
        icon=":material/search:",
        on_change=open_first_page,
    )


def _draw_choice(label: str, choices: list[str], key: str) -> None:
    st.selectbox(label, choices, key=key, bind="query-params", on_change=open_first_page)


def _load_page(deployment: Deployment, finds_by_name: bool, offset: int) -> ScopePage:
    source = SOURCES[SOURCE_FILTER.get()]
    if not finds_by_name:
        return queries.load_scopes(deployment, source=source, limit=ROWS, offset=offset)
    status = STATUS_FILTER.get()
    return queries.load_scopes(
        deployment,
        name=NAME_FILTER.get().strip() or None,
        status=STATUSES[status],
        archived=status == ARCHIVED,
        source=source,
        limit=ROWS,
        offset=offset,
    )


def _draw_waiting(page: ScopePage) -> None:
    """Draw how many scopes wait, as buttons that show these alone."""
    totals = {count.status: count.total for count in page.statuses}
    waiting = [status for status in WAITING_STATUSES if totals.get(status)]
    if not waiting or STATUS_FILTER.get() != ANY_STATUS:
        return
    with st.container(horizontal=True, gap="small"):
        for status in waiting:
            st.button(
                describe_waiting(status, totals[status]),
                key=f"waiting-{status}",
                type="tertiary",
                icon=":material/filter_alt:",
                on_click=_show_status,
                args=(STATUS_LABELS[status][0],),
            )


def _show_status(label: str) -> None:
    STATUS_FILTER.set(label)
    open_first_page()


def _clear_filters() -> None:
    NAME_FILTER.set("")
    STATUS_FILTER.set(ANY_STATUS)
    SOURCE_FILTER.set(ANY_SOURCE)
    open_first_page()


def _draw_reason_for_nothing(deployment: Deployment, finds_by_name: bool) -> None:
    status, source = STATUS_FILTER.get(), SOURCE_FILTER.get()
    if NAME_FILTER.get().strip() or status != ANY_STATUS or source != ANY_SOURCE:
        draw_empty_state(
            "No quote matches",
            "No quote has this name, status and source.",
            icon="filter_alt_off",
            action="Clear filters",
            on_action=_clear_filters,
            key="clear-scope-filters",
        )
    elif finds_by_name and queries.load_scopes(deployment, archived=True, limit=1).pagination.total:
        draw_empty_state(
            "All quotes are archived",
            "Create a new one: upload a supplier's quote, or describe the purchase in a form."
            if queries.has_operation(deployment, "POST /v1/scope")
            else "They are found by their status.",
            icon="archive",
            action="Show archived quotes",
            on_action=partial(_show_status, ARCHIVED),
            key="show-archived-scopes",
        )
    else:
        draw_empty_state(
            "No quotes yet",
            "Create one: upload a supplier's quote, or describe the purchase in a form."
            if queries.has_operation(deployment, "POST /v1/scope")
            else "Quotes of your organisation appear here.",
            icon="request_quote",
        )
