"""Scenarios of a requirement: the form, those that were tried, one in full, and the award by it."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.contract.sourcing import MAX_QUOTES, Matrix, NewScenario, Requirement, Scenario
from app.contract.sourcing_award import NewAward
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import load_list_page
from app.dashboard.kit.form import Form
from app.dashboard.sourcing.quote_cells import name_quotes
from components.elements.empty_state import draw_empty_state
from components.elements.form_fields import Field, Fields, mark_required
from components.elements.line_table import LineColumn, LineTable, join_row_faults, make_rows
from components.elements.pagination import draw_pagination_bar
from components.formatting import escape_markdown, shorten_text
from components.sourcing.scenarios import (
    EXPLANATIONS,
    OBJECTIVES,
    draw_award_comparison,
    draw_scenario_result,
    draw_scenario_table,
    format_amount,
)

DECIDABLE = ("optimal", "gap")
MAKES = {"negotiations": "Negotiations", "agreements": "Contracts"}


def draw_awarding(deployment: Deployment, requirement: Requirement, scenario: Scenario) -> None:
    """Draw the form that awards the requirement by this scenario, where that can be: what is made of it, why,
    and who decides. Contracts begin with a day, and negotiations with a person."""
    if (
        requirement.award is not None
        or scenario.status not in DECIDABLE
        or not scenario.award
        or scenario.outdated  # what it rests on is said above it
        or not queries.has_operation(deployment, "POST /v1/requirements/{}/award")
    ):
        return
    form = Form(
        deployment,
        f"award-{scenario.id}",
        NewAward,
        (
            Field(
                "make",
                "What is made of it",
                kind="radio",
                words=MAKES,
                default="negotiations",
                captions=(
                    "One starts from each quote that gets something.",
                    "The price of each quote is put on record.",
                ),
            ),
            Field("reason", mark_required("Why it is decided so"), "Say why it is decided so.", kind="area"),
            Field("decidedBy", "Who decides"),
            Field("contactName", mark_required("Who negotiates")),
            Field("contactEmail", mark_required("Their email"), most=254),
            Field("termStart", "First day of the term", default=requirement.needed_by),
        ),
        shape=lambda values: _shape(values, scenario.id),
        check_fields=_check,
    )
    amount = "" if scenario.total is None else f" for {format_amount(scenario.total, requirement.currency)}"
    title = escape_markdown(f"Award the requirement by this scenario{amount}")
    with st.expander(title, expanded=bool(form.faults)):
        with form.drawing():
            form.draw_fields(["make", "reason"])
            negotiates: bool = form.read()["make"] != "agreements"
            with st.grid(3, min_column_width=200):
                form.draw_fields(
                    ["decidedBy", "contactName", "contactEmail"] if negotiates else ["decidedBy", "termStart"]
                )
        form.draw_button(
            f"Award it{amount}",
            send=lambda client, body, key: client.requirements.award(
                requirement.id, body, idempotency_key=key
            ),
            what="Awarding the requirement",
            icon="gavel",
        )


def _shape(values: Fields, scenario_id: str) -> dict[str, Any]:
    left_out = ("termStart",) if values["make"] != "agreements" else ("contactName", "contactEmail")
    return {"scenarioId": scenario_id, **values, **dict.fromkeys(left_out)}


def _check(values: Fields) -> dict[str, str]:
    if values["make"] == "agreements":
        return {}
    needed = {"contactName": "Enter the name.", "contactEmail": "Enter the address."}
    return {name: fault for name, fault in needed.items() if not values[name]}


_LONGEST_LINE = 200


def make_scenario_form(
    deployment: Deployment, matrix: Matrix, names: Mapping[str, str], table: LineTable
) -> Form[NewScenario]:
    """Return the form of a scenario; `names` are those of the quotes by id, and `table` has the award by
    hand, a row for each line of the requirement."""

    def check(values: Mapping[str, Any]) -> dict[str, str]:
        if set(values["excludedQuotes"] or ()) & set(values["keepQuotes"] or ()):
            return {"keepQuotes": "Not something and nothing to the same supplier."}
        if values["objective"] != "by_hand":
            return {}
        award, wrong = _read_award(table, matrix, names)
        if wrong:
            return {"award": join_row_faults(wrong)}
        return {} if award else {"award": "Choose a supplier for at least one line."}

    def shape(values: Fields) -> dict[str, Any]:
        objective = values["objective"] or "cheapest_split"
        constraints = {name: value for name, value in values.items() if value and name != "objective"}
        by_hand = objective == "by_hand"
        return {
            "objective": objective,
            "constraints": constraints,
            "award": _read_award(table, matrix, names)[0] if by_hand else None,
        }

    return Form(
        deployment,
        f"scenario-of-{matrix.requirement.id}",
        NewScenario,
        (
            Field(
                "objective",
                "What it is to reach",
                kind="radio",
                words=OBJECTIVES,
                captions=list(EXPLANATIONS.values()),
                default="cheapest_split",
            ),
            Field("maxSuppliers", "At most so many suppliers", kind="number", least=1, most=MAX_QUOTES),
            Field(
                "maxShare",
                "Largest share of one supplier in %",
                kind="amount",
                help="Of the awarded amount, before discounts.",
            ),
            Field("excludedQuotes", "Nothing goes to", kind="several", words=names),
            Field("keepQuotes", "Something goes to", kind="several", words=names),
            Field("wholeBundles", "Bundles are awarded whole or not at all", kind="flag"),
        ),
        shape=shape,
        check_fields=check,
        places={"award": "award"},
    )


def make_award_table(key: str, matrix: Matrix, names: Mapping[str, str], best: Scenario | None) -> LineTable:
    """Return the table of each line with the supplier that `best` awards it to; without one, the lowest."""
    award = best.award if best is not None else []
    awarded = {line.requirement_line_id: line.quote_id for line in award if line.quote_id in names}
    lines = [
        {
            "line": shorten_text(" ".join(one.line.description.split()), _LONGEST_LINE),
            "quote": awarded.get(one.line.id)
            if best is not None
            else next((cell.quote_id for cell in one.cells if cell.lowest), None),
        }
        for one in matrix.lines
    ]
    columns = (
        LineColumn("line", "Line", width="large"),
        LineColumn("quote", "Goes to", words=names, width="medium"),
    )
    return LineTable(key, "Who gets which line", columns, make_rows(columns, lines), corrects=True)


def _read_award(
    table: LineTable, matrix: Matrix, names: Mapping[str, str]
) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines of quotes that are awarded, and what is wrong by row."""
    award: list[str] = []
    wrong: list[tuple[int, str]] = []
    for (place, row), line in zip(table.read_rows(), matrix.lines, strict=True):
        if (chosen := table.columns[1].read(row)) is None:
            continue
        # The service lists the cheapest comparable line of a quote first.
        cell = next((one for one in line.cells if one.quote_id == chosen and one.comparable), None)
        if cell is None:
            wrong.append((place, f"{names[chosen]} asks nothing for it that can be compared."))
        else:
            award.append(cell.quote_line_id)
    return award, wrong


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
        PAGE,
        ROWS,
        lambda offset: queries.load_scenarios(deployment, requirement.id, limit=ROWS, offset=offset),
    )
    if queries.has_operation(deployment, "POST /v1/requirements/{}/scenarios"):
        with st.expander("Another scenario" if page.data else "A first scenario", expanded=not page.data):
            _draw_form(deployment, matrix, names, page.data)
    elif not page.data:
        draw_empty_state("No scenarios yet", "Nobody has tried one.", "balance")
    if not page.data:
        return
    draw_scenario_table(page.data, requirement, names, {"id": requirement.id, **tab})
    if page.pagination.total > ROWS:
        draw_pagination_bar(page.pagination, PAGE, "scenario")
    if len(page.data) > 1:
        with st.expander("Who gets each line, side by side"):
            draw_award_comparison(page.data, requirement, names)
    with failure_panel("The chosen scenario"), st.container(border=True, key="scenario-in-full"):
        shown = _find_shown(deployment, page.data)
        if shown.status == "solving":
            _follow(deployment, requirement, shown.id, names)
        else:
            draw_scenario_result(shown, requirement, names)
            draw_awarding(deployment, requirement, shown)


def _find_shown(deployment: Deployment, listed: Sequence[Scenario]) -> Scenario:
    asked = st.query_params.get(SCENARIO)
    if asked is None:
        return listed[0]
    found = next((one for one in listed if one.id == asked), None)
    return found or queries.load_scenario(deployment, listed[0].requirement_id, asked)


@st.fragment(run_every=REFRESH_SECONDS)
def _follow(
    deployment: Deployment, requirement: Requirement, scenario_id: str, names: Mapping[str, str]
) -> None:
    """Draw a scenario that is being solved, and the whole page anew once it is."""
    with failure_panel("Following the scenario"):
        scenario = queries.client_for(deployment).requirements.get_scenario(requirement.id, scenario_id)
        if scenario.status != "solving":
            queries.load_scenarios.clear()
            queries.load_scenario.clear()
            st.rerun()
        draw_scenario_result(scenario, requirement, names)


def _draw_form(
    deployment: Deployment, matrix: Matrix, names: Mapping[str, str], tried: Sequence[Scenario]
) -> None:
    # Another table behind each scenario, which begins with what was found last.
    key = f"scenario-of-{matrix.requirement.id}-{tried[0].id if tried else 'first'}/award"
    best = next((one for one in tried if one.award and one.status != "infeasible"), None)
    table = make_award_table(key, matrix, names, best)
    form = make_scenario_form(deployment, matrix, names, table)
    with form.drawing():
        form.draw_fields(["objective"])
        with st.grid(2, min_column_width=240):
            form.draw_fields(["maxSuppliers", "maxShare", "excludedQuotes", "keepQuotes"])
        form.draw_fields(["wholeBundles"])
    by_hand: bool = form.read()["objective"] == "by_hand"
    if by_hand:
        table.draw(form.faults.get("award"))

    def show(made: Scenario) -> None:
        st.query_params[SCENARIO] = made.id

    form.draw_button(
        "Check this award" if by_hand else "Find the award",
        send=lambda client, body, key: client.requirements.create_scenario(
            matrix.requirement.id, body, idempotency_key=key
        ),
        what="Finding the award",
        on_success=show,
        icon="balance",
    )
