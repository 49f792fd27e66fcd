"""Requirements: several quotes for one need, side by side."""

from functools import partial

import streamlit as st

from app.contract.page import ListPage
from app.contract.sourcing import Requirement
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.kit.filtered_list import Empty, FilteredList
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from app.dashboard.sourcing.requirement_creation import SCOPE, draw_requirement_creation, read_others
from components.elements.page_header import draw_page_header
from components.elements.tabs import open_tab
from components.sourcing.requirements import draw_requirement_table

ALL, NEW = "All comparisons", "New comparison"
TABS = "requirements-tab"

deployment = identity.require_deployment()
can_create = queries.has_operation(deployment, "POST /v1/requirements")


def draw_page(page: ListPage[Requirement]) -> None:
    draw_sample_notice(deployment, [one.id for one in page.data])
    draw_requirement_table(page.data)


def open_requirement(made: Requirement) -> None:
    """Open it: the table where quotes were dropped together, else where they are added."""
    navigation.open_page(
        "requirement", id=made.id, **({} if read_others() else {"requirement-tab": "Quotes"})
    )


listing = FilteredList(
    key="requirements-page",
    noun="comparison",
    load=partial(queries.load_requirements, deployment),
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
navigation.draw_link("estimates", "Compare estimates of up to four quotes", icon="bar_chart")
new = partial(draw_requirement_creation, deployment, on_created=open_requirement)
draw_offered_tabs(
    deployment,
    {ALL: Tab(listing.show), NEW: Tab(new, "POST /v1/requirements")},
    key=TABS,
    default=NEW if SCOPE in st.query_params else None,
)
