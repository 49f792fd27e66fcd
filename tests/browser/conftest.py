"""A real Chromium on the real dashboard on the real service."""

import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # pyright: ignore[reportMissingTypeStubs]
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from app.dashboard.server.configuration import ROOT
from app.dashboard.signing_in.one_time_link import KEY_VARIABLE, TOKEN_VARIABLE
from tests.browser import chromium
from tests.browser.dashboard_process import dashboard
from tests.dashboard.conftest import RunningService, service
from tests.service.tcp_proxy import TcpProxy, proxy_to

__all__ = ["service"]

LINK_TOKEN = "one-time"
WIDE = 1440
NARROW = 800
PICTURES = ROOT / "tests" / "output" / "pictures"


@dataclass(frozen=True)
class Dashboard:
    """A running dashboard, the service behind it, and its one-time link."""

    address: str
    service: RunningService
    link: str


@pytest.fixture(scope="session")
def running(service: RunningService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = {
        "PARLEY_PUBLIC_URL": service.address,
        TOKEN_VARIABLE: LINK_TOKEN,
        KEY_VARIABLE: service.key("Linked"),
    }
    with dashboard(folder, **environment) as (address, _):
        yield Dashboard(address, service, f"{address}/?link={LINK_TOKEN}")


@pytest.fixture(scope="module")
def proxy(service: RunningService) -> Iterator[TcpProxy]:
    """In front of the service: it can stall and refuse."""
    with proxy_to("127.0.0.1", urlsplit(service.address).port or 0) as started:
        yield started


@pytest.fixture(scope="module")
def address_behind_proxy(proxy: TcpProxy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard whose service is behind the proxy."""
    folder = tmp_path_factory.mktemp("behind-proxy")
    with dashboard(folder, PARLEY_PUBLIC_URL=f"http://127.0.0.1:{proxy.port}") as (where, _):
        yield where


# While Playwright is open an event loop runs in this thread, in which no test of another folder could run its
# own: so it is closed behind this folder.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    expect.set_options(timeout=20_000)
    with sync_playwright() as running_playwright:
        yield running_playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(
        executable_path=chromium.find(playwright), args=list(chromium.FLAGS)
    )
    yield launched
    launched.close()


@pytest.fixture
def window(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """`window(dark=True, width=800)`: a fresh browser profile."""
    opened: list[BrowserContext] = []

    def open_one(*, dark: bool = False, width: int = WIDE) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            timezone_id="Europe/Berlin",
            locale="en-GB",
        )
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.close()


def settled(page: Page) -> Page:
    """`page` once its script has run."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_selector("[data-testid=stSkeleton]", state="detached")
    return page


def sign_in(page: Page, address: str, key: str) -> Page:
    """Sign in by the form at `address`, whatever page that is."""
    page.goto(address)
    page.get_by_label("Access key").fill(key)
    with page.expect_response("**/session/remember"):
        page.get_by_role("button", name="Sign in").click()
    return settled(page)


def violations(page: Page, rule: str | None = None) -> list[str]:
    """What axe finds against WCAG 2.2 A and AA, or against one rule."""
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    against = {"type": "rule", "values": [rule]} if rule else {"type": "tag", "values": tags}
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(
        "against => axe.run(document, {runOnly: against}).then(r => r.violations)", against
    )
    return [
        f"{one['id']}: {one['help']}: " + json.dumps([node["html"][:160] for node in one["nodes"][:4]])
        for one in found
    ]


def picture(page: Page, name: str, folder: Path = PICTURES) -> None:
    """The whole page as a PNG, for a person to look at: when PARLEY_PICTURES is set."""
    if not os.environ.get("PARLEY_PICTURES"):
        return
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=True)
