"""Whom an organisation asks for a second opinion, as the System status page shows and changes it."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.contract.second_opinion import SecondOpinion, SecondOpinionChange
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.settings import Settings
from components.documents.document_review import describe_request
from tests.components.fixtures import NOON
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import page_text

OpenPage = Callable[..., AppTest]
TAB = {"deployment-tab": "Second opinion"}


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own."""
    return Deployment(service.address, service.key(uuid4().hex))


def test_a_second_opinion_is_off_until_somebody_names_whom_to_ask(
    open_page: OpenPage, deployment: Deployment
) -> None:
    page = open_page("deployment", **TAB)
    assert not page.exception
    assert page.checkbox(key="second-opinion/enabled").value is False
    page.checkbox(key="second-opinion/enabled").set_value(True).run()
    page.button(key="second-opinion-button").click().run()
    assert "Enter the address of the service." in page_text(page)
    assert "Type the key, or tick that none is needed." in page_text(page)
    page.text_input(key="second-opinion/address").set_value("https://models.example.com/v1")
    page.text_input(key="second-opinion/model").set_value("small-model")
    page.text_input(key="second-opinion/key").set_value("sk-1")
    page.number_input(key="second-opinion/calls_per_day").set_value(7).run()
    page.button(key="second-opinion-button").click().run()
    assert not page.exception
    stored = queries.client_for(deployment).second_opinion.settings()
    assert (stored.enabled, stored.has_key, stored.calls_per_day) == (True, True, 7)
    assert page.text_input(key="second-opinion/key").value == ""
    page.text_input(key="second-opinion/address").set_value("https://elsewhere.example.com").run()
    page.button(key="second-opinion-button").click().run()
    assert "must be stated with an address at another host" in page_text(page)


def test_settings_that_somebody_else_has_changed_meanwhile_are_not_taken_back(
    open_page: OpenPage, deployment: Deployment
) -> None:
    settings = queries.client_for(deployment).second_opinion
    one = {"address": "https://models.example.com/v1", "model": "small-model", "key": None}
    settings.update(SecondOpinionChange.model_validate({**one, "enabled": True}))
    page = open_page("deployment", **TAB)
    page.number_input(key="second-opinion/calls_per_day").set_value(7).run()
    settings.update(SecondOpinionChange(model="large-model", key="sk-1", enabled=False))
    queries.load_second_opinion.clear()
    page.run()
    assert "Somebody has changed this second opinion meanwhile." in page_text(page)
    page.button(key="second-opinion-button").click().run()
    assert not page.exception
    stored = settings.settings()
    assert (stored.enabled, stored.model, stored.has_key) == (False, "large-model", True)
    assert stored.calls_per_day == 7
    assert page.text_input(key="second-opinion/model").value == "large-model"
    page.button(key="second-opinion-button").click().run()
    assert "Nothing was changed." in page_text(page)
    page.checkbox(key="second-opinion/without_key").set_value(True).run()
    page.text_input(key="second-opinion/address").set_value("https://elsewhere.example.com").run()
    page.button(key="second-opinion-button").click().run()
    stored = settings.settings()
    assert (stored.address, stored.has_key) == ("https://elsewhere.example.com", False)
    page.text_input(key="second-opinion/address").set_value("https://third.example.com").run()
    page.button(key="second-opinion-button").click().run()
    assert settings.settings().address == "https://third.example.com"


def test_a_scope_says_what_was_sent_to_whom_and_when() -> None:
    opinion = SecondOpinion(
        status="answered",
        address="https://models.example.com/v1",
        model="small-model",
        asked_at=NOON,
        asked_about=["total", "lines"],
        page_numbers=[1, 3],
        word_count=1044,
        sentences=[],
    )
    assert describe_request(opinion) == (
        "1,044 words of pages 1, 3 went to small-model at models.example.com on 2 Mar 2026, 12:00,"
        " to ask about the total and the lines."
    )
