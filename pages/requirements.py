"""Requirements: several quotes for one need, side by side."""

from functools import partial

import streamlit as st

from app.contract.page import ListPage
from app.contract.sourcing import Requirement
from app.dashboard import navigation
from app.dashboard.api import queries, sourcing_queries
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from app.dashboard.sourcing.requirement_creation import SCOPE, draw_requirement_creation, read_others
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs, open_tab
from components.sourcing.requirements import draw_requirement_table

ALL, NEW = "All comparisons", "New comparison"
TABS = "requirements-tab"

deployment = identity.require_deployment()
can_create = queries.has_operation(deployment, "POST /v1/requirements")


def draw_page(page: ListPage[Requirement]) -> None:
    draw_sample_notice(deployment, [one.id for one in page.data])
    draw_requirement_table(page.data)


def draw_new() -> None:
    draw_requirement_creation(deployment, on_created=open_requirement)


def open_requirement(made: Requirement) -> None:
    """Open it: the table where quotes were dropped together, else where they are added."""
    navigation.open_page(
        "requirement", id=made.id, **({} if read_others() else {"requirement-tab": "Quotes"})
    )


listing = FilteredList(
    key="requirements-page",
    noun="comparison",
    load=partial(sourcing_queries.load_requirements, deployment),
    draw=draw_page,
    empty=Empty(
        "No comparisons yet",
        "Drop the quotes of several suppliers for one need: they are matched line by line, ranked where they"
        " are complete, and awarded by scenario.",
        "view_column",
        "New comparison" if can_create else None,
        partial(open_tab, NEW, key=TABS),
    ),
)
draw_page_header("Compare", caption="What is needed, what each supplier asks for it, and whom to award what.")
navigation.draw_link("estimates", "Compare estimates of up to four quotes", icon=":material/bar_chart:")
if queries.has_operation(deployment, "GET /v1/requirements"):
    tabs = {ALL: listing.show}
    if can_create:
        tabs[NEW] = draw_new
    draw_tabs(tabs, key=TABS, default=NEW if can_create and SCOPE in st.query_params else None)
else:
    draw_empty_state(
        "This workspace does not compare quotes", "The Estimates page compares quotes.", icon="cloud_off"
    )
