"""Owners on the pages of a scope and a negotiation."""

from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.settings import Settings
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import call_service, create_scope, page_text, start_unplanned

ORGANISATION = uuid4().hex


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own."""
    return Deployment(service.address, service.key(ORGANISATION))


def fill(page: AppTest, name: str, email: str) -> AppTest:
    """Fill the form of the owner and send it."""
    [key] = [str(one.key) for one in page.button if one.label == "Save the owner"]
    form = key.removesuffix("-button")
    page.text_input(key=f"{form}/name").set_value(name)
    page.text_input(key=f"{form}/email").set_value(email).run()
    return page.button(key=key).click().run()


def test_an_owner_is_named_changed_and_taken_back(open_page: OpenPage, deployment: Deployment) -> None:
    [negotiation] = start_unplanned(deployment)
    for kind, one in (("scope", create_scope(deployment)), ("negotiation", negotiation)):
        where = "/v1/scope" if kind == "scope" else "/v1/negotiation"

        def read_owners(where: str = where, one: str = one) -> object:
            [found] = [each for each in call_service(deployment, "GET", where)["data"] if each["id"] == one]
            return found.get("owners")

        page = open_page(kind, id=one)
        assert read_owners() is None
        fill(page, "", "bea@acme.example")
        assert "Enter the owner's name too." in page_text(page)
        fill(page, "Bea", "nowhere")
        assert "“Owner's email” must" in page_text(page)
        fill(page, "Bea *Buyer*", "bea@acme.example")
        assert not page.exception
        assert read_owners() == [{"name": "Bea *Buyer*", "email": "bea@acme.example"}]
        call_service(deployment, "PATCH", f"{where}/{one}", {"owners": [{"name": "Bea"}, {"name": "Carl"}]})
        page = open_page(kind, id=one)
        assert "Besides: Carl. They stay." in page_text(page)
        fill(page, "Dora", "")
        assert read_owners() == [{"name": "Dora"}, {"name": "Carl"}]
        fill(page, "", "")
        fill(page, "", "")
        assert read_owners() is None


def test_an_owner_that_somebody_else_has_named_meanwhile_is_not_taken_back(
    open_page: OpenPage, deployment: Deployment
) -> None:
    one = create_scope(deployment)
    path = f"/v1/scope/{one}"
    untouched, typed = open_page("scope", id=one), open_page("scope", id=one)
    typed.text_input(key=f"owner-{one}/name").set_value("Ann").run()
    call_service(deployment, "PATCH", path, {"owners": [{"name": "Bea"}, {"name": "Carl"}]})
    queries.load_scope.clear()
    assert untouched.run().text_input(key=f"owner-{one}/name").value == "Bea"
    typed.run()
    assert typed.text_input(key=f"owner-{one}/name").value == "Ann"
    assert "Somebody has changed this owner meanwhile." in page_text(typed)
    typed.button(key=f"owner-{one}-button").click().run()
    [found] = [each for each in call_service(deployment, "GET", "/v1/scope")["data"] if each["id"] == one]
    assert found["owners"] == [{"name": "Ann"}, {"name": "Carl"}]


@pytest.mark.campaign
def test_who_may_only_read_sees_the_owner_and_no_form(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    one = create_scope(deployment)
    call_service(deployment, "PATCH", f"/v1/scope/{one}", {"owners": [{"name": "Bea"}]})
    reader = Deployment(service.address, service.key(ORGANISATION, read_only=True), read_only=True)
    page = open_page("scope", signed_in_to=reader, id=one)
    assert "Owner: Bea" in page_text(page)
    assert not [button for button in page.button if button.label == "Save the owner"]
