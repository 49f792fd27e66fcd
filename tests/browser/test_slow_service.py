"""A service that hangs, in Chromium: the page says so, then offers to try again, and loses nothing."""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.dashboard.deployment import Deployment
from app.dashboard.slow_service import NOTICE_SECONDS, READ_SECONDS
from tests.browser.conftest import picture, settled, sign_in
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service, create_scope, start_unplanned
from tests.dashboard.seed_data import ACME
from tests.service.tcp_proxy import TcpProxy

pytestmark = [pytest.mark.browser, pytest.mark.campaign]
Window = Callable[..., BrowserContext]
NOTICE = "The service is slow to answer"
OWNER = "Patient"


@pytest.fixture
def page(
    window: Window, address_behind_proxy: str, service: RunningService, proxy: TcpProxy
) -> Iterator[Page]:
    opened = sign_in(window().new_page(), address_behind_proxy, service.key(OWNER))
    yield opened
    proxy.flow()


def wait_through_notice(page: Page, began: float) -> None:
    """Wait for the notice, then for the panel that takes its place, and check that both took their time."""
    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect(page.get_by_test_id("stSkeletonElement").first).to_be_visible()
    assert time.monotonic() - began > NOTICE_SECONDS - 0.5
    expect(page.get_by_text("took too long").first).to_be_visible()
    assert time.monotonic() - began > READ_SECONDS - 0.5
    expect(page.get_by_text(NOTICE)).to_have_count(0)


def test_every_page_says_that_it_waits_and_then_how_to_go_on(
    page: Page, address_behind_proxy: str, service: RunningService, proxy: TcpProxy
) -> None:
    owner = Deployment(service.address, service.key(OWNER))
    scope = create_scope(owner)
    [negotiation] = start_unplanned(owner, scope={"scopeId": scope})
    for path in (
        "/",
        "/catalog",
        f"/company?id={ACME}",
        "/quotes",
        f"/quote?id={scope}",
        f"/estimates?ids={scope}",
        "/negotiations",
        f"/negotiation?id={negotiation}",
        "/savings",
        "/webhooks",
        "/imports",
    ):
        time.sleep(5.5)  # until what was read for the page before is old
        proxy.stall()
        began = time.monotonic()
        page.goto(address_behind_proxy + path)
        wait_through_notice(page, began)
        if path.startswith(("/negotiation?", "/catalog")):
            picture(page, f"slow{path.partition('?')[0].replace('/', '-')}")
        proxy.flow()
        page.get_by_role("button", name="Try again").first.click()
        expect(page.get_by_text("took too long")).to_have_count(0)


def test_what_was_typed_outlives_a_service_that_hangs(
    page: Page, address_behind_proxy: str, service: RunningService, proxy: TcpProxy
) -> None:
    [negotiation] = start_unplanned(Deployment(service.address, service.key(OWNER)))
    page.goto(f"{address_behind_proxy}/negotiation?id={negotiation}&negotiation-tab=Updates")
    note = page.get_by_role("textbox", name="Note")
    note.fill("by phone")
    note.press("Tab")
    time.sleep(6)  # until what was read is old
    proxy.stall()
    page.get_by_role("radio", name="Background").click()
    # A refresh that was under way when the service began to hang comes first.
    expect(page.get_by_text("took too long").first).to_be_visible(timeout=4 * READ_SECONDS * 1000)
    proxy.flow()
    page.get_by_role("button", name="Try again").first.click()
    page.get_by_role("radio", name="Updates").click()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("by phone")


def test_a_link_that_is_clicked_during_a_write_is_opened_once_the_write_is_made(
    page: Page, address_behind_proxy: str, service: RunningService, proxy: TcpProxy
) -> None:
    owner = Deployment(service.address, service.key(OWNER))
    hook = call_service(
        owner, "POST", "/v1/webhooks", {"url": "https://example.com/slow", "events": ["scope.extracted"]}
    )["id"]
    settings = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Settings")

    def is_enabled() -> bool:
        enabled: bool = call_service(owner, "GET", f"/v1/webhooks/{hook}")["enabled"]
        return enabled

    page.goto(f"{address_behind_proxy}/webhook?id={hook}")
    turn_off = page.get_by_role("button", name="Turn off")
    expect(turn_off).to_be_enabled()
    settled(page)
    proxy.stall()
    turn_off.click()
    settings.click()
    page.wait_for_timeout(1000)
    assert "/webhook?" in page.url
    proxy.flow()
    expect(page).to_have_url(f"{address_behind_proxy}/settings")
    assert not is_enabled()

    page.goto(f"{address_behind_proxy}/webhook?id={hook}")
    turn_on = page.get_by_role("button", name="Turn on")
    expect(turn_on).to_be_enabled()
    settled(page)
    turn_on.click()
    settings.click()
    expect(page).to_have_url(f"{address_behind_proxy}/settings")
    assert is_enabled()
