"""Which line answers which, as a person decides, and scenarios of awards, on the page of a requirement."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.contract.sourcing import NO_AWARD_FOUND, Matrix, NewScenario
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.sourcing.scenarios import make_award_table, make_scenario_form
from app.service.sourcing.store import find_scenario, update_scenario
from app.settings import Settings
from components.elements.table import Row
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, page_text
from tests.dashboard.record_tables import ADDRESS, read_metrics, read_record_tables
from tests.dashboard.sourcing.requirement_factory import add_quote, make_line, state_requirement

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


@pytest.fixture
def requirement(deployment: Deployment) -> dict[str, Any]:
    """Two lines, of which each of two suppliers is the cheaper one for one."""
    made = state_requirement(deployment, "Analytics seats", "Data storage", termMonths=12)
    add_quote(deployment, made, "Alpha", make_line(made, 0, 100), make_line(made, 1, 50))
    add_quote(deployment, made, "Beta", make_line(made, 0, 90), make_line(made, 1, 70))
    return made


def validate_scenario(
    fields: dict[str, Any], rows: Sequence[Row], matrix: Matrix, names: dict[str, str]
) -> CheckedForm[NewScenario]:
    nobody = Deployment("https://parley.example", "key")
    table = make_award_table("award", matrix, names, None)
    with patch.object(st, "session_state", {"award": {"edited_rows": dict(enumerate(rows))}}):
        return make_scenario_form(nobody, matrix, names, table).check_values(fields)


def open_tab(open_page: OpenPage, requirement: dict[str, Any], tab: str, **query: str) -> AppTest:
    page = open_page("requirement", id=requirement["id"], **{"requirement-tab": tab}, **query)
    assert not page.exception
    return page


def read_text(page: AppTest) -> str:
    return page_text(page).replace("\\", "")


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=f"{key}-button").click().run()
    assert not page.exception
    return page


def test_what_is_in_doubt_comes_first_and_what_a_person_says_stays(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    texts = ("<b>Workshop</b>", "Seats of analytics", "Analytics seats or so")
    lines = [{"description": text, "quantity": 10, "unitPrice": 5.125, "recurring": "year"} for text in texts]
    quote = add_quote(deployment, requirement, "Gamma", *lines)
    states = {line["description"]: line["alignment"] for line in quote["lines"]}
    assert states["<b>Workshop</b>"] == "none"
    doubtful = [line for line in quote["lines"] if line["alignment"] == "doubtful"]
    assert doubtful, states
    page = open_tab(open_page, requirement, "Matching")
    assert f"{len(doubtful)} in doubt" in read_text(page)
    rows = [key for box in page.selectbox if (key := box.key or "").endswith("/line")]
    assert rows[0] == f"align-{doubtful[0]['id']}/line", "what is in doubt comes first"
    assert "<b>Workshop</b>" in read_text(page)
    assert "Gamma: 10 at USD 5.125 each year" in read_text(page), "the price as in the table"
    storage = requirement["lines"][1]["id"]
    page.selectbox(key=rows[0]).set_value(storage).run()
    page.checkbox(key=rows[0].replace("/line", "/alternate")).check().run()
    press(page, f"align-{requirement['id']}")
    assert "Nothing to decide" in read_text(page)
    [stored] = [
        line
        for one in call_service(deployment, "GET", f"/v1/requirements/{requirement['id']}/quotes")["data"]
        for line in one["lines"]
        if line["id"] == doubtful[0]["id"]
    ]
    assert (stored["alignment"], stored["requirementLineId"], stored["alternate"]) == (
        "confirmed",
        storage,
        True,
    )


@pytest.mark.campaign
def test_a_split_is_found_proven_and_shown_by_line(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    page = press(open_tab(open_page, requirement, "Scenarios"), f"scenario-of-{requirement['id']}")
    assert "The cheapest possible under these conditions." in [one.value for one in page.success]
    assert read_metrics(page)["Total"] == "USD 1,400.00"
    [row], award = read_record_tables(page)
    assert [line["Amount"] for line in award] == ["USD 900.00", "USD 500.00"]
    assert (row["Scenario"], row["Constraints"], row["Total"], row["State"]) == (
        "Cheapest split",
        "No constraints",
        "USD 1,400.00",
        "cheapest possible",
    )
    assert row["Goes to"] == "Beta, Alpha"
    assert "tab=Scenarios" in row[ADDRESS]
    assert page.query_params["scenario"] in row[ADDRESS]


def test_two_quotes_of_a_supplier_are_of_one(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    add_quote(deployment, requirement, "Beta", make_line(requirement, 1, 40))
    page = press(open_tab(open_page, requirement, "Scenarios"), f"scenario-of-{requirement['id']}")
    metrics = read_metrics(page)
    assert (metrics["Total"], metrics["Suppliers"]) == ("USD 1,300.00", "1")


@pytest.mark.campaign
def test_scenarios_stand_side_by_side_with_what_their_constraints_cost(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    form = f"scenario-of-{requirement['id']}"
    page = press(open_tab(open_page, requirement, "Scenarios"), form)
    page.radio(key=f"{form}/objective").set_value("cheapest_single").run()
    page = press(page, form)
    rows, side_by_side, _ = read_record_tables(page)
    assert [row["Total"] for row in rows] == ["USD 1,500.00", "USD 1,400.00"]
    assert "One supplier: costs USD 100.00." in read_text(page)
    assert side_by_side == [
        {"Line": line, "1. Cheapest single supplier": "Alpha", "2. Cheapest split": split}
        for line, split in (("Analytics seats", "Beta"), ("Data storage", "Alpha"))
    ]
    page = open_tab(open_page, requirement, "Scenarios", scenario=rows[1][ADDRESS].split("scenario=")[1])
    assert read_metrics(page)["Total"] == "USD 1,400.00", "the address names the one that is shown"


def test_what_cannot_be_names_the_contradiction(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    form = f"scenario-of-{requirement['id']}"
    page = open_tab(open_page, requirement, "Scenarios")
    page.number_input(key=f"{form}/maxSuppliers").set_value(1).run()
    page.number_input(key=f"{form}/maxShare").set_value(60.0).run()
    page = press(page, form)
    assert "No award keeps to all of this together:" in [one.value for one in page.error]
    assert "No supplier has more than 60" in read_text(page)


def test_an_award_by_hand_is_of_cells_that_can_be_compared(
    deployment: Deployment, requirement: dict[str, Any]
) -> None:
    add_quote(deployment, requirement, "Gamma", make_line(requirement, 0, 10, alternate=True))
    matrix = queries.load_matrix(deployment, requirement["id"])
    names = {one.quote_id: one.supplier_name for one in matrix.quotes}
    rows = make_award_table("award", matrix, names, None).rows
    assert [row["Goes to"] for row in rows] == ["Beta", "Alpha"], "the lowest of each line to begin with"
    body = validate_scenario({"objective": "by_hand"}, rows, matrix, names).body
    assert body is not None
    lowest = [cell.quote_line_id for line in matrix.lines for cell in line.cells if cell.lowest]
    assert body.award == lowest
    wrong = [{**rows[0], "Goes to": "Gamma"}, rows[1]]
    checked = validate_scenario({"objective": "by_hand"}, wrong, matrix, names)
    assert checked.faults == {"award": "Line 1: Gamma asks nothing for it that can be compared."}
    nobody = [{**row, "Goes to": None} for row in rows]
    assert validate_scenario({"objective": "by_hand"}, nobody, matrix, names).body is None


def test_a_supplier_that_is_kept_is_not_left_out(deployment: Deployment, requirement: dict[str, Any]) -> None:
    matrix = queries.load_matrix(deployment, requirement["id"])
    first = matrix.quotes[0].quote_id
    both = {"objective": "cheapest_split", "excludedQuotes": [first], "keepQuotes": [first]}
    assert set(validate_scenario(both, [], matrix, {}).faults) == {"keepQuotes"}
    share = {"objective": "cheapest_split", "maxShare": 120.0}
    assert set(validate_scenario(share, [], matrix, {}).faults) == {"maxShare"}


def test_a_scenario_that_is_being_solved_is_followed(
    open_page: OpenPage, requirement: dict[str, Any], service: RunningService
) -> None:
    form = f"scenario-of-{requirement['id']}"
    page = press(open_tab(open_page, requirement, "Scenarios"), form)
    ident = page.query_params["scenario"]
    with service.context.database.writing() as connection:
        solved = find_scenario(connection, requirement["id"], ident)
        update_scenario(connection, solved.model_copy(update={"status": "solving"}))
    queries.load_scenarios.clear()
    page = open_tab(open_page, requirement, "Scenarios")
    assert "It is being solved." in [one.value for one in page.info]
    with service.context.database.writing() as connection:
        update_scenario(connection, solved.model_copy(update={"status": "gap", "gap": Decimal("2.5")}))
    page.run()
    assert not page.exception
    assert [one.value for one in page.warning] == [
        "The best that was found. None costs less than USD 1,400.00. At most 2.50 % of it can be saved."
    ]
    with service.context.database.writing() as connection:
        lost = {"status": "gap", "total": None, "gap": None, "bound": None, "award": []}
        update_scenario(connection, solved.model_copy(update=lost))
    queries.load_scenarios.clear()
    page = open_tab(open_page, requirement, "Scenarios")
    assert not page.exception
    assert [one.value for one in page.warning] == [NO_AWARD_FOUND]


def test_a_scenario_is_decided_for_with_a_reason(
    open_page: OpenPage, deployment: Deployment, requirement: dict[str, Any]
) -> None:
    page = press(open_tab(open_page, requirement, "Scenarios"), f"scenario-of-{requirement['id']}")
    form = f"award-{page.query_params['scenario']}"
    page = press(page, form)
    assert "Say why it is decided so." in read_text(page)
    assert "Enter the address." in read_text(page)
    page.radio(key=f"{form}/make").set_value("agreements").run()
    page.text_area(key=f"{form}/reason").set_value("Cheapest, and <b>in time</b>.").run()
    page = press(page, form)
    award = call_service(deployment, "GET", f"/v1/requirements/{requirement['id']}")["award"]
    assert (award["total"], award["reason"]) == (1400, "Cheapest, and <b>in time</b>.")
    assert "Awarded for USD 1,400.00" in page.success[0].value.replace("\\", "")
    rows = read_record_tables(page)[0]
    assert {row["Supplier"]: row["Made of it"] for row in rows} == {
        "Alpha": "a contract",
        "Beta": "a contract",
    }
    assert rows[0][ADDRESS].startswith("agreement?id=")
    assert not [button for button in page.button if button.key == f"{form}-button"], "it is awarded once"
