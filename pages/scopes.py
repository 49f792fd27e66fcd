"""What is to be bought: a place for quotes to be dropped, the scopes so far, a new one by form."""

from functools import partial

import streamlit as st

from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.scopes.dropped_quotes import draw_quote_upload
from app.dashboard.scopes.scope_creation import draw_scope_creation
from app.dashboard.scopes.scope_listing import draw_scope_listing
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.scopes import draw_recent_scopes

ALL, FORM = "All quotes", "New request"

deployment = identity.require_deployment()


def open_scope(scope_id: str) -> None:
    recently_opened.remember(deployment, "scope", scope_id)
    navigation.open_page("scope", id=scope_id)


def draw_list_tab() -> None:
    if queries.has_operation(deployment, "POST /v1/scope/from-document"):
        draw_quote_upload(deployment, on_uploaded=open_scope)
    with failure_panel("The list of quotes"):
        if queries.has_operation(deployment, "GET /v1/scope"):
            draw_scope_listing(deployment)
        else:
            draw_opened_before()


def draw_opened_before() -> None:
    """Draw what this session knows of, for a deployment that does not list scopes."""
    st.caption(
        "This workspace does not list quotes. These are the ones that you created or opened in this session."
    )
    if scopes := recently_opened.load_opened(deployment, "scope", queries.load_scope):
        draw_recent_scopes(scopes)
    else:
        draw_empty_state(
            "No quotes yet",
            "Open one by its ID." if deployment.read_only else "Create one, or open one by its ID.",
            "request_quote",
        )
    navigation.draw_open_by_id("scope", "Quote ID")


draw_page_header("Quotes", caption="What you plan to buy, for how long and at what price.")
new = partial(draw_scope_creation, deployment, on_created=lambda scope: open_scope(scope.id))
draw_offered_tabs(
    deployment,
    {
        ALL: Tab(draw_list_tab),
        FORM: Tab(new, "POST /v1/scope"),
    },
    key="scopes-tab",
    default=FORM if {"product", "follows"} & set(st.query_params) else ALL,
)
