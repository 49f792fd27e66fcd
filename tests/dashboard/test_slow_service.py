"""A service that hangs: the page says so, gives up after a while, and loses nothing that was typed."""

import time
from collections.abc import Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard import slow_service
from app.dashboard.api import queries
from app.dashboard.deployment import Deployment
from app.dashboard.signing_in import service_sessions
from tests.dashboard.conftest import OpenPage, RunningService
from tests.dashboard.page_helpers import page_text, start_unplanned
from tests.service.tcp_proxy import TcpProxy, proxy_to


@pytest.fixture
def proxy(service: RunningService) -> Iterator[TcpProxy]:
    """In front of the service: it can stall."""
    with proxy_to("127.0.0.1", urlsplit(service.address).port or 0) as started:
        yield started


@pytest.fixture
def behind_proxy(proxy: TcpProxy, service: RunningService) -> Iterator[Deployment]:
    address = f"http://127.0.0.1:{proxy.port}"
    yield Deployment(address, service.key(uuid4().hex))
    queries.shared_client(address).close()
    queries.shared_client.clear()


def forget_reads() -> None:
    for read in (queries.load_negotiation, queries.load_timeline, queries.load_escalations):
        read.clear()


@pytest.mark.campaign
def test_a_hanging_service_is_one_panel_with_a_retry_and_what_was_typed_stays(
    open_page: OpenPage, proxy: TcpProxy, behind_proxy: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    [negotiation] = start_unplanned(behind_proxy)
    page = open_page(
        "negotiation", signed_in_to=behind_proxy, id=negotiation, **{"negotiation-tab": "Updates"}
    )
    page.number_input(key=f"update-{negotiation}/amount").set_value(99_000.0).run()
    page.text_input(key=f"update-{negotiation}/note").set_value("by phone").run()
    monkeypatch.setattr(slow_service, "READ_SECONDS", 1.0)
    proxy.stall()
    forget_reads()
    page.run()
    assert not page.exception
    assert page_text(page).count("took too long") == 1
    assert f"update-{negotiation}/amount" not in {field.key for field in page.number_input}
    monkeypatch.undo()
    proxy.flow()
    [again] = [button for button in page.button if button.label == "Try again"]
    again.click().run()
    assert page.number_input(key=f"update-{negotiation}/amount").value == 99_000
    assert page.text_input(key=f"update-{negotiation}/note").value == "by phone"


def test_a_session_is_not_asked_about_again_and_again(
    proxy: TcpProxy, behind_proxy: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each read of a page asks whether its session is live."""
    signed_in = service_sessions.start_session(behind_proxy)
    monkeypatch.setattr(service_sessions, "CHECK_SECONDS", 0.4)
    proxy.stall()
    began = time.monotonic()
    assert all(service_sessions.is_live(signed_in) for _ in range(8)), "nobody is signed out"
    assert time.monotonic() - began < 1.2


def test_the_parts_of_a_page_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that eight slow reads do not make it eight times as long."""
    monkeypatch.setattr(slow_service, "READ_SECONDS", 600.0)
    assert slow_service.get_read_seconds() == 600
    with slow_service.slow_notice():
        first = slow_service.get_read_seconds()
        time.sleep(0.2)
        with slow_service.slow_notice():
            assert slow_service.get_read_seconds() < first - 0.1
        slow_service.note_answer()
        assert slow_service.get_read_seconds() > first - 0.1, "a service that answers is waited for"
        monkeypatch.setattr(slow_service, "READ_SECONDS", 0.2)
        assert slow_service.get_read_seconds() == slow_service.LEAST_SECONDS
    assert slow_service.get_read_seconds() == 0.2


def slow_script() -> None:
    import time

    import streamlit as st

    from app.dashboard.failure_panel import failure_panel
    from app.dashboard.slow_service import without_notice

    with failure_panel("The page"):
        st.title("Slow")
        with failure_panel("The list"):
            time.sleep(0.6)
            st.session_state["in list"] = True
        with without_notice():
            time.sleep(0.6)


@pytest.mark.campaign
def test_the_notice_is_drawn_after_a_while_and_gone_with_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    draw = slow_service.draw_slow_notice

    def note() -> None:
        draw()
        drawn.append(True)

    monkeypatch.setattr(slow_service, "draw_slow_notice", note)
    page = AppTest.from_function(slow_script, default_timeout=20).run()
    assert not drawn, "it is no slow service that answers within two seconds"
    monkeypatch.setattr(slow_service, "NOTICE_SECONDS", 0.2)
    page.run()
    assert len(drawn) == 1
    assert "slow to answer" not in page_text(page)
    assert not page.exception
