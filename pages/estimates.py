"""What scopes should cost, side by side, next to what the suppliers ask. The address names up to four scopes
(`?ids=`)."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.pricing import AdvancedEstimate
from app.contract.scope import Scope
from app.dashboard import navigation, recently_opened
from app.dashboard.api import queries
from app.dashboard.estimates.answer import draw_answer
from app.dashboard.estimates.estimate_evidence import EstimatedScope, draw_downloads, draw_evidence
from app.dashboard.estimates.scope_estimates import (
    MAX_SCOPES,
    find_highlights,
    find_paid_once,
    get_quote,
    load_compared_scope,
    load_estimate,
)
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import Empty
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.scopes.scope_creation import find_scope_currency
from app.dashboard.scopes.scope_listing import find_scopes
from app.dashboard.session_values import SessionValue, typed_quotes
from app.dashboard.signing_in import identity
from components.elements.form_fields import FoundOptions, draw_search_choice
from components.elements.page_header import draw_heading, draw_page_header
from components.estimates.scope_comparison import draw_scope_comparison
from components.formatting import draw_captions, escape_markdown
from components.scopes import describe_term, make_scope_title

SCOPE_ADDED = SessionValue("scope-added", False)

deployment = identity.require_deployment()


def put_in_address(scope_ids: Sequence[str]) -> None:
    st.query_params["ids"] = ",".join(scope_ids)


@st.fragment
def draw_scope_choice(chosen: list[str]) -> None:
    """Draw the search for a scope to add to those in the address, up to `MAX_SCOPES`. What is typed draws it
    alone; a choice runs the page again."""
    if SCOPE_ADDED.pop():
        st.rerun()

    def find(text: str) -> FoundOptions:
        return find_scopes(deployment, text)

    def add(scope_id: str) -> None:
        put_in_address([*chosen, scope_id])
        SCOPE_ADDED.set(True)

    if len(chosen) >= MAX_SCOPES:
        st.caption("Up to four quotes can be compared. Remove one to add another.")
        return
    with failure_panel("The search for quotes"):
        draw_search_choice(find, "quote", chosen, key="estimates", on_choose=add)


def draw_column(
    scope: Scope,
    highlights: list[str],
    beside: Sequence[tuple[AdvancedEstimate, Decimal | None]],
) -> None:
    title = escape_markdown(make_scope_title(scope))
    navigation.draw_link("scope", title, icon="description", id=scope.id)
    if highlights:
        st.markdown(" ".join(f":green-badge[:material/star: {mark}]" for mark in highlights))
    currency = find_scope_currency(deployment, scope.id)
    draw_captions(describe_term(term, currency) for term in scope.scope_terms)
    draw_answer(deployment, scope, beside)


def draw_comparison(scope_ids: list[str]) -> None:
    """Draw a column for each scope, then what the estimates rest on."""
    scopes: list[Scope] = []
    loaded: dict[str, AdvancedEstimate | str] = {}
    draw_sample_notice(deployment, scope_ids)
    is_alone = len(scope_ids) == 1
    # A grid and not columns: in a narrow window its cells move under each other.
    grid = None if is_alone else st.grid(len(scope_ids), min_column_width=225, border=True)
    cells = {scope_id: st.container() if grid is None else grid.cell() for scope_id in scope_ids}
    for scope_id in scope_ids:
        if not is_alone:
            cells[scope_id].button(
                "Remove",
                icon=":material/close:",
                type="tertiary",
                key=f"remove-{scope_id}",
                on_click=put_in_address,
                args=([each for each in scope_ids if each != scope_id],),
            )
        with cells[scope_id], failure_panel("This quote", key=scope_id):
            scope = queries.load_scope(deployment, scope_id)
            loaded[scope_id] = load_estimate(deployment, scope_id)
            recently_opened.remember(deployment, "scope", scope_id)
            scopes.append(scope)
    estimates = {scope_id: one for scope_id, one in loaded.items() if isinstance(one, AdvancedEstimate)}
    typed = typed_quotes()
    highlights = find_highlights(scopes, estimates, typed, find_paid_once(deployment, scopes))
    beside = [(estimates[one.id], get_quote(one, typed)) for one in scopes if one.id in estimates]
    for scope in scopes:
        with cells[scope.id]:
            draw_column(scope, highlights[scope.id], beside)
    if len(estimates) > 1:
        draw_heading("Compared per unit")
        with failure_panel("The comparison"):
            draw_scope_comparison(
                [
                    load_compared_scope(deployment, scope, estimates[scope.id])
                    for scope in scopes
                    if scope.id in estimates
                ],
                key="comparison",
            )
    if estimates:
        draw_details([(scope, estimates[scope.id]) for scope in scopes if scope.id in estimates])


def draw_details(priced_scopes: list[EstimatedScope]) -> None:
    """Draw the evidence of one of the estimates, and the downloads of all."""
    draw_heading("Evidence behind the estimate")
    chosen = 0
    if len(priced_scopes) > 1:
        names = [f"{at}. {make_scope_title(scope)}" for at, (scope, _) in enumerate(priced_scopes, 1)]
        positions = range(len(names))
        chosen = st.radio(
            "Quote", positions, format_func=names.__getitem__, key="of", label_visibility="collapsed"
        )
    draw_evidence(deployment, *priced_scopes[chosen], key="estimates-tab")
    draw_downloads(deployment, priced_scopes)


draw_page_header("Estimates", caption="What comparable purchases cost, before tax, for the whole term.")
ids = [scope_id for scope_id in st.query_params.get("ids", "").split(",") if scope_id]
scope_ids = list(dict.fromkeys(ids))[:MAX_SCOPES]
draw_scope_choice(scope_ids)
if scope_ids:
    draw_comparison(scope_ids)
else:
    Empty(
        "No quote chosen",
        "Choose a quote to see what it should cost, or up to four to compare them."
        + (" No quotes yet? Create one." if queries.has_operation(deployment, "POST /v1/scope") else ""),
        "bar_chart",
        "Open quotes",
        page="scopes",
    ).draw("to-scopes")
