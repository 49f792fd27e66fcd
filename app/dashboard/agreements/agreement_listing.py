"""The list of agreements with its filters, all in the address."""

from functools import partial

import streamlit as st

from app.contract.agreements import AgreementPage, AgreementQuery, AgreementStatus
from app.dashboard.agreements.agreement_downloads import draw_agreement_downloads
from app.dashboard.agreements.missing_details import draw_missing_details
from app.dashboard.api import agreement_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.session_values import SessionValue
from components.agreements.agreement_table import draw_agreement_table
from components.elements.empty_state import draw_empty_state
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import draw_pagination_bar

ROWS = 25
PAGE = "agreements-page"
ANY = "Any status"
STATUSES: dict[str, AgreementStatus | None] = {
    ANY: None,
    "Deadline missed": "deadline_missed",
    "Decide soon": "in_notice_window",
    "Active": "active",
    "Not begun": "upcoming",
    "Last day not known": "unknown",
    "Expired": "expired",
    "Ended": "ended",
}
NAME_FILTER = SessionValue("agreement-name", "")
STATUS_FILTER = SessionValue("agreement-status", ANY)
MISSING_FILTER = SessionValue("agreement-missing", False)

open_first_page = partial(go_to_first_page, PAGE)


def draw_agreement_listing(deployment: Deployment) -> None:
    """Draw the filters and one page of the agreements, or those of which something is not known, each with
    what it lacks. Needs `GET /v1/agreements`."""
    if queries.has_operation(deployment, "GET /v1/missing-details"):
        st.toggle(
            "Missing details",
            key=MISSING_FILTER.key,
            bind="query-params",
            on_change=open_first_page,
            help="Only contracts of which something is not known, with the fields to fill in.",
        )
        if MISSING_FILTER.get():
            draw_missing_details(deployment)
            return
    with st.grid(2, min_column_width=200):
        st.text_input(
            "Name or supplier",
            key=NAME_FILTER.key,
            bind="query-params",
            placeholder="Part of a name",
            icon=":material/search:",
            on_change=open_first_page,
        )
        st.selectbox(
            "Status", list(STATUSES), key=STATUS_FILTER.key, bind="query-params", on_change=open_first_page
        )
    page = load_list_page(PAGE, ROWS, partial(_load_page, deployment))
    if page.data:
        draw_agreement_table(page.data)
        draw_pagination_bar(page.pagination, PAGE, "contract")
        draw_agreement_downloads(deployment, _read_filters())
    else:
        draw_empty_state(
            "No contracts match", "Choose other filters, or clear them.", icon="filter_alt_off",
            action="Clear the filters", on_action=_clear_filters, key="clear-agreement-filters",
        )  # fmt: skip


def _load_page(deployment: Deployment, offset: int) -> AgreementPage:
    return agreement_queries.load_agreements(deployment, limit=ROWS, offset=offset, **_read_filters())


def _read_filters() -> AgreementQuery:
    return {
        "name": NAME_FILTER.get().strip() or None,
        "status": STATUSES[STATUS_FILTER.get()],
    }


def _clear_filters() -> None:
    NAME_FILTER.set("")
    STATUS_FILTER.set(ANY)
    open_first_page()
