"""The audit log with its filters, page by page."""

from datetime import UTC, datetime

import streamlit as st

from app.dashboard.api import people_queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.elements.empty_state import draw_empty_state
from components.formatting.datetimes import get_reader_zone
from components.people.audit_filters import PLACE, clear_filters, draw_audit_filters, go_to_newest
from components.people.audit_table import draw_audit_table

ROWS = 50


def draw_audit_log(deployment: Deployment) -> None:
    """Draw the filters, which are in the address, the entries, and the way to older ones."""
    st.caption(
        "Every change leaves one entry, and so does what Parley does by itself in the background. The"
        " database refuses to change or delete entries."
    )
    with failure_panel("The audit log"):
        filters = draw_audit_filters(people_queries.load_actors(deployment))
        before = st.query_params.get(PLACE)
        page = people_queries.load_audit(
            deployment, limit=ROWS, before=before, **filters.as_query(datetime.now(UTC))
        )
        if page.data:
            draw_audit_table(page.data, page="people", zone=get_reader_zone())
        elif filters or before:
            draw_empty_state(
                "No match",
                "No entry matches these filters.",
                icon="filter_alt_off",
                action="Show all entries",
                on_action=clear_filters,
                key="all-entries",
            )
        else:
            draw_empty_state(
                "Nothing was changed yet", "The first change leaves the first entry.", icon="history"
            )
        with st.container(horizontal=True):
            if before:
                st.button("Newest", key="audit-newest", on_click=go_to_newest, icon=":material/first_page:")
            if page.next:
                st.button(
                    "Older",
                    key="audit-older",
                    on_click=_continue_after,
                    args=(page.next,),
                    icon=":material/arrow_forward:",
                )


def _continue_after(entry_id: str) -> None:
    st.query_params[PLACE] = entry_id
