"""Contracts: what must be done about them, all of them, what they cost, and what others pay."""

from functools import partial

import streamlit as st

from app.dashboard import navigation
from app.dashboard.agreements.act_now import draw_act_now
from app.dashboard.agreements.agreement_list import draw_agreement_listing
from app.dashboard.agreements.portfolio import draw_market, draw_spend
from app.dashboard.api import agreement_queries, queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.signing_in import identity
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import draw_tabs

TABS = "agreements-tab"
BODIES = {
    "Act now": ("GET /v1/renewals", draw_act_now),
    "All": ("GET /v1/agreements", draw_agreement_listing),
    "Spend": ("GET /v1/spend", draw_spend),
    "Benchmark": ("GET /v1/market", draw_market),
}
"""The tabs, with the operation that each needs."""

deployment = identity.require_deployment()


def draw_tab(name: str) -> None:
    with failure_panel(f"“{name}”"):
        if agreement_queries.load_agreements(deployment, limit=1).pagination.total:
            BODIES[name][1](deployment)
        elif draw_empty_state(
            "No contracts yet",
            "A negotiation becomes one when its price is agreed, and a confirmed quote in one click. What"
            " was agreed elsewhere is entered in a form, or imported from a file.",
            icon="contract",
            action="Add a contract" if can_do("POST /v1/agreements") else None,
            key=f"first-{name}",
        ):
            navigation.open_page("new_agreement")


def can_do(operation: str) -> bool:
    return queries.has_operation(deployment, operation)


def draw_links() -> None:
    links = (
        ("POST /v1/agreements", "new_agreement", "Add a contract", "add"),
        ("POST /v1/imports", "imports", "Import contracts", "upload_file"),
        ("PATCH /v1/working-days", "working_days", "Working days and mail", "calendar_month"),
    )
    with st.container(horizontal=True):
        for operation, page, label, icon in links:
            if can_do(operation):
                navigation.draw_link(page, label, icon=f":material/{icon}:")


draw_page_header("Contracts", caption="What was agreed, until when, and what must be done by when.")
if can_do("GET /v1/agreements"):
    draw_links()
    bodies = {name: partial(draw_tab, name) for name, (operation, _) in BODIES.items() if can_do(operation)}
    draw_tabs(bodies, key=TABS)
else:
    draw_empty_state(
        "This workspace keeps no contracts", "Negotiations show what was agreed.", icon="cloud_off"
    )
