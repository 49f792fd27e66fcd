"""The page of webhooks: register, look at deliveries, look at one, delete."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.contract.events import EVENT_NAMES
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.settings import Settings
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, open_popover, page_text
from tests.dashboard.record_tables import ADDRESS, read_column, read_record_tables
from tests.dashboard.worker_fixture import running_worker, wait_until
from tests.flows.receiver import Receiver, receiving
from tests.service.webhooks.webhook_factory import happen

OpenPage = Callable[..., AppTest]
URL = "https://hooks.example.com/parley"


@pytest.fixture
def deployment(service: RunningService, dashboard_settings: Settings) -> Deployment:
    """An organisation of its own for each test."""
    return Deployment(service.address, service.key(uuid4().hex))


@pytest.fixture(scope="module")
def receiver(service: RunningService) -> Iterator[Receiver]:
    """A receiver that a worker delivers to."""
    with receiving() as receiver, running_worker(service.settings):
        yield receiver


def registered(deployment: Deployment, url: str = URL) -> str:
    body = {"url": url, "events": ["scope.extracted"]}
    ident: str = call_service(deployment, "POST", "/v1/webhooks", body)["id"]
    return ident


def delivered(deployment: Deployment, receiver: Receiver) -> tuple[str, str]:
    """A webhook with a test event that arrived: both ids."""
    webhook = registered(deployment, receiver.url)
    return webhook, send_test(deployment, webhook)


def send_test(deployment: Deployment, webhook: str) -> str:
    """The id of a test event that arrived, which is on record."""
    event: str = call_service(deployment, "POST", f"/v1/webhooks/{webhook}/test")["eventId"]
    path = f"/v1/webhooks/{webhook}/events/{event}"
    wait_until(lambda: call_service(deployment, "GET", path)["status"] == "succeeded")
    return event


def test_without_webhooks_the_page_says_what_they_are_for(open_page: OpenPage) -> None:
    page = open_page("webhooks")
    assert not page.exception
    assert "No webhooks yet" in page_text(page)


def test_a_registration_shows_its_secret_once(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("webhooks", **{"webhooks-tab": "Register a webhook"})
    page.text_input(key="webhook/url").set_value(URL).run()
    page.checkbox(key="webhook/negotiation.summary.updated").uncheck().run()
    page.button(key="webhook-button").click().run()
    assert not page.exception
    (made,) = call_service(deployment, "GET", "/v1/webhooks")
    assert page.query_params["id"] == made["id"]
    assert "negotiation.summary.updated" not in made["events"]
    assert len(made["events"]) == len(EVENT_NAMES) - 1
    assert any(code.value.startswith("whsec_") for code in page.code)
    page.button(key="secret-stored").click().run()
    assert not any(code.value.startswith("whsec_") for code in page.code)


def test_an_address_that_is_none_is_named_and_kept(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("webhooks", **{"webhooks-tab": "Register a webhook"})
    page.text_input(key="webhook/url").set_value("hooks.example.com").run()
    page.button(key="webhook-button").click().run()
    assert "Enter a full address" in page_text(page)
    assert page.text_input(key="webhook/url").value == "hooks.example.com"
    assert call_service(deployment, "GET", "/v1/webhooks") == []


def test_an_address_that_the_service_refuses_is_a_panel(open_page: OpenPage, deployment: Deployment) -> None:
    page = open_page("webhooks", **{"webhooks-tab": "Register a webhook"})
    page.text_input(key="webhook/url").set_value("http://user:pass@hooks.example.com/").run()
    page.button(key="webhook-button").click().run()
    assert not page.exception
    assert "Registering the webhook" in page_text(page)
    assert page.text_input(key="webhook/url").value == "http://user:pass@hooks.example.com/"


def test_a_webhook_is_deleted_after_a_confirmation(open_page: OpenPage, deployment: Deployment) -> None:
    ident = registered(deployment)
    page = open_page("webhook", id=ident)
    open_popover(page, f"delete-{ident}")
    page.button(key=f"delete-{ident}-button").click().run()
    assert not page.exception
    assert call_service(deployment, "GET", "/v1/webhooks") == []
    assert "No webhooks yet" in page_text(page)


def test_a_webhook_is_turned_off_and_on(open_page: OpenPage, deployment: Deployment) -> None:
    ident = registered(deployment)
    page = open_page("webhook", id=ident)
    page.button(key=f"turn-off-{ident}-button").click().run()
    assert not page.exception
    assert "Turned off" in page_text(page)
    page.button(key=f"turn-on-{ident}-button").click().run()
    assert "Turned off" not in page_text(page)


@pytest.mark.campaign
def test_a_webhook_that_somebody_else_turned_off_is_not_turned_on_by_turning_it_off(
    open_page: OpenPage, deployment: Deployment
) -> None:
    ident = registered(deployment)
    page = open_page("webhook", id=ident)
    call_service(deployment, "PATCH", f"/v1/webhooks/{ident}", {"enabled": False})
    for read in (queries.load_webhooks, queries.load_webhook_detail):
        read.clear()
    [turn_off] = [button for button in page.button if button.label == "Turn off"]
    page = turn_off.click().run()
    assert "Turned off" in page_text(page)
    assert "was not done" in page.toast[0].value


def test_a_new_secret_is_shown_once(open_page: OpenPage, deployment: Deployment) -> None:
    ident = registered(deployment)
    page = open_page("webhook", id=ident)
    page.button(key=f"rotate-{ident}-button").click().run()
    assert not page.exception
    assert any(code.value.startswith("whsec_") for code in page.code)
    assert "The previous secret stays valid" in page_text(page)


def test_deliveries_are_listed_and_filtered_by_the_address(
    open_page: OpenPage, deployment: Deployment, receiver: Receiver
) -> None:
    webhook, event = delivered(deployment, receiver)
    page = open_page("webhook", id=webhook)
    assert not page.exception
    [table] = read_record_tables(page)
    assert [row[ADDRESS] for row in table] == [f"webhook?id={webhook}&event={event}"]
    assert read_column(page, "Event") == ["scope.extracted"]
    assert read_column(page, "Response") == ["204 No Content"]
    fitting = {"state": "Delivered", "answer": "2xx", "since": "Last hour", "live": "false"}
    assert "1 delivery" in page_text(open_page("webhook", id=webhook, **fitting))
    assert "No match" in page_text(open_page("webhook", id=webhook, state="Failed"))
    page = open_page("webhook", id=webhook, answer="5xx")
    assert "No match" in page_text(page)
    page.button(key="show-all").click().run()
    assert "1 delivery" in page_text(page)
    assert page.selectbox(key="answer").value == "Any response"
    page.button(key="live-button").click().run()
    assert page.query_params["live"] == "false"
    assert page.button(key="live-button").label == "Update by itself"
    page.button(key="live-button").click().run()
    assert "live" not in page.query_params


def test_deliveries_are_filtered_by_event_and_turned_over_page_by_page(
    open_page: OpenPage, deployment: Deployment, service: RunningService
) -> None:
    names = ["scope.extracted", "negotiation.summary.updated"]
    webhook = call_service(deployment, "POST", "/v1/webhooks", {"url": URL, "events": names})["id"]
    happen(service.context, webhook, 51)
    page = open_page("webhook", id=webhook, type="scope.extracted")
    assert "1 to 50 deliveries" in page_text(page)
    page.button(key="page-older").click().run()
    assert not page.exception
    assert page.query_params["page"] == "2"
    assert "51 to 51 deliveries" in page_text(page)
    page.selectbox(key="type").set_value("negotiation.summary.updated").run()
    assert "No match" in page_text(page)
    assert "page" not in page.query_params


def test_the_built_in_inbox_is_one_click_away_and_shows_what_arrives(
    open_page: OpenPage, deployment: Deployment, receiver: Receiver
) -> None:
    page = open_page("webhooks")
    page.button(key="open-inbox-button").click().run()
    assert not page.exception
    [made] = call_service(deployment, "GET", "/v1/webhooks")
    assert page.query_params["id"] == made["id"]
    assert "Nothing has arrived yet" in page_text(page)
    send_test(deployment, made["id"])
    assert call_service(deployment, "GET", f"/v1/webhooks/{made['id']}/inbox")
    for read in (queries.load_webhook_detail, queries.load_attempts, queries.load_inbox):
        read.clear()
    assert "the signature is valid" in page_text(open_page("webhook", id=made["id"], view="Inbox"))
    listed = open_page("webhooks")
    assert not [button for button in listed.button if button.key == "open-inbox-button"]
    assert read_column(listed, "Address") == ["Built-in inbox"]
    assert read_column(listed, "Succeeded") == ["100.0 %"]


def test_one_delivery_shows_request_answer_attempts_and_signature(
    open_page: OpenPage, deployment: Deployment, receiver: Receiver
) -> None:
    webhook, event = delivered(deployment, receiver)
    page = open_page("webhook", id=webhook, event=event)
    assert not page.exception
    text = page_text(page)
    assert "204 No Content" in text
    assert "The receiver accepted it" in text
    assert len(page.expander) == 1
    page.segmented_control(key="delivery-tab").set_value("As curl").run()
    assert "curl -X POST" in page_text(page)
    page.segmented_control(key="delivery-tab").set_value("Signature").run()
    assert "v1," in page_text(page)


def test_a_signature_is_checked_with_the_pasted_secret(
    open_page: OpenPage, deployment: Deployment, receiver: Receiver
) -> None:
    made = call_service(
        deployment, "POST", "/v1/webhooks", {"url": receiver.url, "events": ["scope.extracted"]}
    )
    event = send_test(deployment, made["id"])
    page = open_page("webhook", id=made["id"], event=event, **{"delivery-tab": "Signature"})
    page.text_input(key="delivery-secret").set_value(made["secret"]).run()
    assert "The signature is valid" in page_text(page)
    page.text_input(key="delivery-secret").set_value("whsec_AAAA").run()
    assert "The signature is not valid" in page_text(page)


def test_a_delivery_is_sent_again(open_page: OpenPage, deployment: Deployment, receiver: Receiver) -> None:
    webhook, event = delivered(deployment, receiver)
    page = open_page("webhook", id=webhook, event=event)
    page.button(key=f"redeliver-{event}-button").click().run()
    assert not page.exception
    path = f"/v1/webhooks/{webhook}/events/{event}"
    wait_until(lambda: call_service(deployment, "GET", path)["attempts"] == 2)


def test_the_bare_interface_gives_no_dead_buttons(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = registered(deployment)

    def offered(_: Deployment) -> frozenset[str]:
        return frozenset({"GET /v1/webhooks", "POST /v1/webhooks", "DELETE /v1/webhooks/{}"})

    monkeypatch.setattr(queries, "load_operations", offered)
    page = open_page("webhook", id=ident)
    open_popover(page, f"delete-{ident}")
    assert not page.exception
    assert [button.key for button in page.button] == [f"delete-{ident}-button", "live-button"]
    assert [box.key for box in page.selectbox] == ["state", "answer", "since"]
    listed = open_page("webhooks")
    assert not [button.key for button in listed.button]


def test_on_the_bare_interface_the_newest_records_are_filtered_here(
    open_page: OpenPage, deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = registered(deployment)
    call_service(deployment, "POST", f"/v1/webhooks/{ident}/test")
    monkeypatch.setattr(queries, "load_operations", lambda _: frozenset({"GET /v1/webhooks"}))
    assert "1 delivery" in page_text(open_page("webhook", id=ident))
    assert "No match" in page_text(open_page("webhook", id=ident, answer="5xx"))


def test_another_organisations_webhook_is_not_there(
    open_page: OpenPage, service: RunningService, deployment: Deployment
) -> None:
    foreign = registered(Deployment(service.address, service.key("Somebody Else")))
    page = open_page("webhook", id=foreign)
    assert not page.exception
    assert "was not found" in page_text(page)
