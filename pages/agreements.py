"""Contracts: what must be done about them, all of them, what they cost, and what others pay."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from app.dashboard import navigation
from app.dashboard.agreements.agreement_list import draw_act_now, draw_agreement_listing
from app.dashboard.agreements.portfolio import draw_market, draw_spend
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.filtered_list import Empty
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.sample_data import draw_sample_figures_notice
from app.dashboard.signing_in import identity
from components.elements.page_header import draw_page_header

deployment = identity.require_deployment()


def draw_tab(name: str, draw: Callable[[Deployment], object]) -> None:
    if queries.load_agreements(deployment, limit=1).pagination.total:
        draw(deployment)
        return
    Empty(
        "No contracts yet",
        "A negotiation becomes one when its price is agreed, and a confirmed quote in one click. What"
        " was agreed elsewhere is entered in a form, or imported from a file.",
        "contract",
        "Add a contract" if queries.has_operation(deployment, "POST /v1/agreements") else None,
        page="new_agreement",
    ).draw(f"first-{name}")


def draw_links() -> None:
    links = (
        ("POST /v1/agreements", "new_agreement", "Add a contract", "add"),
        ("POST /v1/imports", "imports", "Import contracts", "upload_file"),
        ("PATCH /v1/working-days", "working_days", "Working days and mail", "calendar_month"),
    )
    with st.container(horizontal=True):
        for operation, page, label, icon in links:
            if queries.has_operation(deployment, operation):
                navigation.draw_link(page, label, icon=icon)


draw_page_header("Contracts", caption="What was agreed, until when, and what must be done by when.")
draw_links()
draw_sample_figures_notice(deployment)
tabs = (
    ("Act now", draw_act_now, "GET /v1/renewals"),
    ("All", draw_agreement_listing, "GET /v1/agreements"),
    ("Spend", draw_spend, "GET /v1/spend"),
    ("Benchmark", draw_market, "GET /v1/market"),
)
draw_offered_tabs(
    deployment,
    {name: Tab(partial(draw_tab, name, draw), needs, f"“{name}”") for name, draw, needs in tabs},
    key="agreements-tab",
)
