"""Every page, light and dark, wide and narrow: nothing for axe to complain about, and a picture of each."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.conftest import NARROW, Dashboard, picture, settled, sign_in, violations
from tests.dashboard.stock import ACME, PLATFORM, identity

pytestmark = pytest.mark.browser
Window = Callable[..., BrowserContext]

VIEWS = {
    "overview": "/",
    "catalog": "/catalog",
    "catalog-without-match": "/catalog?q=zzzz",
    "company": f"/company?id={ACME}",
    "company-purchases": f"/company?id={ACME}&tab=Past+purchases",
    "company-missing": f"/company?id={identity('nobody')}",
    "product": f"/product?id={PLATFORM}",
    "deployment": "/deployment",
    "deployment-calls": "/deployment?tab=Calls",
}


def show(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_selector("h1, [class*=st-key-fault]")
    return settled(page)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_view_is_accessible(running: Dashboard, window: Window, dark: bool, tmp_path: Path) -> None:
    colour = "dark" if dark else "light"
    page = window(dark=dark).new_page()
    page.goto(running.address)
    page.wait_for_selector("h1")
    found = {"sign-in": violations(settled(page))}
    sign_in(page, running.address, running.service.key(f"Looks {colour}"))
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    for name, path in VIEWS.items():
        show(page, running.address + path)
        found[name] = violations(page)
        picture(page, f"{name}-{colour}", tmp_path)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    # Streamlit's page looks for its server beside each address and finds it at the root: a 404 each time.
    assert [text for text in console if "404" not in text] == []


def test_a_narrow_window_shows_everything(running: Dashboard, window: Window, tmp_path: Path) -> None:
    page = sign_in(window(width=NARROW).new_page(), running.address, running.service.key("Narrow"))
    for name, path in VIEWS.items():
        show(page, running.address + path)
        picture(page, f"{name}-narrow", tmp_path)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, name
