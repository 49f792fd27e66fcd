"""A write is made once, says why it failed, and keeps what was typed."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from streamlit.testing.v1 import AppTest

from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from tests.dashboard.http_server import serve_in_thread


class Answering:
    """A service of one operation that answers as told and remembers what it was asked."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.keys: list[str] = []

    async def start(self, request: Request) -> Response:
        self.keys.append(request.headers["idempotency-key"])
        status = self.statuses.pop(0) if self.statuses else 201
        if status == 201:
            return JSONResponse({"negotiationId": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"}, 201)
        trace = {"timestamp": "2026-03-02T12:00:00Z", "requestId": "req-1"}
        problem = {
            "type": "about:blank",
            "title": "No",
            "status": status,
            "detail": "Not now.",
            "trace": trace,
        }
        return JSONResponse(
            problem | {"instance": "/v1/negotiation/start"},
            status,
            {"x-request-id": "req-1"},
            "application/problem+json",
        )


@pytest.fixture
def answering() -> Answering:
    return Answering()


@pytest.fixture
def address(answering: Answering) -> Iterator[str]:
    app = Starlette(routes=[Route("/v1/negotiation/start", answering.start, methods=["POST"])])
    with serve_in_thread(app) as where:
        yield where
    queries.shared_client(where).close()
    queries.shared_client.clear()


def script(address: str, read_only: bool = False) -> None:
    import streamlit as st

    from app.client import ScopedClient
    from app.contract.negotiation import StartedNegotiation, StartNegotiation
    from app.dashboard.api.write_button import write_button
    from app.dashboard.deployment import Deployment

    name = st.text_input("Name", key="name")

    def start(client: ScopedClient, key: str) -> StartedNegotiation:
        body = StartNegotiation.model_validate(
            {
                "supplier": {"name": "Acme"},
                "contactEmail": "a@example.com",
                "contactName": name,
                "engagementType": "strategy_only",
            }
        )
        return client.negotiations.start(body, idempotency_key=key)

    def done(started: StartedNegotiation) -> None:
        st.session_state["started"] = started.negotiation_id

    deployment = Deployment(address, "key", read_only=read_only)
    write_button(deployment, "Start", name="start", what="Starting", write=start, on_success=done)


def pressed(address: str, *, typed: str = "Ann") -> AppTest:
    page = AppTest.from_function(script, args=(address,), default_timeout=40).run()
    page.text_input(key="name").set_value(typed)
    return page.button(key="start-button").click().run()


def words(page: AppTest) -> str:
    return "\n".join(element.value for element in [*page.markdown, *page.caption])


def test_a_write_is_made_once_and_then_done(address: str, answering: Answering) -> None:
    page = pressed(address)
    assert page.session_state["started"].startswith("018f2c5e")
    assert len(answering.keys) == 1
    page.run()
    assert len(answering.keys) == 1
    assert not page.button(key="start-button").disabled


def test_a_read_only_key_cannot_press_it_and_learns_why(address: str) -> None:
    page = AppTest.from_function(script, args=(address, True), default_timeout=40).run()
    assert page.button(key="start-button").disabled
    assert "read only" in page.button(key="start-button").help


def test_a_refusal_is_shown_with_its_request_and_what_was_typed_stays(
    address: str, answering: Answering
) -> None:
    answering.statuses = [422]
    page = pressed(address)
    text = words(page)
    for expected in ("Starting failed", "Not now", "status 422", "req-1"):
        assert expected in text
    assert page.text_input(key="name").value == "Ann"
    assert "started" not in page.session_state


def test_what_is_corrected_goes_out_under_another_key(address: str, answering: Answering) -> None:
    answering.statuses = [422]
    page = pressed(address)
    page.button(key="start-button").click().run()
    assert len(set(answering.keys)) == 2
    assert "failed" not in words(page)


def test_what_may_have_happened_is_tried_again_under_the_same_key(address: str, answering: Answering) -> None:
    answering.statuses = [500] * 10
    page = pressed(address)
    assert "Starting failed" in words(page)
    answering.statuses = []
    page.button(key="start-button").click().run()
    assert len(answering.keys) >= 2
    assert len(set(answering.keys)) == 1
    assert page.session_state["started"]


def test_what_the_contract_refuses_is_not_sent(address: str, answering: Answering) -> None:
    page = pressed(address, typed="")
    assert "needs a correction" in words(page)
    assert "contactName" in words(page)
    assert answering.keys == []


def test_a_second_press_while_it_runs_is_the_same_write(address: str, answering: Answering) -> None:
    """Two sessions' states never share a key; one session keeps it until an answer came."""
    one, other = pressed(address), pressed(address)
    assert len(set(answering.keys)) == 2
    assert cast(Any, one.session_state)["started"] == cast(Any, other.session_state)["started"]


def test_the_key_is_not_in_what_a_deployment_shows() -> None:
    assert "parley_secret" not in repr(Deployment("http://x", "parley_secret"))


def tabbed(address: str) -> None:
    import streamlit as st

    from app.client import ScopedClient
    from app.dashboard.api.write_button import drop_lost_clicks, write_button
    from app.dashboard.deployment import Deployment
    from components.elements.tabs import draw_tabs

    def save() -> None:
        typed = st.text_input("Name", key="name")

        def write(client: ScopedClient, key: str) -> str:
            st.session_state.setdefault("written", []).append(typed)
            return key

        if "gone" not in st.session_state:
            write_button(Deployment(address, "key"), "Save", name="save", what="Saving", write=write)

    draw_tabs({"Form": save, "List": lambda: st.markdown("All of them")}, key="tab")
    drop_lost_clicks()


def test_a_tab_that_is_opened_right_after_the_click_shows_and_what_was_typed_is_written_once(
    address: str,
) -> None:
    page = AppTest.from_function(tabbed, args=(address,), default_timeout=40).run()
    page.text_input(key="name").set_value("Ann")
    page.button(key="save-button").click()
    page.session_state["tab"] = "List"
    page.run()
    for _ in range(2):
        assert page.session_state["written"] == ["Ann"]
        assert words(page) == "All of them"
        assert not page.toast
        page.run()


def test_a_write_whose_button_is_gone_is_not_made_and_the_open_tab_shows(address: str) -> None:
    page = AppTest.from_function(tabbed, args=(address,), default_timeout=40).run()
    page.button(key="save-button").click()
    page.session_state["tab"], page.session_state["gone"] = "List", True
    page.run()
    assert "written" not in page.session_state
    assert (words(page), len(page.toast)) == ("All of them", 1)
