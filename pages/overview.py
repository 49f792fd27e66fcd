"""What waits for a person, what changed, spend and savings, what was created last, and shortcuts."""

import streamlit as st

from app.dashboard import last_visit, navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.overview import draw_change_links, draw_sample_quote, draw_waiting_links
from app.dashboard.sample_data import draw_sample_figures_notice, draw_tour_button
from app.dashboard.signing_in import identity
from app.dashboard.start_actions import draw_start_actions
from components import formatting
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_heading, draw_page_header
from components.formatting import format_count
from components.scopes import draw_recent_scopes
from components.year_figures import draw_year_figures

deployment = identity.require_deployment()
RECENT = 4
"""Changes and quotes that the page shows without a click: what waits comes first."""


def has_operation(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def draw_overview() -> None:
    """Draw what waits and what changed, or the first step where nothing is on record."""
    if not has_operation("GET /v1/overview"):
        return
    since = last_visit.find_last_visit(deployment)
    overview = queries.load_overview(deployment, since=since)
    if not overview.scopes and not overview.negotiations and not overview.waiting:
        draw_first_step()
        return
    draw_heading("Waiting for you")
    if not draw_waiting_links(overview.waiting):
        draw_empty_state(
            "Nothing waits for you",
            "There are no open decisions, quotes, letters or failing webhooks.",
            "task_alt",
        )
    draw_heading("Since your last visit" if since else "In the past 7 days")
    if since:
        st.caption(f"This browser last showed the dashboard on {formatting.format_local_time(since)}.")
    draw_change_links(overview.changes[:RECENT])
    if not overview.changes:
        st.caption("Nothing changed.")
    if earlier := overview.changes[RECENT:]:
        with st.expander(format_count(len(earlier), "earlier change")):
            draw_change_links(earlier)
            if overview.more_changes:
                st.caption(f"Only the latest {len(overview.changes)} changes are shown.")


def draw_first_step() -> None:
    if not has_operation("POST /v1/scope/from-document"):
        draw_empty_state(
            "Nothing waits for you", "Quotes and negotiations of your organisation appear here.", "task_alt"
        )
    elif draw_empty_state(
        "Nothing waits for you: begin with a quote",
        "Upload a supplier's quote, and see what comparable purchases cost and what to offer.",
        "upload_file",
        action="Upload a quote",
        key="first-step",
    ):
        navigation.open_page("scopes")
    draw_sample_quote(deployment, key="first-step")


def draw_scopes() -> None:
    if not has_operation("GET /v1/scope"):
        return
    scopes = queries.load_scopes(deployment, archived=False, limit=RECENT).data
    if not scopes:
        return
    draw_heading("Recent quotes")
    draw_recent_scopes(scopes)


def draw_supplier_search() -> None:
    """Draw a search of the catalog, for a deployment without the search for anything in the menu."""
    if has_operation("GET /v1/search"):
        return
    draw_heading("Find a supplier")
    with st.form("find-supplier", border=False):
        text = st.text_input(
            "Name or domain",
            key="wanted",
            placeholder="Part of a name, or a domain",
            icon=":material/search:",
        )
        if st.form_submit_button("Search the catalog", width="stretch"):
            navigation.open_page("catalog", **({"q": text.strip()} if text.strip() else {}))


draw_page_header("Home", caption="What a purchase should cost, and how your negotiations are going.")
with failure_panel("The overview"):
    # First of all: a service that does not answer makes one panel and not one for each part.
    queries.load_operations(deployment)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_sample_figures_notice(deployment)
        draw_tour_button(deployment)
    with failure_panel("Spend and savings"):
        if has_operation("GET /v1/overview/figures"):
            draw_year_figures(queries.load_overview_figures(deployment))
    # A grid and not columns: in a narrow window the shortcuts move under the rest instead of being cut.
    grid = st.grid(3, min_column_width=280, gap=("small", "large"))
    with grid.cell(column_span=2), failure_panel("What waits for you"):
        draw_overview()
    with grid.cell():
        draw_supplier_search()
        draw_heading("Start")
        draw_start_actions(deployment)
        if has_operation("POST /v1/scope/from-document"):
            draw_sample_quote(deployment, key="shortcut")
    with failure_panel("The list of recent quotes"):
        draw_scopes()
