"""The list of agreements with its filters, all in the address."""

from functools import partial

import streamlit as st

from app.contract.agreements import AgreementPage, AgreementStatus
from app.dashboard.agreements.agreement_downloads import draw_agreement_downloads
from app.dashboard.agreements.missing_details import draw_missing_details
from app.dashboard.api import agreement_queries, queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilteredList, TextFilter
from components.agreements.agreement_table import draw_agreement_table

STATUSES: dict[str, AgreementStatus | None] = {
    "Any status": None,
    "Deadline missed": "deadline_missed",
    "Decide soon": "in_notice_window",
    "Active": "active",
    "Not begun": "upcoming",
    "Last day not known": "unknown",
    "Expired": "expired",
    "Ended": "ended",
}


def draw_agreement_listing(deployment: Deployment) -> None:
    """Draw the filters and one page of the agreements, or those of which something is not known, each with
    what it lacks. Needs `GET /v1/agreements`."""
    if queries.has_operation(deployment, "GET /v1/missing-details") and st.toggle(
        "Missing details",
        key="agreement-missing",
        bind="query-params",
        help="Only contracts of which something is not known, with the fields to fill in.",
    ):
        draw_missing_details(deployment)
        return

    def draw_downloads(_: AgreementPage) -> None:
        draw_agreement_downloads(deployment, listing.read_query())

    listing = FilteredList(
        key="agreements-page",
        noun="contract",
        load=partial(agreement_queries.load_agreements, deployment),
        draw=lambda page: draw_agreement_table(page.data),
        draw_below=draw_downloads,
        filters=(
            TextFilter("Name or supplier", "agreement-name"),
            ChoiceFilter("Status", "agreement-status", STATUSES, "status"),
        ),
        empty=Empty("No contracts yet", "What was agreed appears here.", "contract"),
    )
    listing.show()
