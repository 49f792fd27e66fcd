"""Scenarios of a requirement: a form for another one, those that were tried side by side, and one in full."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from app.contract.sourcing import Matrix, Requirement, Scenario
from app.dashboard.api import queries, sourcing_queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.sourcing.awarding import draw_awarding
from app.dashboard.sourcing.quote_cells import name_quotes
from app.dashboard.sourcing.scenario_form import make_award_rows, make_scenario_form
from components.elements.empty_state import draw_empty_state
from components.elements.pagination import draw_pagination_bar
from components.elements.table import Row
from components.sourcing.award import draw_award_comparison
from components.sourcing.scenarios import (
    SUPPLIER,
    draw_award_editor,
    draw_scenario_result,
    draw_scenario_table,
    read_award_editor,
)

REFRESH_SECONDS = 1.0
PAGE = "scenarios-page"
ROWS = 10
SCENARIO = "scenario"
"""The scenario that is shown in full, in the address: the newest where it names none."""


def draw_scenarios(deployment: Deployment, matrix: Matrix, tab: Mapping[str, str]) -> None:
    """Draw the form, the scenarios and one of them; `tab` is the address of the tab. Needs
    `GET /v1/requirements/{}/scenarios`."""
    requirement, names = matrix.requirement, name_quotes(matrix.quotes)
    page = load_list_page(
        PAGE, ROWS, partial(sourcing_queries.load_scenarios, deployment, requirement.id, ROWS)
    )
    if queries.has_operation(deployment, "POST /v1/requirements/{}/scenarios"):
        with st.expander("Another scenario" if page.data else "A first scenario", expanded=not page.data):
            _draw_form(deployment, matrix, names, page.data)
    elif not page.data:
        draw_empty_state("No scenarios yet", "Nobody has tried one.", icon="balance")
    if not page.data:
        return
    draw_scenario_table(page.data, requirement, names, {"id": requirement.id, **tab})
    if page.pagination.total > ROWS:
        draw_pagination_bar(page.pagination, PAGE, "scenario")
    if len(page.data) > 1:
        with st.expander("Who gets each line, side by side"):
            draw_award_comparison(page.data, requirement, names, key="awards")
    with failure_panel("The chosen scenario"), st.container(border=True, key="scenario-in-full"):
        shown = _find_shown(deployment, page.data)
        if shown.status == "solving":
            _follow(deployment, requirement, shown.id, names)
        else:
            draw_scenario_result(shown, requirement, names, key=f"scenario-{shown.id}")
            draw_awarding(deployment, requirement, shown)


def _find_shown(deployment: Deployment, listed: Sequence[Scenario]) -> Scenario:
    asked = st.query_params.get(SCENARIO)
    if asked is None:
        return listed[0]
    found = next((one for one in listed if one.id == asked), None)
    return found or sourcing_queries.load_scenario(deployment, listed[0].requirement_id, asked)


@st.fragment(run_every=REFRESH_SECONDS)
def _follow(
    deployment: Deployment, requirement: Requirement, scenario_id: str, names: Mapping[str, str]
) -> None:
    """Draw a scenario that is being solved, and the whole page anew once it is."""
    solved = False
    with failure_panel("Following the scenario"):
        scenario = queries.client_for(deployment).requirements.get_scenario(requirement.id, scenario_id)
        solved = scenario.status != "solving"
        if not solved:
            draw_scenario_result(scenario, requirement, names, key=f"scenario-{scenario_id}")
    if solved:
        sourcing_queries.load_scenarios.clear()
        sourcing_queries.load_scenario.clear()
        st.rerun()


def _draw_form(
    deployment: Deployment, matrix: Matrix, names: Mapping[str, str], tried: Sequence[Scenario]
) -> None:
    rows: Sequence[Row] = []
    # Another editor behind each scenario, which begins with what was found last.
    editor = f"scenario-of-{matrix.requirement.id}-{tried[0].id if tried else 'first'}"
    form = make_scenario_form(deployment, matrix, names, lambda: read_award_editor(rows, key=editor))
    form.begin()
    form.draw_fault()
    form.draw_fields(["objective"])
    with st.grid(2, min_column_width=240):
        form.draw_fields(["maxSuppliers", "maxShare", "excludedQuotes", "keepQuotes"])
    form.draw_fields(["wholeBundles"])
    form.keep_draft()
    by_hand: bool = form.read()["objective"] == "by_hand"
    if by_hand:
        best = next((one for one in tried if one.award and one.status != "infeasible"), None)
        rows = make_award_rows(matrix, names, best)
        draw_award_editor(rows, _list_suppliers(names, rows), key=editor, fault=form.faults.get("award"))

    def show(made: Scenario) -> None:
        st.query_params[SCENARIO] = made.id

    form.draw_button(
        "Check this award" if by_hand else "Find the award",
        send=lambda client, body, key: client.requirements.create_scenario(
            matrix.requirement.id, body, idempotency_key=key
        ),
        what="Finding the award",
        on_success=show,
        icon=":material/balance:",
    )


def _list_suppliers(names: Mapping[str, str], rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys([*names.values(), *(str(row[SUPPLIER]) for row in rows if row[SUPPLIER])]))
