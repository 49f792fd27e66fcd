"""The calls of agents on the System status page: for admins, of their own organisation."""

from decimal import Decimal

from app.client import ApiClient
from app.contract.agent_calls import NewAgentCall
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import page_text
from tests.dashboard.people.test_people_page import sign_in
from tests.dashboard.record_tables import read_column

TAB = {"deployment-tab": "Agents"}


def test_an_admin_sees_the_calls_of_the_own_agents(open_page: OpenPage, service: RunningService) -> None:
    admin = sign_in(service, "Agents' employers", "admin")
    page = open_page("deployment", signed_in_to=admin, **TAB)
    assert "No agent has called a tool yet" in page_text(page)
    with ApiClient(service.address, api_key=admin.api_key) as agent:
        for status in (None, 404):
            outcome = "answered" if status is None else "service_error"
            made = NewAgentCall(tool="check_quote", outcome=outcome, status=status, seconds=Decimal("0.5"))
            agent.agent_calls.record(made)
    page = open_page("deployment", signed_in_to=admin, **TAB)
    assert "2 calls of tools with your organisation's keys, 1 of them not answered." in page_text(page)
    assert [read_column(page, name) for name in ("Tool", "Calls", "Not answered")] == [
        ["check_quote"],
        ["2"],
        ["1"],
    ]
    assert read_column(page, "Ended") == ["Refused by the service (404)", "Answered"]
    assert set(read_column(page, "Who")) == {"admin"}
    other = open_page("deployment", signed_in_to=sign_in(service, "Others", "owner"), **TAB)
    assert "No agent has called a tool yet" in page_text(other)
    buyer = open_page("deployment", signed_in_to=sign_in(service, "Agents' employers", "buyer"), **TAB)
    assert "agent" not in page_text(buyer).lower()
