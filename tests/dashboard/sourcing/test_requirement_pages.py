"""The pages that compare quotes: the list, and the table of a requirement with its filters."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.contract.dates import format_day
from app.dashboard.deployment import Deployment
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import page_text
from tests.dashboard.record_tables import ADDRESS, read_record_tables
from tests.dashboard.sourcing.quote_tables import read_quote_table
from tests.dashboard.sourcing.requirement_factory import (
    AWKWARD,
    add_quote,
    add_rate,
    make_line,
    state_requirement,
)

OpenPage = Callable[..., AppTest]


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


@pytest.fixture
def requirement(deployment: Deployment) -> dict[str, Any]:
    """Two lines, a complete quote, one with a gap and an alternate, and one in a currency without a rate."""
    made = state_requirement(deployment, "Analytics seats", AWKWARD, discountRate=10)
    terms: dict[str, Any] = {"validUntil": "2020-01-31", "leadTimeDays": 14}
    lines = [make_line(made, 0, 100, description=AWKWARD), make_line(made, 1, 50, recurring="once")]
    add_quote(deployment, made, "Alpha", *lines, **terms)
    add_quote(deployment, made, "Beta", make_line(made, 0, 90), make_line(made, 0, 80, alternate=True))
    add_quote(deployment, made, "Gamma", make_line(made, 1, 20), currency="EUR")
    return made


def test_without_requirements_the_page_says_what_they_are_for(open_page: OpenPage) -> None:
    page = open_page("requirements")
    assert not page.exception
    assert "No requirements yet" in page_text(page)


def test_requirements_are_listed_and_lead_to_their_quotes(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    [[row]] = read_record_tables(open_page("requirements"))
    assert (row["Requirement"], row["Quotes"], row["Lines"]) == ("Tools", "3", "2")
    assert row[ADDRESS] == f"requirement?id={requirement['id']}"


def test_the_table_shows_what_the_service_says_and_never_a_gap_as_0(
    open_page: OpenPage, requirement: dict[str, Any]
) -> None:
    table = read_quote_table(open_page("requirement", id=requirement["id"]))
    assert table.suppliers == ["Alpha", "Beta", "Gamma"]
    assert table.cells["Analytics seats", "Gamma"].kind == "gap"
    assert table.cells["Analytics seats", "Gamma"].texts == ["not quoted"]
    alpha, beta = (table.cells["Analytics seats", name] for name in ("Alpha", "Beta"))
    assert alpha.texts == ["2,000.00", "USD 100 a year"]
    assert beta.kind == "lowest"
    assert beta.texts == ["1,800.00", "USD 90 a year", "lowest", "1,600.00", "USD 80 a year", "alternate"]
    assert "An alternate: another way to answer the line." in beta.notes
    assert "By years: year 1 1,000.00, year 2 1,000.00." in alpha.notes
    assert table.cells[AWKWARD, "Gamma"].texts == ["no amount", "EUR 20 a year", "no rate"]
    assert "expired" in table.cells["", "Alpha"].texts
    assert "It expired: it was valid until 31 January 2020." in table.cells["", "Alpha"].notes
    sums = {name: table.cells[name, "Alpha"].texts for name in table.lines[2:]}
    assert sums["One-off"] == ["500.00"]
    assert sums["Recurring"] == ["2,000.00"]
    assert sums["Whole term"] == ["2,500.00"]
    assert sums["Present value"] == ["2,409.09"]
    assert table.cells["Whole term", "Gamma"].texts == ["—"], "nothing of it can be compared"


def test_what_suppliers_write_is_shown_as_it_is(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    table = read_quote_table(open_page("requirement", id=requirement["id"]))
    assert AWKWARD in table.lines
    assert any(AWKWARD in note for note in table.cells["Analytics seats", "Alpha"].notes)
    assert "img" not in table.tags


def test_a_converted_amount_names_the_rate_and_its_day(open_page: OpenPage, service: RunningService) -> None:
    owner = uuid4().hex
    deployment = Deployment(service.address, service.key(owner))
    add_rate(service, owner, "EUR", "USD", 1.25)
    made = state_requirement(deployment, "Analytics seats")
    add_quote(deployment, made, "Alpha", make_line(made, 0, 100), currency="EUR")
    page = open_page("requirement", signed_in_to=deployment, id=made["id"])
    cell = read_quote_table(page).cells["Analytics seats", "Alpha"]
    assert cell.texts == ["2,500.00", "EUR 100 a year"]
    assert f"EUR 1 = USD 1.25, the rate on {format_day(service.context.clock().date())}." in cell.notes


def test_the_address_restores_the_filters(open_page: OpenPage, requirement: dict[str, Any]) -> None:
    page = open_page(
        "requirement",
        id=requirement["id"],
        **{"compare-suppliers": "Beta", "compare-lines": "With a gap", "compare-text": "ANALYTICS"},
    )
    assert not page.exception
    table = read_quote_table(page)
    assert table.suppliers == ["Beta"]
    assert "Analytics seats" in table.lines
    assert AWKWARD not in table.lines
    assert table.cells["Analytics seats", "Beta"].kind == "lowest", "among all quotes, also the hidden ones"
    page = open_page("requirement", id=requirement["id"], **{"compare-text": "no such line"})
    assert "No line matches" in page_text(page)
    page.button(key="clear-compare-filters").click().run()
    assert AWKWARD in read_quote_table(page).lines
