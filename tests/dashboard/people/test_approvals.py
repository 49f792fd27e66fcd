"""The page of approvals: what one person asks for, another one approves or refuses there."""

import pytest

from app.client import ApiClient, Conflict
from app.contract.access import Role
from app.contract.approvals import ApprovalRulesChange
from app.dashboard.deployment import Deployment
from app.service.access.caller import Caller
from app.service.access.keys import find_organisation
from app.service.access.sessions import start_session
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import page_text
from tests.service.running_service import add_member


def sign_in(service: RunningService, organisation: str, name: str, role: Role = "owner") -> Deployment:
    """A new member of the organisation, as they use the dashboard."""
    context = service.context
    service.key(organisation)
    user_id = add_member(context, organisation, name, role)
    with context.database.writing() as connection:
        member = Caller(user_id, find_organisation(connection, organisation), role, user_id=user_id)
        return Deployment(service.address, start_session(connection, member, context.clock()), role=role)


def ask(deployment: Deployment, url: str) -> str:
    with (
        ApiClient(deployment.base_url, api_key=deployment.api_key) as client,
        pytest.raises(Conflict) as refusal,
    ):
        client.webhooks.create(url, ["scope.extracted"])
    return refusal.value.approval_id or ""


def test_one_asks_and_another_approves_or_refuses(open_page: OpenPage, service: RunningService) -> None:
    ada, abe = (sign_in(service, "Four eyes", name) for name in ("Ada", "Abe"))
    rea = sign_in(service, "Four eyes", "Rea", "reader")
    rules = {"approvals-tab": "What needs a second person"}
    page = open_page("approvals", signed_in_to=ada, **rules)
    page.checkbox(key="approval-rules/webhooks").check()
    page.number_input(key="approval-rules/prices_above").set_value(1000.5)
    page.button(key="approval-rules-button").click().run()
    with ApiClient(ada.base_url, api_key=ada.api_key) as client:
        stated = client.approvals.rules()
    assert (stated.awards, stated.webhooks, float(stated.prices_above or 0)) == (False, True, 1000.5)
    approved, refused = ask(ada, "https://one.example/hook"), ask(ada, "https://two.example/hook")
    home = page_text(open_page("overview", signed_in_to=abe))
    assert "To be approved by two" in home
    own = open_page("approvals", signed_in_to=ada)
    assert [button.label for button in own.button if button.label in {"Approve", "Take it back"}] == [
        *["Take it back"] * 2
    ]
    assert not [one for one in open_page("approvals", signed_in_to=rea).button if one.label == "Approve"]
    page = open_page("approvals", signed_in_to=abe)
    assert "one.example" in page_text(page)
    page.button(key=f"refuse-{refused}-button").click().run()
    assert "Say why" in page_text(page)
    page.text_area(key=f"refuse-{refused}/reason").set_value("Not ours.")
    page.button(key=f"refuse-{refused}-button").click().run()
    page.button(key=f"approve-{approved}-button").click().run()
    with ApiClient(abe.base_url, api_key=abe.api_key) as client:
        assert [hook.url for hook in client.webhooks.list()] == ["https://one.example/hook"]
        assert {one.id: one.status for one in client.approvals.iter()} == {
            **{approved: "approved", refused: "refused"}
        }


def test_a_write_that_waits_says_so_and_leads_to_the_approvals(
    open_page: OpenPage, service: RunningService
) -> None:
    olga = sign_in(service, "Second look", "Olga")
    sign_in(service, "Second look", "Otto")
    with ApiClient(olga.base_url, api_key=olga.api_key) as client:
        client.approvals.change_rules(ApprovalRulesChange(webhooks=True))
    page = open_page("webhooks", signed_in_to=olga)
    [inbox] = [button for button in page.button if "inbox" in button.label.lower()]
    inbox.click().run()
    assert "waits for another person" in page_text(page)
    assert any(link.proto.page == "approvals" for link in page.get("page_link"))
